#include "net/timeline/changes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "net/fluid/link.h"
#include "net/link/impair.h"
#include "net/link/shared_buffers.h"
#include "net/net.h"
#include "net/radio/air.h"
#include "net/timeline/route_changes.h"
#include "net/upcalls.h"

namespace anml::rt {

namespace {

// A link that the model declares without impairments has some now.
void begin_to_impair(NetworkState& network, LinkId id, std::uint32_t law)
{
    LinkState& link = network.links[id];
    if (law == kNone || link.outbox & LinkState::kImpaired) return;
    link.outbox |= LinkState::kImpaired;
    network.impaired[id].law = law;
}

// A link that is down accepts nothing: it is busy for ever, and has a queue without room. One that follows a trace or
// has a discipline looks the same.
void set(NetworkState& network, LinkId id, const ChangingLink& changing, const LinkVersion& version)
{
    LinkState &link = network.links[id], &line = network.line(id);
    const std::uint32_t direction = id & 1;
    const bool closed = !version.up || changing.traced[direction];
    link.delay = version.delay[direction];
    line.rate = closed ? 1 : version.rate[direction];
    line.capacity = closed ? 0 : version.capacity[direction];
    line.packet_limit = version.packet_limit[direction];
    if (changing.traced[direction]) network.traced[id].capacity = version.capacity[direction];
    network.disciplines.change_parameters(id, network.model, version.discipline[direction]);
    begin_to_impair(network, id, version.law[direction]);
    change_impairments(network, id, version.law[direction]);
}

// A ring for these packets that wait, in the place of the one that was there.
StartTimes::Ring wait_anew(StartTimes& starts, StartTimes::Ring ring, std::uint32_t limit,
                           const std::vector<Time>& waiting)
{
    starts.release(ring);
    if (limit == 0 || waiting.empty()) return StartTimes::kNoRing;
    ring = starts.make(limit);
    starts.fill(ring, limit, waiting);
    return ring;
}

// What waits for a link that follows a trace is lost; the trace goes on.
void clear(TracedLink& link, Time now)
{
    link.backlog = 0;
    link.busy_until = std::min(link.busy_until, now);
}

}  // namespace

Changes::Changes(const Timeline& timeline, std::uint32_t workloads, std::vector<std::uint8_t> roles)
    : timeline_(timeline),
      roles_(std::move(roles)),
      versions_(timeline.links.size(), 0),
      lost_(timeline.links.size()),
      transmitters_(timeline.links.size()),
      behind_(workloads, kEveryTurn),
      arrivals_(timeline.links.size())
{
}

Time Changes::begin(Time origin)
{
    origin_ = origin;
    return timeline_.instants.empty() ? kNever : origin + timeline_.instants.front().time;
}

Time Changes::take_over(Net& k, Changes* before, Time origin)
{
    origin_ = origin;
    const auto& instants = timeline_.instants;
    while (next_ < instants.size() && origin + instants[next_].time <= k.now) ++next_;
    std::vector<std::uint32_t> fresh;
    if (before) behind_ = before->behind_;
    for (std::uint32_t i = 0; i < timeline_.links.size(); ++i) {
        const std::uint32_t old = before ? before->timeline_.index_of(timeline_.links[i].link) : kNone;
        if (old == kNone) {
            fresh.push_back(i);
            continue;
        }
        versions_[i] = before->versions_[old];
        lost_[i] = before->lost_[old];
        transmitters_[i] = std::move(before->transmitters_[old]);
        arrivals_[i] = std::move(before->arrivals_[old]);
    }
    if (!fresh.empty()) adopt(k, fresh);
    hold_back(k);
    return next_ == instants.size() ? kNever : origin + instants[next_].time;
}

// Links that did not change so far: their packets are on their way to the far end already, those that wait, too. Where
// a link is impaired nobody knows any more when they depart.
void Changes::adopt(Net& k, const std::vector<std::uint32_t>& links)
{
    for (const std::uint32_t index : links)
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            const LinkId id = timeline_.links[index].link + direction;
            const LinkState& link = k.links[id];
            if (link.mtu == 0) continue;
            const LinkState& line = k.network.line(id);
            Transmitter& transmitter = transmitters_[index][direction];
            if (line.decided_elsewhere()) continue;
            if (link.outbox & LinkState::kImpaired) transmitter.unknown_until = line.busy_until;
            const double bits =
                8.0 * (static_cast<double>(link.bytes) + static_cast<double>(link.packets) * link.overhead);
            transmitter.transmitting = std::llround(bits / line.rate * kSecond);
        }
    std::vector<Event> under_way;
    k.queue.each([&](const Event& event) {
        if (event.stream >= k.image.directed_links) return;
        if (std::binary_search(links.begin(), links.end(), timeline_.index_of(event.stream)))
            under_way.push_back(event);
    });
    std::sort(under_way.begin(), under_way.end(), [](const Event& a, const Event& b) {
        return a.stream != b.stream ? a.stream < b.stream : earlier(a, b);
    });
    for (std::size_t first = 0, end; first < under_way.size(); first = end) {
        const LinkId id = under_way[first].stream;
        for (end = first; end < under_way.size() && under_way[end].stream == id; ++end)
            note_arrival(id, under_way[end].time, k.now);
        if (!(k.links[id].outbox & LinkState::kImpaired))
            adopt(k, id, std::span(under_way).subspan(first, end - first));
    }
}

// Packets on their way over a link, in order. The last one left the link's fraction of a nanosecond, from which the
// others' follow backwards.
void Changes::adopt(Net& k, LinkId id, std::span<const Event> arrivals)
{
    const LinkState& line = k.network.line(id);
    const bool fluid = k.network.fluid_of(id) != nullptr;
    std::vector<Transmitter::Taken> taken;
    std::uint32_t fraction = line.fraction;
    for (std::size_t i = arrivals.size(); i-- > 0;) {
        const Time departure = arrivals[i].time - k.links[id].delay;
        if (departure <= k.now) break;
        const std::uint32_t bytes = k.packets[arrivals[i].payload].length;
        if (fluid) fraction = LinkState::kHalf;  // it has its own
        const Time time = line.decided_elsewhere()
                              ? 0
                              : droptail::undo_transmission(bytes + line.known_overhead(), line.rate, fraction);
        const Time start = departure - time;
        taken.push_back({start, departure, bytes, k.counters.in_window(start), Transmitter::kUncounted});
    }
    Transmitter& transmitter = transmitters_[timeline_.index_of(id)][id & 1];
    for (std::size_t i = taken.size(); i-- > 0;) transmitter.take(taken[i], k.now);
}

// Links that will be impaired and are not yet: what has not departed stays in the transmitter from now on, as it would
// have if that had been known before, and draws are counted as they would have been.
void Changes::hold_back(Net& k)
{
    std::vector<LinkId> links;
    for (std::uint32_t index = 0; index < timeline_.links.size(); ++index)
        for (std::uint32_t direction = 0; direction < 2; ++direction) {
            const LinkId id = timeline_.links[index].link + direction;
            if (!timeline_.links[index].held[direction] || k.links[id].mtu == 0) continue;
            if (!(k.links[id].outbox & LinkState::kImpaired)) links.push_back(id);
        }
    if (links.empty()) return;
    std::sort(links.begin(), links.end());
    const auto stays = [&](const Event& event) {
        if (!std::binary_search(links.begin(), links.end(), event.stream)) return false;
        const ChangingLink& link = timeline_.links[timeline_.index_of(event.stream)];
        return event.time - link.versions[event.kind].delay[event.stream & 1] > k.now;
    };
    for (const Event& event : k.queue.extract(times_of(links, k.now), stays))
        if (!transmitters_[timeline_.index_of(event.stream)][event.stream & 1].hold_next(k.now, event.payload))
            k.queue.push(event);
    for (const LinkId id : links) {
        const std::uint32_t index = timeline_.index_of(id);
        Transmitter& transmitter = transmitters_[index][id & 1];
        begin_to_impair(k.network, id, timeline_.links[index].versions[versions_[index]].law[id & 1]);
        k.network.impaired[id].packets = k.links[id].sequence - transmitter.held();
        expect_departure(k, id, transmitter);
    }
}

Time Changes::make(Net& k)
{
    const Timeline::Instant& instant = timeline_.instants[next_];
    k.now = origin_ + instant.time;
    concerned_.clear();
    for (std::uint32_t i = 0; i < instant.changes.count; ++i) {
        const Timeline::Change& change = timeline_.changes[instant.changes.first + i];
        change_link(k, change.link, change.version, k.now);
    }
    if (!concerned_.empty()) change_arrivals(k, k.now);
    if (instant.epoch != abi::kNone) change_routes(k, instant.epoch);
    for (std::uint32_t i = 0; i < instant.paces.count; ++i) {
        const Timeline::Pace& change = timeline_.paces[instant.paces.first + i];
        upcalls::workload_paced(k, change.workload, change.value);
    }
    for (std::uint32_t i = 0; i < instant.switches.count; ++i) {
        const Timeline::Switch& change = timeline_.switches[instant.switches.first + i];
        switch_workload(k, change.workload, change.behind);
    }
    ++next_;
    return next_ == timeline_.instants.size() ? kNever : origin_ + timeline_.instants[next_].time;
}

void Changes::fill_in(LinkId id, NetworkState& network) const
{
    const std::uint32_t index = timeline_.index_of(id);
    if (index == kNone) return;
    const ChangingLink& changing = timeline_.links[index];
    const LinkVersion& version = changing.versions[versions_[index]];
    set(network, id, changing, version);
    if (!version.up) network.line(id).busy_until = LinkState::kForEver;
}

void Changes::change_link(Net& k, std::uint32_t index, std::uint32_t version, Time now)
{
    const ChangingLink& link = timeline_.links[index];
    const LinkVersion &before = link.versions[version - 1], &after = link.versions[version];
    versions_[index] = version;
    bool concerns = false;
    for (std::uint32_t direction = 0; direction < 2; ++direction) {
        if (roles_[index] & kReceives << direction && before.up &&
            (!after.up || before.rate[direction] != after.rate[direction] ||
             before.delay[direction] != after.delay[direction]))
            concerns = true;
        const LinkId id = link.link + direction;
        if (!(roles_[index] & kSends << direction) || k.links[id].mtu == 0) continue;
        LinkState& line = k.network.line(id);
        Transmitter& transmitter = transmitters_[index][direction];
        const bool traced = link.traced[direction];
        const std::uint16_t limit = before.packet_limit[direction], next_limit = after.packet_limit[direction];
        if (before.up && after.up) {
            const RateChange rate{std::max(now, transmitter.unknown_until), before.rate[direction],
                                  after.rate[direction]};
            if (rate.before != rate.after) change_rate(k, id, transmitter, rate);
            if (rate.before != rate.after || limit != next_limit)
                line.starts = wait_anew(k.starts, line.starts, next_limit, transmitter.waiting(now));
        } else {
            if (before.up) fail(k, id, transmitter);
            line.busy_until = after.up && !traced ? now : LinkState::kForEver;
            line.starts = wait_anew(k.starts, line.starts, 0, {});
            if (traced) clear(k.network.traced[id], now);
        }
        set(k.network, id, link, after);
        k.discipline_changed(id);
        if (after.up) k.expect_end(id);  // what is held back may go earlier
    }
    if (concerns) concerned_.push_back({index, version});
}

// What the link has taken goes on at the new rate. One that follows a trace has none that changes.
void Changes::change_rate(Net& k, LinkId id, Transmitter& transmitter, const RateChange& change)
{
    if (k.on_air(id)) return;  // what is in the air ends as it began
    LinkState& line = k.network.line(id);
    const Time busy_until = change(line.busy_until);
    if (k.measuring()) transmitter.transmitting += busy_until - line.busy_until;
    line.busy_until = busy_until;
    transmitter.move(change.now, change);
    if (SharedBuffers* const room = k.shared(id)) room->move(id, change.now, change);
    expect_departure(k, id, transmitter);
    k.expect_end(id);
    for (auto [tapped, tap] : k.taps)
        if (tapped == id) tap->rate_changed(id, change);
}

void Changes::fail(Net& k, LinkId id, Transmitter& transmitter)
{
    LinkState& state = k.links[id];
    k.lose_waiting(id);
    Time waiting = 0, counted = 0;  // of packets: what their transmission would yet have taken
    transmitter.clear(k.now, [&](const Transmitter::Taken& packet) {
        if (packet.held != kNone) k.lose(id, packet.held);
        if (packet.departure <= k.now) return;
        const Time left = packet.departure - std::max(k.now, packet.start);
        waiting += left;
        --k.counters.total_packet_hops;
        if (!packet.measured) return;
        counted += left;
        --state.packets;
        state.bytes -= packet.bytes;
    });
    if (k.measuring()) transmitter.transmitting -= waiting;
    if (fluid::FluidLink* const shared = k.network.fluid_of(id)) fluid::fail(*shared, waiting, counted, k.measuring());
    // No packet is left that others could have to wait for.
    if (state.outbox & LinkState::kImpaired) {
        ImpairedLink& impaired = k.network.impaired[id];
        impaired.last = 0;
        if (impaired.order != 0) k.arrival_orders[impaired.order - 1].clear();
    }
    for (auto [tapped, tap] : k.taps)
        if (tapped == id) tap->failed(id, k.now);
}

bool Changes::hold(Net& k, LinkId id, PacketId packet)
{
    const std::uint32_t index = timeline_.index_of(id);
    if (index == kNone || !timeline_.links[index].held[id & 1]) return false;
    Transmitter& transmitter = transmitters_[index][id & 1];
    transmitter.hold(packet);
    expect_departure(k, id, transmitter);
    return true;
}

// One event is pending for all packets that stay. It may come too early, if the rate has fallen since, and then looks
// for the next departure; one that a higher rate made too late is not expected any more.
void Changes::expect_departure(Net& k, LinkId id, Transmitter& transmitter)
{
    const Time next = transmitter.next_departure();
    if (next >= transmitter.expected) return;
    transmitter.expected = next;
    k.schedule(k.model.near_end(id), next, timer_kind::departure, id);
}

void Changes::depart(Net& k, LinkId id)
{
    const std::uint32_t index = timeline_.index_of(id);
    Transmitter& transmitter = transmitters_[index][id & 1];
    if (transmitter.expected != k.now) return;
    transmitter.expected = kNever;
    LinkState& link = k.links[id];
    transmitter.depart(k.now, [&](PacketId packet) {
        send_impaired(k, link, {k.now + link.delay, id, link.sequence++, packet, versions_[index]}, k.packets[packet]);
    });
    expect_departure(k, id, transmitter);
}

// What becomes of a packet on its way over the link. False: it is lost.
bool Changes::affect(Event& arrival, std::uint32_t index, std::uint32_t version, Time now, bool on_air) const
{
    if (arrival.kind >= version) return true;  // its sender was ahead, and sent it after the change
    const std::vector<LinkVersion>& versions = timeline_.links[index].versions;
    const LinkVersion &before = versions[version - 1], &after = versions[version];
    if (!after.up) return !before.up;
    const std::uint32_t direction = arrival.stream & 1;
    if (timeline_.links[index].held[direction]) return true;  // it came here with its departure
    const Time sent = arrival.time - versions[arrival.kind].delay[direction];
    if (!before.up || sent <= now) return true;  // it has left the transmitter
    const Time end = on_air ? sent : RateChange{now, before.rate[direction], after.rate[direction]}(sent);
    arrival.time = end + after.delay[direction];
    arrival.kind = version;
    return true;
}

// When packets on their way over these links arrive, in order.
std::vector<Time> Changes::times_of(std::span<const LinkId> links, Time now) const
{
    std::vector<Time> times;
    for (const LinkId id : links) arrivals_[timeline_.index_of(id)][id & 1].tell(now, times);
    std::sort(times.begin(), times.end());
    return times;
}

void Changes::change_arrivals(Net& k, Time now)
{
    std::vector<LinkId> links;
    for (const Timeline::Change& change : concerned_)
        for (const LinkId direction : {0u, 1u}) links.push_back(timeline_.links[change.link].link + direction);
    const std::vector<Time> times = times_of(links, now);
    for (const LinkId id : links) arrivals_[timeline_.index_of(id)][id & 1].clear();
    std::sort(links.begin(), links.end());
    const auto changes = [&links, first = links.front(), last = links.back()](const Event& event) {
        return event.stream >= first && event.stream <= last &&
               std::binary_search(links.begin(), links.end(), event.stream);
    };
    for (Event& event : k.queue.extract(times, changes)) {
        const std::uint32_t index = timeline_.index_of(event.stream);
        const Timeline::Change& change =
            *std::lower_bound(concerned_.begin(), concerned_.end(), index,
                              [](const Timeline::Change& c, std::uint32_t i) { return c.link < i; });
        if (affect(event, change.link, change.version, now, k.on_air(event.stream) != nullptr)) {
            k.queue.push(event);
            note_arrival(event.stream, event.time, now);
        } else {
            k.lose(event.stream, event.payload);
        }
    }
}

bool Changes::catch_up(Event& arrival, Time& lost_at) const
{
    const std::uint32_t index = timeline_.index_of(arrival.stream);
    if (index == kNone) return true;
    for (std::uint32_t version = arrival.kind + 1; version <= versions_[index]; ++version) {
        lost_at = origin_ + timeline_.links[index].versions[version].time;
        if (!affect(arrival, index, version, lost_at, false)) return false;  // a cell is one task's
    }
    return true;
}

void Changes::change_routes(Net& k, std::uint32_t epoch)
{
    change_tables(k.image, epoch, k.own_tables, k.own_codes);
    k.trees = {};
    upcalls::routes_changed(k);
}

void Changes::switch_workload(Net& k, std::uint32_t workload, Turn behind)
{
    const Turn before = std::exchange(behind_[workload], behind);
    if (before < behind) upcalls::workload_begins(k, {workload, before, behind});
    if (before > behind) upcalls::workload_ends(k, {workload, behind, before});
}

}  // namespace anml::rt

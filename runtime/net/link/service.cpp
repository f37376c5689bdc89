// Links whose queue has a discipline: its two services, at admission and at the dequeue (net/queue/discipline.h).
#include <algorithm>
#include <cassert>

#include "net/link/shared_buffers.h"
#include "net/net.h"
#include "net/packet/flow.h"
#include "net/radio/air.h"

namespace anml::rt {

namespace {

// A link that is idle takes the next of those that wait for it.
template <class Own>
void send_next(Net& k, LinkId id, DisciplinedLink& link, Own& own)
{
    LinkQueue queue(k, k.waiting, k.now, id, link);
    const Waiting chosen = next(own.state, own.parameters, queue);
    if (chosen.packet == kNone) {
        if constexpr (HoldsBack<decltype(own.state)>) {
            if (link.packets != 0) k.expect(id, link, queue.asked_again());
        } else {
            assert(link.packets == 0);
        }
        return;
    }
    link.line.busy_until = k.now + droptail::transmission_time(chosen.bytes, link.line.rate, link.line.fraction,
                                                              link.line.busy_until >= k.now);
    if (SharedBuffers* const room = k.shared(id)) room->leave(id, chosen.bytes, link.line.busy_until);
    k.begin_transmission(k.links[id], id, k.packets[chosen.packet], chosen.packet, k.now, link.line.busy_until,
                         chosen.since);
    k.expect_end(id);
}

}  // namespace

void LinkQueue::drop(const Waiting& packet)
{
    if (SharedBuffers* const room = net_.shared(id_)) room->give_back(id_, packet.bytes);
    net_.refuse(id_, packet.packet);
}

bool LinkQueue::mark(const Waiting& packet)
{
    if (!ecn::mark(net_.packets[packet.packet])) return false;
    link_.marked += net_.measuring();
    return true;
}

const Packet& LinkQueue::packet(const Waiting& packet) const { return net_.packets[packet.packet]; }

FlowTables& LinkQueue::flows() { return net_.flows; }

const Model& LinkQueue::model() const { return net_.model; }

std::uint64_t LinkQueue::key() const
{
    constexpr std::uint64_t kBehindNodes = std::uint64_t{1} << 32;  // whose keys are those below
    return flow_key(net_.seed, kBehindNodes + id_);
}

LinkDraws LinkQueue::draws() { return {net_.seed, id_, link_.draws}; }

SharedBuffers* Net::shared(LinkId link) const
{
    if (!present(abi::RecordSchema::buffer)) return nullptr;
    SharedBuffers* const all = network.shared_buffers.get();
    return all && all->shared(link) ? all : nullptr;
}

Airs* Net::on_air(LinkId link) const
{
    if (!present(kRadios)) return nullptr;
    Airs* const all = network.airs.get();
    return all && all->shared(link) ? all : nullptr;
}

Waiting Net::take_next(LinkId id, LinkQueue& queue)
{
    Waiting chosen;
    network.disciplines.visit(id, *network.disciplines.of(id), [&](auto service, auto& own) {
        if constexpr (service == Service::dequeue) chosen = next(own.state, own.parameters, queue);
    });
    return chosen;
}

void Net::offer(LinkState& link, LinkId link_id, Packet& packet, PacketId id)
{
    DisciplinedLink& disciplined = *network.disciplines.of(link_id);
    SharedBuffers* const room = shared(link_id);
    const std::uint32_t bytes = packet.length + disciplined.line.known_overhead();
    if (room && !room->take(link_id, bytes, now, counters)) return refuse(link_id, id);
    const auto refused = [&] {
        if (room) room->give_back(link_id, bytes);
        refuse(link_id, id);
    };
    const auto decided = [&](const droptail::Admission& admission) {
        if (!admission.accepted) return refused();
        if (room) {
            room->keep(link_id, now, counters);
            room->leave(link_id, bytes, admission.departure);
        }
        begin_transmission(link, link_id, packet, id, admission.start, admission.departure, now);
    };
    Airs* const airs = on_air(link_id);
    if (disciplined.discipline == DisciplinedLink::kDroptail) {
        if (!airs) return decided(droptail::admit(disciplined.line, starts, packet.length, now));
        if (!airs->admit(*this, link_id, {id, bytes, now})) return refused();
        if (room) room->keep(link_id, now, counters);
        return airs->offered(*this, link_id);
    }
    network.disciplines.visit(link_id, disciplined, [&](auto service, auto& own) {
        if constexpr (service == Service::admission) {
            std::uint64_t marked = 0;
            Arrival arrival{disciplined.line, starts, packet, now, LinkDraws(seed, link_id, disciplined.draws), marked};
            const droptail::Admission admission = admit(own.state, own.parameters, arrival);
            if (measuring()) disciplined.marked += marked;
            decided(admission);
        } else {
            LinkQueue queue(*this, waiting, now, link_id, disciplined);
            const bool idle =
                disciplined.line.busy_until <= now && (disciplined.packets == 0 || HoldsBack<decltype(own.state)>);
            if (!admit(own.state, own.parameters, queue, {id, bytes, now})) return refused();
            if (room) room->keep(link_id, now, counters);
            if (airs)
                airs->offered(*this, link_id);
            else if (idle)
                send_next(*this, link_id, disciplined, own);
            else
                expect_end(link_id);
        }
    });
}

void Net::transmission_ended(LinkId id)
{
    DisciplinedLink& link = *network.disciplines.of(id);
    if (link.expected != now) return;
    link.expected = kNever;
    if (link.line.busy_until > now) return expect_end(id);
    network.disciplines.visit(id, link, [&](auto service, auto& own) {
        if constexpr (service == Service::dequeue) send_next(*this, id, link, own);
    });
}

// An event is pending only while packets wait. It may come too early, if the rate has fallen since, and then looks
// again; one that a higher rate made too late is not expected any more.
void Net::expect_end(LinkId id)
{
    if (on_air(id)) return;  // which asks itself
    DisciplinedLink* const link = network.disciplines.of(id);
    if (link && link->packets != 0) expect(id, *link, std::max(now, link->line.busy_until));
}

void Net::discipline_changed(LinkId id)
{
    DisciplinedLink* const link = network.disciplines.of(id);
    if (!link) return;
    network.disciplines.visit(id, *link, [&](auto service, auto& own) {
        if constexpr (service == Service::dequeue) {
            LinkQueue queue(*this, waiting, now, id, *link);
            if constexpr (requires { changed(own.state, own.parameters, queue); })
                changed(own.state, own.parameters, queue);
        }
    });
}

void Net::expect(LinkId id, DisciplinedLink& own, Time at)
{
    if (at >= own.expected) return;
    own.expected = at;
    schedule(own.near, at, timer_kind::transmitted, id);
}

void Net::lose_waiting(LinkId id)
{
    if (SharedBuffers* const room = shared(id)) room->clear(id);
    if (Airs* const airs = on_air(id)) airs->clear(*this, id);
    DisciplinedLink* const link = network.disciplines.of(id);
    if (!link) return;
    link->expected = kNever;
    network.disciplines.visit(id, *link, [&](auto service, auto& own) {
        if constexpr (service == Service::dequeue) {
            LinkQueue queue(*this, waiting, now, id, *link);
            const auto lost = [&](const Waiting& packet) { lose(id, packet.packet); };
            if constexpr (requires { lists(own.state); }) {
                for (WaitingList& list : lists(own.state))
                    while (!list.empty()) lost(queue.pop(list));
            } else {
                abandon(own.state, queue, lost);
            }
        }
        own.state = {};
    });
}

}  // namespace anml::rt

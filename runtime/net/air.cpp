#include "net/air.h"

#include <algorithm>
#include <cmath>

#include "abi/records.h"
#include "net/net.h"
#include "net/shared_buffers.h"

namespace anml::rt {

struct Airs::Port {
    struct Frame {
        Waiting packet;
        std::uint32_t tries = 0;  // that failed
        Time until = 0;           // the end of its part of the last transmission that it was in
        bool received = false;    // but one before it was not
    };
    LinkId link = 0;
    Cell* cell = nullptr;
    Contender* contender = nullptr;
    WaitingList queue;         // where it has no discipline
    std::deque<Frame> frames;  // taken from its queue
};

struct Airs::Contender {
    std::uint32_t stream = 0;  // of its random numbers
    std::map<LinkId, std::unique_ptr<Port>> ports;
    Port* current = nullptr;   // of the transmission that failed, which it repeats
    LinkId last = 0;           // that it has served
    bool wants = false;        // it has packets
    Time since = 0;            // for so long
    std::uint64_t slots = 0;   // of backoff, when the air is idle
    std::uint32_t window = 0;  // of the next backoff
    std::uint64_t draws = 0;
};

struct Airs::Cell {
    const abi::record::wifi* record = nullptr;
    NodeId node = 0;
    Time slot = 0, sifs = 0, preamble = 0, answer = 0, airtime = 0;
    std::uint64_t aifsn = 0, frames = 0, aggregate = 0, retries = 0;
    std::uint32_t cw_min = 0, cw_max = 0;
    double error = 0;
    std::map<std::uint32_t, Contender> contenders;  // by stream
    Time idle = 0;                                  // from when on slots count
    Time expected = kNever;                         // when somebody begins, for which an event is pending
    std::uint64_t errors = 0;                       // random numbers for them
    AirCounters counters;
};

Airs::Airs(const Model& model) : model_(model), ports_(model.image().directed_links)
{
    const abi::Image& image = model.image();
    cells_.resize(image.node_row_count);
    for (std::uint32_t row = 0; row < image.node_row_count; ++row)
        if (image.node_rows[row].radio != kNone) cells_[row].resize(image.node_rows[row].count);
}

Airs::~Airs() = default;

bool Airs::begin(LinkId link)
{
    const abi::Image& image = model_.image();
    const NodeId ends[] = {model_.near_end(link), model_.far_end(link)};
    const std::uint32_t rows[] = {model_.row_of(ends[0]), model_.row_of(ends[1])};
    int side = 0;
    const auto is_access_point = [&](int at) {
        return image.node_rows[rows[at]].radio != kNone && image.node_rows[rows[1 - at]].kind == abi::NodeKind::host;
    };
    while (side < 2 && !is_access_point(side)) ++side;
    if (side == 2) return false;
    const abi::NodeRow& row = image.node_rows[rows[side]];
    std::unique_ptr<Cell>& place = cells_[rows[side]][ends[side] - row.first_node];
    if (!place) {
        place = std::make_unique<Cell>();
        Cell& cell = *place;
        const auto& record = abi::row_of<abi::record::wifi>(image, row.radio);
        cell.node = cell.counters.node = ends[side];
        cell.slot = std::max<Time>(1, model_.time(record.slot));
        cell.sifs = model_.time(record.sifs);
        cell.aifsn = model_.integer(record.aifsn);
        cell.cw_min = static_cast<std::uint32_t>(model_.integer(record.cw_min));
        cell.cw_max = std::max(cell.cw_min, static_cast<std::uint32_t>(model_.integer(record.cw_max)));
        cell.preamble = model_.time(record.preamble);
        cell.answer = model_.time(record.answer);
        cell.airtime = model_.time(record.airtime);
        cell.frames = model_.integer(record.frames);
        cell.aggregate = model_.integer(record.aggregate);
        cell.retries = model_.integer(record.retries);
        cell.error = model_.value(record.error);
    }
    Cell& cell = *place;
    const std::uint32_t stream = side == 0 ? image.directed_links + cell.node : link;
    const auto [at, fresh] = cell.contenders.try_emplace(stream);
    Contender& contender = at->second;
    if (fresh) {
        contender.stream = stream;
        contender.window = cell.cw_min;
    }
    std::unique_ptr<Port>& port = contender.ports[link];
    port = std::make_unique<Port>();
    port->link = link;
    port->cell = &cell;
    port->contender = &contender;
    ports_[link] = port.get();
    return true;
}

bool Airs::admit(Net& k, LinkId link, const Waiting& packet)
{
    LinkQueue queue(k, k.waiting, k.now, link, *k.network.disciplines.of(link));
    if (!queue.has_room(packet.bytes)) return false;
    queue.push(port(link).queue, packet);
    return true;
}

void Airs::offered(Net& k, LinkId link)
{
    Port& of = port(link);
    contend(k, *of.cell, *of.contender);
    expect(k, *of.cell);
}

// Slots that the air has been idle for at `time`, begun ones included.
static std::uint64_t slots_at(Time idle, Time slot, Time time)
{
    return time <= idle ? 0 : static_cast<std::uint64_t>((time - idle + slot - 1) / slot);
}

Time Airs::start_of(const Cell& cell, const Contender& contender) const
{
    const std::uint64_t slots = std::max(contender.slots, slots_at(cell.idle, cell.slot, contender.since));
    return cell.idle + static_cast<Time>(slots) * cell.slot;
}

// It has packets now. Who had none, and whose last backoff is over, draws another one if the air is taken.
void Airs::contend(Net& k, Cell& cell, Contender& contender)
{
    if (contender.wants) return;
    contender.wants = true;
    contender.since = k.now;
    if (contender.slots == 0 && k.now < cell.idle) draw_backoff(k, contender);
}

void Airs::expect(Net& k, Cell& cell)
{
    Time first = kNever;
    for (const auto& [stream, contender] : cell.contenders)
        if (contender.wants) first = std::min(first, start_of(cell, contender));
    if (first >= cell.expected) return;
    cell.expected = first;
    k.schedule(cell.node, first, timer_kind::air, cell.node);
}

void Airs::draw_backoff(const Net& k, Contender& contender) const
{
    const double unit = Draws(k.seed, contender.stream, Purpose::air, 0, contender.draws++).unit();
    contender.slots = static_cast<std::uint64_t>(unit * (1.0 + contender.window));
}

bool Airs::has_any(Net& k, const Port& port) const
{
    return !port.frames.empty() || k.network.disciplines.of(port.link)->packets != 0;
}

// Takes a packet from the port's queue. False: there is none.
bool Airs::fetch(Net& k, Port& port)
{
    DisciplinedLink& link = *k.network.disciplines.of(port.link);
    if (link.packets == 0) return false;
    LinkQueue queue(k, k.waiting, k.now, port.link, link);
    Waiting packet;
    if (link.discipline == DisciplinedLink::kDroptail)
        packet = queue.pop(port.queue);
    else
        packet = k.take_next(port.link, queue);
    if (packet.packet == kNone) return false;
    port.frames.push_back({packet});
    return true;
}

// The port that failed, else the next one that has a packet: disciplines may drop all that wait. Null: none has.
Airs::Port* Airs::choose(Net& k, Contender& contender)
{
    if (contender.current && !contender.current->frames.empty()) return contender.current;
    contender.current = nullptr;
    const auto from = contender.ports.upper_bound(contender.last);
    const auto has = [&](Port& port) { return !port.frames.empty() || fetch(k, port); };
    for (auto at = from; at != contender.ports.end(); ++at)
        if (has(*at->second)) return at->second.get();
    for (auto at = contender.ports.begin(); at != from; ++at)
        if (has(*at->second)) return at->second.get();
    return nullptr;
}

// What a transmission of the port has, the first one in any case.
Airs::Sent Airs::gather(Net& k, const Cell& cell, Port& port)
{
    const double rate = k.network.line(port.link).rate;
    Sent sent;
    std::uint64_t bytes = 0, length = 0;
    for (std::size_t i = 0; i < cell.frames; ++i) {
        if (i == port.frames.size() && !fetch(k, port)) break;
        if (port.frames[i].received) {
            ++sent.frames;  // not sent, but within the window of the answer
            continue;
        }
        length = bytes + port.frames[i].packet.bytes;
        const Time duration = cell.preamble + droptail::transmission_time(static_cast<std::uint32_t>(length), rate);
        if (bytes != 0 && (length > cell.aggregate || duration > cell.airtime)) break;
        bytes = length;
        sent.duration = duration;
        ++sent.frames;
    }
    return sent;
}

// What becomes of the frames. Whether one was received.
bool Airs::receive(Net& k, Cell& cell, Port& port, const Sent& sent, bool alone)
{
    bool any = false;
    const double rate = k.network.line(port.link).rate;
    std::uint64_t repeated = 0, bytes = 0;
    for (std::uint32_t i = 0; i < sent.frames; ++i) {
        Port::Frame& frame = port.frames[i];
        if (frame.received) continue;
        bytes += frame.packet.bytes;
        frame.until = k.now + cell.preamble + droptail::transmission_time(static_cast<std::uint32_t>(bytes), rate);
        const bool wrong =
            !alone ||
            (cell.error > 0 &&
             Draws(k.seed, k.image.directed_links + cell.node, Purpose::air, 1, cell.errors++).unit() < cell.error);
        repeated += wrong;
        if (wrong)
            ++frame.tries;
        else
            any = frame.received = true;
    }
    if (k.measuring()) cell.counters.failed += repeated;
    return any;
}

// Frames leave in order: those that were received reach the far end, at the end of their part of the transmission or
// with the one that they waited for; those that failed too often are lost.
void Airs::settle(Net& k, Cell& cell, Port& port)
{
    SharedBuffers* const room = k.shared(port.link);
    const double rate = k.network.line(port.link).rate;
    Time end = k.now;
    while (!port.frames.empty() && (port.frames.front().received || port.frames.front().tries > cell.retries)) {
        const auto [packet, tries, until, received] = port.frames.front();
        port.frames.pop_front();
        end = std::max(end, until);
        if (!received) {
            if (room) room->give_back(port.link, packet.bytes);
            cell.counters.lost += k.measuring();
            k.drop(k.packets[packet.packet], packet.packet, Fate::lost);
            continue;
        }
        if (room) room->leave(port.link, packet.bytes, end);
        const Time start = until > k.now ? until - droptail::transmission_time(packet.bytes, rate) : end;
        k.begin_transmission(k.links[port.link], port.link, k.packets[packet.packet], packet.packet,
                             {true, std::max(start, k.now), end});
    }
}

void Airs::transmit(Net& k, NodeId access_point)
{
    const std::uint32_t row = k.model.row_of(access_point);
    Cell& cell = *cells_[row][access_point - k.image.node_rows[row].first_node];
    if (cell.expected != k.now) return;
    cell.expected = kNever;
    struct Begun {
        Contender* contender;
        Port* port;
        Sent sent;
    };
    std::vector<Begun> begun;
    for (auto& [stream, contender] : cell.contenders) {
        if (!contender.wants || start_of(cell, contender) != k.now) continue;
        Port* const port = choose(k, contender);
        if (port)
            begun.push_back({&contender, port, gather(k, cell, *port)});
        else
            contender.wants = false;  // its queues have dropped all
    }
    if (begun.empty()) return expect(k, cell);
    Time longest = 0;
    for (const Begun& one : begun) longest = std::max(longest, one.sent.duration);
    const Time end = k.now + longest;
    const std::uint64_t passed = slots_at(cell.idle, cell.slot, k.now);
    for (auto& [stream, contender] : cell.contenders) contender.slots -= std::min(contender.slots, passed);
    cell.idle = end + cell.sifs + cell.answer + cell.sifs + static_cast<Time>(cell.aifsn) * cell.slot;
    if (k.measuring()) {
        ++cell.counters.transmissions;
        cell.counters.collisions += begun.size() > 1;
        const Time taken = longest + cell.sifs + cell.answer;
        cell.counters.taken += taken;
        if (begun.size() > 1) cell.counters.collided += taken;
    }
    for (const Begun& one : begun) {
        Contender& contender = *one.contender;
        const bool received = receive(k, cell, *one.port, one.sent, begun.size() == 1);
        const std::size_t before = one.port->frames.size();
        settle(k, cell, *one.port);
        const bool over = received || one.port->frames.size() != before;
        contender.window = over ? cell.cw_min : std::min(2 * contender.window + 1, cell.cw_max);
        contender.current = over ? nullptr : one.port;
        contender.last = one.port->link;
        draw_backoff(k, contender);
        contender.wants = std::any_of(contender.ports.begin(), contender.ports.end(),
                                      [&](const auto& port) { return has_any(k, *port.second); });
        contender.since = k.now;
    }
    expect(k, cell);
}

void Airs::clear(Net& k, LinkId link)
{
    Port& of = port(link);
    LinkQueue queue(k, k.waiting, k.now, link, *k.network.disciplines.of(link));
    while (!of.queue.empty()) k.lose(link, queue.pop(of.queue).packet);
    for (const Port::Frame& frame : of.frames) k.lose(link, frame.packet.packet);
    of.frames.clear();
    Contender& contender = *of.contender;
    contender.wants = std::any_of(contender.ports.begin(), contender.ports.end(),
                                  [&](const auto& port) { return port.first != link && has_any(k, *port.second); });
}

std::vector<AirCounters> Airs::counters() const
{
    std::vector<AirCounters> all;
    for (const auto& row : cells_)
        for (const std::unique_ptr<Cell>& cell : row)
            if (cell) all.push_back(cell->counters);
    return all;
}

}  // namespace anml::rt

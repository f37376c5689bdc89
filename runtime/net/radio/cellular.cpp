#include "net/radio/cellular.h"

#include <algorithm>
#include <cmath>

#include "net/net.h"

namespace anml::rt {

struct CellularCell::Port : AirPort {
    struct Frame {
        Waiting packet;
        std::uint64_t end = 0;  // its last bit, of all that the port ever had
        bool lost = false;      // a block with some of it was repeated too often
    };
    struct Block {
        std::uint64_t from = 0, to = 0;  // bits
        std::uint64_t resources = 0;     // resource blocks
        std::uint64_t tries = 0;         // that failed
        bool over = false;               // received or given up; one before it is not
    };
    Port(CellularCell& cell, LinkId link, bool to_station) : AirPort(cell, link), down(to_station) {}

    const bool down;
    std::deque<Frame> frames;  // taken from its queue
    std::deque<Block> blocks;  // sent, and not all over
    std::uint64_t first = 0;   // number of the first of them
    std::uint64_t sent = 0;    // bits
    double credit = 0;         // of a bit that slots were too short for
    bool active = false;
    Time from = 0;              // when active: may be sent from then on
    std::uint64_t had = 0;      // resource blocks, in the measure of round robin
    double mean = 0;            // bits in a slot that it was given
    std::uint64_t mean_at = 0;  // the slot before which that holds
    double rank = 0;            // in this slot

    std::uint64_t tail() const { return frames.empty() ? sent : frames.back().end; }
};

CellularCell::CellularCell(const Model& model, NodeId access_point, std::uint32_t number) : AirCell(access_point)
{
    const auto& record = abi::row_of<abi::record::cellular>(model.image(), number);
    const auto slots = [&](abi::ValueId time) { return (model.time(time) + slot_ - 1) / slot_; };
    slot_ = std::max<Time>(1, model.time(record.slot));
    blocks_ = std::max<std::uint64_t>(1, model.integer(record.blocks));
    scheduler_ = record.scheduler;
    gain_ =
        std::min(1.0, static_cast<double>(slot_) / static_cast<double>(std::max<Time>(1, model.time(record.average))));
    error_ = model.value(record.error);
    harq_ = static_cast<std::uint64_t>(std::max<Time>(1, slots(record.harq)));
    retries_ = model.integer(record.retries);
    request_ = std::max<Time>(1, slots(record.request));
    grant_ = model.time(record.grant);
    counters.scheduled = true;
}

CellularCell::~CellularCell() = default;

AirPort& CellularCell::begin(LinkId link, bool down)
{
    std::unique_ptr<Port>& port = ports_[link];
    port = std::make_unique<Port>(*this, link, down);
    return *port;
}

Time CellularCell::boundary(Time time) const { return (time + slot_ - 1) / slot_ * slot_; }

// From when on the port's packets may be sent that come now, where it had none. Opportunities to ask for a grant are
// spread over the stations by their links' numbers.
Time CellularCell::may_send(const Port& port, Time now) const
{
    if (port.down) return now;
    const Time own = port.link / 2 % request_, slot = boundary(now) / slot_;
    return (slot + (own - slot % request_ + request_) % request_) * slot_ + grant_;
}

void CellularCell::offered(Net& k, AirPort& at)
{
    Port& port = static_cast<Port&>(at);
    if (!port.active) {
        port.active = true;
        port.from = may_send(port, k.now);
        directions_[port.down ? 0 : 1].active.push_back(&port);
    }
    expect(k, std::max(port.from, next_));
}

void CellularCell::expect(Net& k, Time at)
{
    at = boundary(at);
    if (at >= expected_) return;
    expected_ = at;
    k.schedule(node(), at, timer_kind::air, node());
}

void CellularCell::act(Net& k)
{
    if (expected_ != k.now) return;
    expected_ = kNever;
    next_ = k.now + slot_;
    serve(k, directions_[0], counters.taken_down);
    serve(k, directions_[1], counters.taken_up);
    for (const Direction& direction : directions_) {
        if (!direction.repeats.empty()) expect(k, static_cast<Time>(direction.repeats.front().slot) * slot_);
        for (const Port* port : direction.active) expect(k, std::max(port->from, next_));
    }
}

void CellularCell::serve(Net& k, Direction& direction, Time& taken)
{
    const auto slot = static_cast<std::uint64_t>(k.now / slot_);
    std::uint64_t left = blocks_;
    while (!direction.repeats.empty() && direction.repeats.front().slot <= slot) {
        const Repeat repeat = direction.repeats.front();
        direction.repeats.pop_front();
        Port& port = *repeat.port;
        if (repeat.block < port.first) continue;  // the link has failed since
        left -= port.blocks[repeat.block - port.first].resources;
        transmit(k, direction, port, repeat.block);
        deliver_frames(k, port);
    }
    rank(k, direction, slot);
    for (Port* const port : direction.active) {
        if (left == 0) break;
        if (port->from <= k.now) left -= send(k, direction, *port, left);
    }
    if (k.measuring()) taken += static_cast<Time>(blocks_ - left) * slot_ / static_cast<Time>(blocks_);
    std::erase_if(direction.active, [&](Port* port) {
        port->active = port->sent != port->tail() || waiting(k, *port);
        return !port->active;
    });
}

// Who is to be served first stands first.
void CellularCell::rank(const Net& k, Direction& direction, std::uint64_t slot)
{
    const bool fair = scheduler_ == abi::record::cellular::Scheduler::proportional_fair;
    for (Port* const port : direction.active) {
        if (!fair) {
            port->rank = -static_cast<double>(std::max(port->had, direction.had));
            continue;
        }
        port->mean *= std::pow(1 - gain_, static_cast<double>(slot - port->mean_at));
        port->mean_at = slot;
        port->rank = k.network.line(port->link).rate / port->mean;  // who had nothing goes before all
    }
    std::sort(direction.active.begin(), direction.active.end(),
              [](const Port* a, const Port* b) { return a->rank != b->rank ? a->rank > b->rank : a->link < b->link; });
}

// Takes packets from the port's queue until so many bits are to be sent. Whether any are.
bool CellularCell::fill(Net& k, Port& port, std::uint64_t bits)
{
    while (port.tail() - port.sent < bits) {
        const Waiting packet = take(k, port);
        if (packet.packet == kNone) break;
        port.frames.push_back({packet, port.tail() + 8 * std::uint64_t{packet.bytes}});
    }
    return port.tail() != port.sent;
}

// Gives the port resource blocks of those that are left; how many.
std::uint64_t CellularCell::send(Net& k, Direction& direction, Port& port, std::uint64_t left)
{
    constexpr double kRounding = 1e-9;  // of products
    const double rate = k.network.line(port.link).rate;
    const double each = rate * static_cast<double>(slot_) / 1e9 / static_cast<double>(blocks_);
    const auto room = [&](std::uint64_t resources) {
        return static_cast<std::uint64_t>(static_cast<double>(resources) * each + port.credit + kRounding);
    };
    if (!fill(k, port, std::max<std::uint64_t>(1, room(left)))) return 0;
    const std::uint64_t wanted = port.tail() - port.sent;
    const double needed = std::ceil((static_cast<double>(wanted) - port.credit) / each - kRounding);
    const std::uint64_t resources =
        needed >= static_cast<double>(left) ? left : static_cast<std::uint64_t>(std::max(1.0, needed));
    const std::uint64_t bits = std::min(wanted, room(resources));
    port.credit = bits == wanted
                      ? 0
                      : std::max(0.0, static_cast<double>(resources) * each + port.credit - static_cast<double>(bits));
    direction.had = std::max(direction.had, port.had);
    port.had = direction.had + resources;
    port.mean = (1 - gain_) * port.mean + gain_ * static_cast<double>(bits);
    ++port.mean_at;
    if (bits != 0) {
        port.blocks.push_back({port.sent, port.sent + bits, resources});
        port.sent += bits;
        transmit(k, direction, port, port.first + port.blocks.size() - 1);
        deliver_frames(k, port);
    }
    return resources;
}

void CellularCell::transmit(Net& k, Direction& direction, Port& port, std::uint64_t number)
{
    Port::Block& block = port.blocks[number - port.first];
    const std::uint32_t stream = k.image.directed_links + node();
    const bool wrong = error_ > 0 && Draws(k.seed, stream, Purpose::air, 1, errors_++).unit() < error_;
    if (k.measuring()) {
        ++counters.transmissions;
        counters.failed += wrong;
    }
    if (!wrong) {
        block.over = true;
    } else if (++block.tries <= retries_) {
        direction.repeats.push_back({static_cast<std::uint64_t>(k.now / slot_) + harq_, &port, number});
    } else {
        block.over = true;
        for (Port::Frame& frame : port.frames)
            frame.lost |= frame.end > block.from && frame.end - 8 * std::uint64_t{frame.packet.bytes} < block.to;
    }
}

// Packets leave in order, once all of their bits are there or given up.
void CellularCell::deliver_frames(Net& k, Port& port)
{
    while (!port.blocks.empty() && port.blocks.front().over) {
        while (!port.frames.empty() && port.frames.front().end <= port.blocks.front().to) {
            const Port::Frame frame = port.frames.front();
            port.frames.pop_front();
            if (frame.lost)
                give_up(k, port, frame.packet);
            else
                deliver(k, port, frame.packet, k.now, k.now + slot_);
        }
        port.blocks.pop_front();
        ++port.first;
    }
}

void CellularCell::clear(Net& k, AirPort& at)
{
    Port& port = static_cast<Port&>(at);
    lose_queue(k, port);
    for (const Port::Frame& frame : port.frames) k.lose(port.link, frame.packet.packet);
    port.sent = port.tail();
    port.frames.clear();
    port.first += port.blocks.size();
    port.blocks.clear();
    port.credit = 0;
    port.active = false;
    std::erase(directions_[port.down ? 0 : 1].active, &port);
}

}  // namespace anml::rt

// Receiving: payload into order, and the peer's FIN.
#include <algorithm>

#include "app/application.h"
#include "tcp/sequence.h"
#include "tcp/tcp.h"

namespace anml::rt::tcp {

namespace {

// Adds [begin, end) to the ranges; one that finds no place is forgotten, the peer will send it again.
void keep(Connection& c, std::uint32_t begin, std::uint32_t end)
{
    std::uint32_t first = 0;
    while (first < c.range_count && before(c.ranges[first].end, begin)) ++first;
    std::uint32_t last = first;  // [first, last) touch or overlap the new one
    while (last < c.range_count && !after(c.ranges[last].begin, end)) ++last;
    if (first == last) {
        if (c.range_count == Connection::kRanges) return;
        std::copy_backward(c.ranges + first, c.ranges + c.range_count, c.ranges + c.range_count + 1);
        c.ranges[first] = {begin, end};
        ++c.range_count;
        return;
    }
    if (before(begin, c.ranges[first].begin)) c.ranges[first].begin = begin;
    c.ranges[first].end = later(c.ranges[last - 1].end, end);
    std::copy(c.ranges + last, c.ranges + c.range_count, c.ranges + first + 1);
    c.range_count = static_cast<std::uint8_t>(c.range_count - (last - first - 1));
}

// Moves rcv_nxt over the ranges that it has reached.
void take_ranges(Connection& c)
{
    std::uint32_t taken = 0;
    for (; taken < c.range_count && !after(c.ranges[taken].begin, c.rcv_nxt); ++taken) {
        if (!after(c.ranges[taken].end, c.rcv_nxt)) continue;
        c.received += c.ranges[taken].end - c.rcv_nxt;
        c.rcv_nxt = c.ranges[taken].end;
    }
    if (taken == 0) return;
    std::copy(c.ranges + taken, c.ranges + c.range_count, c.ranges);
    c.range_count = static_cast<std::uint8_t>(c.range_count - taken);
}

// The peer's FIN is in order. False: the connection is gone.
bool finish(Cluster& k, std::uint32_t slot)
{
    Connection& c = k.tcp.connections[slot];
    c.fin_received = true;
    ++c.rcv_nxt;
    c.ack_pending = true;
    switch (c.state) {
        case State::established:
            c.state = State::close_wait;
            app::peer_closed(k, slot);
            return c.state != State::free;
        case State::fin_wait_1:
            c.state = State::closing;
            app::peer_closed(k, slot);
            return c.state != State::free;
        case State::fin_wait_2:
            send_ack(k, c);
            k.tcp.time_wait.insert({tuple(c), c.nxt, c.rcv_nxt, k.now + kTimeWait}, k.now);
            app::peer_closed(k, slot);
            release(k, slot);
            return false;
        default:
            return true;
    }
}

}  // namespace

void receive(Cluster& k, std::uint32_t slot, const Packet& packet)
{
    Connection& c = k.tcp.connections[slot];
    std::uint32_t begin = packet.sequence, end = begin + packet.payload;
    if (packet.payload > 0 && !c.fin_received) {
        c.ack_pending = true;
        std::uint32_t limit = c.rcv_nxt + c.receive_window;
        if (after(end, limit)) end = limit;
        if (after(begin, c.rcv_nxt)) {
            if (!c.in_order_only) keep(c, begin, end);
        } else if (after(end, c.rcv_nxt)) {
            std::uint32_t skip = c.rcv_nxt - begin, count = end - c.rcv_nxt;
            c.received += count;
            c.rcv_nxt = end;
            take_ranges(c);
            app::data(k, slot, packet, skip, count);
            if (c.state == State::free) return;
        }
    }
    if ((packet.tcp_flags & tcp_flag::fin) && !c.fin_received) {
        c.ack_pending = true;
        c.fin_seen = true;
        c.fin_sequence = packet.sequence + packet.payload;
    }
    if (c.fin_seen && !c.fin_received && c.rcv_nxt == c.fin_sequence && !finish(k, slot)) return;
    if (c.ack_pending) send_ack(k, c);
}

}  // namespace anml::rt::tcp

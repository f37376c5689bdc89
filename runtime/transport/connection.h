// A TCP connection: 256 bytes, and none of either stream. What is sent is a span of a content, or a queue of spans;
// what is received is counted, and shown to the application as it comes into order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt::tcp {

enum class State : std::uint8_t {
    free,
    syn_sent,
    syn_received,
    established,
    fin_wait_1,
    fin_wait_2,
    closing,
    close_wait,
    last_ack,  // TIME_WAIT is a record of its own (time_wait.h)
};

// Which application a connection belongs to: a number of those above, who give it one.
using Application = std::uint8_t;

// What the transport timer means when it expires: a time-out, the time to ask for a window or to forget a silent peer,
// or (adaptive recovery) to probe for the loss of what was sent last, or to give up waiting for what was overtaken; to
// ask whether an idle peer is there, or the application what goes with the SYN.
enum class Timer : std::uint8_t { none, retransmit, persist, idle, probe, reorder, keep_alive, fast_open };

// A timer is lazy: `deadline` moves freely, an event is pending at `armed` (kNever: none), which is never later than
// the deadline. An event that finds a later deadline goes to sleep again, so that a connection whose deadline moves
// with every segment costs one event per time-out, not one per segment. An event whose time is not `armed` was
// overtaken by an earlier one.
struct LazyTimer {
    Time deadline = kNever;
    Time armed = kNever;
};

struct alignas(64) Connection {
    NodeId node = 0;
    LinkId link = 0;  // towards the peer
    Address local = Address::none, remote = Address::none;
    std::uint16_t local_port = 0, remote_port = 0;
    State state = State::free;
    Application app = 0;
    Timer timer = Timer::none;
    std::uint8_t attempts = 0;     // time-outs in a row without progress
    std::uint32_t generation = 0;  // of the slot: tells its connections apart
    union {
        std::uint32_t next_free = 0;  // of a free one: slot + 1, of the node's free slots
        std::uint32_t law_state;      // else what law and pacing keep: index in Stack::law_states, or kNone
    };
    std::uint32_t settings = 0;   // index in Stack::settings
    std::uint32_t owner = kNone;  // its index of what the connection is for; kNone: nobody cares any more
    LazyTimer transport, application;
    // Of acknowledgments that wait: when the last data came, and as long as one waits (0: none has come).
    LazyTimer acknowledgment = {.deadline = 0};

    // Sender. [una, max) is unacknowledged, nxt what is sent next; after a time-out nxt goes back to una.
    std::uint32_t una = 0, nxt = 0, max = 0;
    std::uint32_t window = 0, window_sequence = 0;  // SND.WND, WL1; no WL2: SND.UNA is never behind it
    std::uint32_t cwnd = 0, ssthresh = 0, recover = 0;
    // How far the window was used, until una reaches used_until (congestion.h).
    std::uint32_t used = 0, used_until = 0;
    std::uint32_t content = 0;         // of the one span; with `queued` the index in Stack::span_queues
    std::uint32_t scoreboard = kNone;  // index in Stack::scoreboards: what is known of what is not acknowledged
    // The stream's end so far, and where una lies. Of one span they count from its content's beginning.
    std::uint64_t length = 0, acknowledged = 0;
    // When the segment that ends at timed_sequence was sent, microseconds modulo 2^32, or one after it again; of a
    // probe, its timestamp.
    std::uint32_t timed_at = 0, timed_sequence = 0;
    // Of the round trip in microseconds (rto.h): 8 times its mean, 4 times its deviation, what the time-out adds to the
    // mean, the largest deviation since una was before round_end, the least.
    std::uint32_t srtt = 0, deviation = 0, variation = 0, largest_deviation = 0, round_end = 0;
    std::uint32_t least_rtt = 0xffffffff;
    std::uint32_t rto = 0;  // the time-out, microseconds
    std::uint16_t mss = 0;  // payload of a full segment
    std::uint8_t duplicates = 0;
    std::uint8_t reorder_steps : 5 =
        0;                     // 0: no segment has overtaken another; n: quarters of a round trip to wait for one
    std::uint8_t law : 3 = 0;  // abi::Congestion

    // What few connections have, or are in: side by side, so that one comparison tells that there is nothing of it.
    bool recovering : 1 = false;  // fast recovery
    bool fin_acked : 1 = false;
    bool probing : 1 = false;     // the last segment was sent once more, at timed_at, and nothing has come since
    bool ecn : 1 = false;         // agreed on: the law's state has an Echo
    bool fin_seen : 1 = false;    // the peer's
    bool beyond : 1 = false;      // something of a segment lies beyond the connection: it is queued, or paced
    bool refills : 1 = false;     // the application has more to send, and waits until less is unsent
    bool slow : 1 = false;        // the application reads at a rate: the law's state has a Reading
    bool keep_alive : 1 = false;  // a setting
    bool unusual() const
    {
        return recovering || fin_acked || probing || ecn || fin_seen || beyond || refills || slow || keep_alive;
    }
    bool timing : 1 = false;        // a segment is being timed
    bool measured : 1 = false;      // srtt and deviation hold
    bool syn_repeated : 1 = false;  // a SYN or SYN/ACK was retransmitted
    bool partial_seen : 1 = false;  // the first partial acknowledgment restarted the timer
    bool fin_queued : 1 = false;    // a FIN follows the content
    bool ack_pending : 1 = false;   // something received is still to be acknowledged
    bool fin_received : 1 = false;  // in order: the peer sends no more
    bool reads : 1 = false;  // the application is shown all that comes, in order: what is out of order is held for it
    // Offered, then agreed on.
    bool sack : 1 = false;
    bool timestamps : 1 = false;
    bool scaling : 1 = false;
    // Settings that every acknowledgment asks for.
    bool adaptive : 1 = false;
    bool byte_counting : 1 = false;
    bool nagle : 1 = false;   // the law's state has a Nagle
    bool echo : 1 = false;    // of the receiver: its acknowledgments say that there is congestion
    bool pacing : 1 = false;  // of the sender
    bool queued : 1 = false;  // more than one span, or real bytes
    // Fast Open: the handshake is not done, and una lies behind the SYN. Of a client that has data for it (SYN_SENT),
    // or of a server that has taken it: ESTABLISHED, but its SYN/ACK is not acknowledged.
    bool early : 1 = false;
    bool narrow : 1 = false;  // the law's state has the widest window, in which two segments have no room
    // It answered data soon after it came: acknowledgments wait for the next answer (Linux's "pingpong").
    bool interactive : 1 = false;

    // Receiver. Of its round trip: rcv_nxt and the time when it began, how long one takes, both in eighths of a
    // millisecond, the last echo that told; the most that came in one, and what receive_window may grow to by that, as
    // a window field.
    std::uint32_t rcv_nxt = 0;
    std::uint32_t receive_window = 65535;  // bytes that may arrive from rcv_nxt on
    union {
        std::uint32_t round_sequence = 0;
        std::uint32_t fin_sequence;  // of the peer's FIN, where fin_seen: nothing is measured any more
    };
    std::uint32_t round_bytes = 0;
    std::uint32_t out_of_order = kNone;  // index in Stack::out_of_order: received, all after rcv_nxt
    std::uint64_t received = 0;          // payload bytes in order
    std::uint32_t last_ack_sent = 0;     // Last.ACK.sent
    std::uint32_t ts_recent = 0;         // TS.Recent
    std::uint16_t round_stamp = 0, round_time = 0;
    std::uint16_t window_limit = 0xffff;
    std::uint16_t largest_segment = 0;   // of its payloads
    std::uint8_t receive_shift : 4 = 0;  // of its segments' window field
    std::uint8_t send_shift : 4 = 0;     // of the peer's
    std::uint8_t quick_acks = 0;         // acknowledgments that will not wait
    std::uint8_t round_echo = 0;
    std::uint8_t traffic_class = 0;  // of its packets

    // What the application keeps of it, in a form of its own, which begins as zeros.
    alignas(4) std::byte kept[12] = {};
    template <class T>
    T& of_application()
    {
        static_assert(sizeof(T) <= sizeof kept && alignof(T) <= 4 && std::is_trivially_copyable_v<T>);
        return *std::launder(reinterpret_cast<T*>(kept));
    }
    template <class T>
    const T& of_application() const
    {
        return const_cast<Connection&>(*this).of_application<T>();
    }

    // Stream offset of the byte with this sequence number, which is in [una, end_sequence()].
    std::uint64_t offset(std::uint32_t sequence) const { return acknowledged + (sequence - una); }
    bool all_acknowledged() const { return acknowledged == length; }
};
static_assert(sizeof(Connection) <= 256);

}  // namespace anml::rt::tcp

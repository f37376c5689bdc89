// What a network counts. Everything under "measured" covers the window [begin, end) only; `total_*` covers the whole
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/time.h"

namespace anml::rt {

struct FluidCounters {             // of a directed link that has fluid, measured
    double offered = 0, lost = 0;  // bytes
    double carried = 0;            // bytes transmitted
    double time = 0;               // ns in which they were

    void remove(const FluidCounters& earlier)
    {
        offered -= earlier.offered;
        lost -= earlier.lost;
        carried -= earlier.carried;
        time -= earlier.time;
    }
};

struct LinkCounters {  // of a directed link, measured
    LinkId link = 0;
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;  // IP bytes admitted; without what a failure of the link took from the queue, as `packets`
    std::uint64_t dropped = 0;     // by the queue
    std::uint64_t marked = 0;      // by the queue: there is congestion (RFC 3168)
    double queue_delay = 0;        // ns that those of `packets` waited until their transmission began, all of them
    Time longest_queue_delay = 0;  // the most that one did
    std::optional<Time> transmitting{};  // of what was admitted, where the timeline changes the link
    Time carried = 0;  // transmission time that the window took over from before it, less what it left over
    // What an impaired link did to them.
    std::uint64_t lost = 0;
    std::uint64_t corrupted = 0;
    std::uint64_t duplicated = 0;
    std::uint64_t reordered = 0;  // arrived before one that was sent earlier
    std::optional<FluidCounters> fluid{};

    // What was counted since it was like that, but for the longest delay, which stays.
    void remove(const LinkCounters& earlier)
    {
        packets -= earlier.packets;
        bytes -= earlier.bytes;
        dropped -= earlier.dropped;
        marked -= earlier.marked;
        queue_delay -= earlier.queue_delay;
        if (transmitting) *transmitting -= earlier.transmitting.value_or(0);
        carried -= earlier.carried;
        lost -= earlier.lost;
        corrupted -= earlier.corrupted;
        duplicated -= earlier.duplicated;
        reordered -= earlier.reordered;
        if (fluid) fluid->remove(earlier.fluid.value_or(FluidCounters{}));
    }
};

struct ChangingLinkCounters {  // of a link that the timeline changes, both directions
    LinkId link = 0;           // direction 0
    std::uint64_t lost = 0;    // packets that were on it when it went down, or were to take it while it was; measured
    Time down = 0;             // whole run
};

struct BackEndCounters {  // of a node that a load balancer sends connections to, measured
    NodeId node = 0;
    std::vector<std::pair<std::string_view, std::uint64_t>> figures{};
};

struct MiddleboxCounters {  // of a router that is one, measured
    NodeId node = 0;
    std::uint32_t schema = 0;  // abi::RecordSchema
    std::vector<std::pair<std::string_view, std::uint64_t>> figures{};
    std::vector<BackEndCounters> back_ends{};
};

struct BufferCounters {  // of a router or switch whose links share one, measured; bytes
    NodeId node = 0;
    std::uint64_t capacity = 0;
    std::uint64_t highest = 0;  // the most that was in it
    std::uint64_t dropped = 0;  // packets for which there was no room, or more of their port than the threshold
};

struct AirCounters {  // of an access point, measured
    NodeId node = 0;
    bool scheduled = false;           // it is a cell of net/cellular.h
    std::uint64_t transmissions = 0;  // in the air at once counts once; where it is scheduled of transport blocks
    std::uint64_t failed = 0;         // packets, or transport blocks, that were not received, each time
    std::uint64_t lost = 0;           // packets that were repeated too often
    // Of cells whose stations contend.
    std::uint64_t collisions = 0;  // of transmissions
    Time taken = 0;                // by transmissions with their answers
    Time collided = 0;             // of that
    // Of scheduled ones: slots, by the share of their resource blocks.
    Time taken_down = 0, taken_up = 0;
};

struct NetCounters {
    Time begin = 0;  // of the measured window
    Time end = 0;

    // measured
    std::uint64_t packets_sent = 0;       // originated by virtual nodes or entered from real hosts
    std::uint64_t packets_delivered = 0;  // reached the node they were addressed to
    std::uint64_t dropped_queue = 0;
    std::uint64_t dropped_ttl = 0;
    std::uint64_t dropped_mtu = 0;           // above the next link's MTU
    std::uint64_t dropped_unfragmented = 0;  // of those, what a router would have sent on in fragments: by switches
    std::uint64_t dropped_no_route = 0;
    std::uint64_t dropped_link = 0;        // the link was down, or went down
    std::uint64_t dropped_malformed = 0;   // not understood by the node it reached
    std::uint64_t dropped_lost = 0;        // by an impaired link
    std::uint64_t dropped_corrupted = 0;   // their checksum was wrong where they arrived
    std::uint64_t dropped_processing = 0;  // too many waited for a node's processor
    std::uint64_t dropped_middlebox = 0;   // a middlebox lets them not pass
    std::uint64_t icmp_withheld = 0;       // ICMP errors that a node's limits forbade, which are no packets
    // Packets that were cut, and what became of them, which are packets of their own.
    std::uint64_t fragmented = 0;
    std::uint64_t fragments = 0;
    // Datagrams of which fragments have reached their node.
    std::uint64_t reassembled = 0;
    std::uint64_t reassembly_timed_out = 0;
    std::uint64_t reassembly_no_room = 0;    // given up for later ones
    std::uint64_t reassembly_discarded = 0;  // fragments overlap, or together they are no packet

    // whole run
    std::uint64_t total_packet_hops = 0;  // packets that links took, without what failures took from their queues
    std::uint64_t total_events = 0;

    bool in_window(Time t) const { return t >= begin && t < end; }

    void add(const NetCounters& other)
    {
        packets_sent += other.packets_sent;
        packets_delivered += other.packets_delivered;
        dropped_queue += other.dropped_queue;
        dropped_ttl += other.dropped_ttl;
        dropped_mtu += other.dropped_mtu;
        dropped_unfragmented += other.dropped_unfragmented;
        dropped_no_route += other.dropped_no_route;
        dropped_link += other.dropped_link;
        dropped_malformed += other.dropped_malformed;
        dropped_lost += other.dropped_lost;
        dropped_corrupted += other.dropped_corrupted;
        dropped_processing += other.dropped_processing;
        dropped_middlebox += other.dropped_middlebox;
        icmp_withheld += other.icmp_withheld;
        fragmented += other.fragmented;
        fragments += other.fragments;
        reassembled += other.reassembled;
        reassembly_timed_out += other.reassembly_timed_out;
        reassembly_no_room += other.reassembly_no_room;
        reassembly_discarded += other.reassembly_discarded;
        total_packet_hops += other.total_packet_hops;
        total_events += other.total_events;
    }
};

}  // namespace anml::rt

// What a network counts. Everything under "measured" covers the window [begin, end) only; `total_*` covers the whole
// run.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/boxed.h"
#include "base/fields.h"
#include "base/ids.h"
#include "base/time.h"
#include "common/result_figures.h"

namespace anml::rt {

struct FluidCounters {             // of a directed link that has fluid, measured
    double offered = 0, lost = 0;  // bytes
    double carried = 0;            // bytes transmitted
    double time = 0;               // ns in which they were
};
ANML_FIELDS(FluidCounters, offered, lost, carried, time)

struct RareLinkCounters {
    std::uint64_t marked = 0;            // by the queue: there is congestion (RFC 3168)
    std::optional<Time> transmitting{};  // of what was admitted, where the timeline changes the link
    ANML_COUNTED(ANML_IMPAIRMENT_FIGURES)  // what an impaired link did to them
    std::optional<FluidCounters> fluid{};
};
ANML_FIELDS(RareLinkCounters, marked, transmitting, ANML_COUNTED_NAMES(ANML_IMPAIRMENT_FIGURES) fluid)

struct LinkCounters {  // of a directed link, measured
    LinkId link = 0;
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;  // IP bytes admitted; without what a failure of the link took from the queue, as `packets`
    std::uint64_t dropped = 0;     // by the queue
    double queue_delay = 0;        // ns that those of `packets` waited until their transmission began, all of them
    Highest<Time> longest_queue_delay;  // the most that one did
    Time carried = 0;  // transmission time that the window took over from before it, less what it left over
    Boxed<RareLinkCounters> rare;

    void remove(const LinkCounters& earlier);
};
ANML_FIELDS(LinkCounters, link, packets, bytes, dropped, queue_delay, longest_queue_delay, carried, rare)
inline void LinkCounters::remove(const LinkCounters& earlier)
{
    const LinkId same = link;
    each_field(*this, earlier, take_off);
    link = same;
}

struct ChangingLinkCounters {  // of a link that the timeline changes, both directions
    LinkId link = 0;           // direction 0
    std::uint64_t lost = 0;    // packets that were on it when it went down, or were to take it while it was; measured
    Time down = 0;             // whole run
};
ANML_FIELDS(ChangingLinkCounters, link, lost, down)

struct BackEndCounters {  // of a node that a load balancer sends connections to, measured
    NodeId node = 0;
    std::vector<std::pair<std::string_view, std::uint64_t>> figures{};
};
ANML_FIELDS(BackEndCounters, node, figures)

struct MiddleboxCounters {  // of a router that is one, measured
    NodeId node = 0;
    std::uint32_t schema = 0;  // abi::RecordSchema
    std::vector<std::pair<std::string_view, std::uint64_t>> figures{};
    std::vector<BackEndCounters> back_ends{};
};
ANML_FIELDS(MiddleboxCounters, node, schema, figures, back_ends)

struct BufferCounters {  // of a router or switch whose links share one, measured
    ANML_COUNTED(ANML_BUFFER_FIGURES)
    NodeId node = 0;
};
ANML_FIELDS(BufferCounters, ANML_COUNTED_NAMES(ANML_BUFFER_FIGURES) node)

struct AirCounters {  // of an access point, measured
    NodeId node = 0;
    bool scheduled = false;           // it is a cell of net/radio/cellular.h
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
ANML_FIELDS(AirCounters, node, scheduled, transmissions, failed, lost, collisions, taken, collided, taken_down, taken_up)

struct DropCounters {  // packets, by cause
    ANML_COUNTED(ANML_DROP_FIGURES)
    std::uint64_t unfragmented = 0;  // of `mtu`, what a router would have sent on in fragments: by switches

    std::uint64_t sum() const
    {
#define ANML_PLUS(key, ...) +key
        return ANML_DROP_FIGURES(ANML_PLUS, ANML_NOTHING, ANML_NOTHING);
#undef ANML_PLUS
    }
};
ANML_FIELDS(DropCounters, ANML_COUNTED_NAMES(ANML_DROP_FIGURES) unfragmented)

struct NetCounters {
    Time begin = 0;  // of the measured window
    Time end = 0;

    // measured
    std::uint64_t packets_sent = 0;       // originated by virtual nodes or entered from real hosts
    std::uint64_t packets_delivered = 0;  // reached the node they were addressed to
    DropCounters dropped;
    std::uint64_t icmp_withheld = 0;       // ICMP errors that a node's limits forbade, which are no packets
    // Packets that were cut, and what became of them, which are packets of their own.
    std::uint64_t fragmented = 0;
    std::uint64_t fragments = 0;
    // Datagrams of which fragments have reached their node.
    std::uint64_t reassembled = 0;
    std::uint64_t reassembly_timed_out = 0;
    std::uint64_t reassembly_no_room = 0;    // of which the first fragment found none
    std::uint64_t reassembly_discarded = 0;  // fragments overlap, or together they are no packet

    // whole run
    std::uint64_t total_packet_hops = 0;  // packets that links took, without what failures took from their queues
    std::uint64_t total_events = 0;

    bool in_window(Time t) const { return t >= begin && t < end; }

    void add(const NetCounters& other);  // of the same window
};
ANML_FIELDS(NetCounters, begin, end, packets_sent, packets_delivered, dropped, icmp_withheld, fragmented, fragments, reassembled, reassembly_timed_out,
            reassembly_no_room, reassembly_discarded, total_packet_hops, total_events)
inline void NetCounters::add(const NetCounters& other)
{
    const auto window = std::pair(begin, end);
    each_field(*this, other, add_up);
    std::tie(begin, end) = window;
}

}  // namespace anml::rt

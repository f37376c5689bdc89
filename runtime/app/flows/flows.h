// Flows: TCP connections that hosts open at times that are drawn, each to carry a size one way and close.
//
// A flow begins with its SYN, however long those before it take; where a host may have so many at a time only, further
// ones wait in line, and begin late. It is complete when its receiver has the last byte and the FIN that comes with it:
// there and then it counts, with its completion time and its slow-down (lone_flow.h). When it began the receiver reads
// in the stream: that is the offset of its first byte in the flow's content, modulo 19.5 hours, longer than any lasts.
// What the receiver is not known to have when the sender gives up has failed, and counts where the sender is. A real
// host does not tell when it has the last byte: then the sender counts, when that is acknowledged and the other has
// closed, too.
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "base/ids.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct FlowSource {              // a host
    NodeId node = 0, peer = 0;   // peer: of a pairing that stays
    std::uint32_t workload = 0;  // row
    Time next = kNever;          // arrival, while that is waited for
    double left = 0;             // of an interval, while the load is 0, ns
    std::uint64_t arrivals = 0;
    std::uint64_t begun = 0;      // flows
    std::uint64_t delivered = 0;  // bytes that were acknowledged, measured
    std::uint32_t under_way = 0;
    std::uint32_t first_due = kNone, last_due = kNone;  // those that wait, by Flows::flows
    std::uint32_t own = kNone;                          // its place among the peers; kNone: it is none of them
    std::uint32_t intervals = 0, amounts = 0;           // its first words in Cluster::sampler_states
    bool dormant = false;                               // its next arrival waits until the workload is switched on
};

struct FlowRecord {
    Time at = 0;               // of the SYN; while it waits, since when
    std::uint64_t number = 0;  // of the source's
    std::uint32_t source = 0;
    NodeId peer = 0;
    std::uint16_t port = 0;      // its own
    std::uint32_t next = kNone;  // behind it in its source's line; of one that is free, any other
    bool open = false;
};

struct FlowPeers {
    struct Range {
        NodeId first = 0;
        std::uint32_t count = 0, before = 0;  // before: peers of earlier ranges
    };
    // Of a pairing that draws or turns, each peer once, in their order; empty: the pairing stays.
    std::vector<Range> ranges;
    std::vector<std::uint32_t> by_node;  // ranges by their first nodes
    std::uint32_t count = 0;             // of peers
    double load = 1;                     // that the timeline says: so many times as often as declared
};

struct Flows {
    std::vector<FlowSource> sources;  // by workload, then by target
    std::vector<FlowRecord> flows;    // grows to the most that ever are at a time
    std::uint32_t free_flow = kNone;
    std::vector<FlowPeers> peers;  // by workload
};

namespace flows {

using namespace otherwise;
using Row = abi::record::flows;
using State = Flows;
inline constexpr FigureKind kFigureKind = FigureKind::flows;
inline Rhythm rhythm(const Row& row) { return {&row.interval, abi::kNone, false}; }

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t which, std::uint32_t source, Time at);
void resume(Cluster& k, const Hosts& hosts);
void change_pace(Cluster& k, std::uint32_t workload, double load);

// Connections of senders.
void established(Cluster& k, std::uint32_t slot);
void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes);
void arrived(Cluster& k, std::uint32_t slot, std::uint32_t bytes);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace flows

// Receives them, and what else comes to their port.
namespace flow_sink {

using namespace otherwise;
using Row = abi::record::flows;

bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner);
void accepted(Cluster& k, std::uint32_t slot);
void read(Cluster& k, std::uint32_t slot, const tcp::Piece& piece);
void peer_closed(Cluster& k, std::uint32_t slot);
void collect(const Cluster& k, AppStatistics& all, Time now);
// One is complete that took so long; `bytes` 0: a real host has it, which tells no more. `slowdown` 0: not known.
void count_flow(Cluster& k, std::uint32_t workload, Time took, std::uint64_t bytes, double slowdown);

}  // namespace flow_sink
}  // namespace app
}  // namespace anml::rt

// Bulk transfer: hosts that send as fast as TCP lets them, and sinks that read everything.
//
// A transfer begins with its SYN: unanswered for connect_timeout, or as long as TCP repeats it, it is abandoned and
// counts as failed. One of a size, which is drawn, ends when the peer has closed behind all of it; one without never
// does. What has arrived at the peer is delivered (streams.h). After a transfer comes the think time, and after
// refusals in a row a growing pause (outcome.h).
#pragma once

#include <cstdint>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct BulkSender {
    Time started = 0;             // of the current transfer
    Time due = kNever;            // when the next one begins, while it is waited for
    std::uint64_t delivered = 0;  // bytes that were acknowledged, measured
    NodeId node = 0;
    Address destination = Address::none;
    std::uint32_t workload = 0;   // row
    std::uint32_t transfers = 0;  // begun
    std::uint32_t state = 0;      // of its think times: the first word in Cluster::sampler_states
    std::uint32_t amounts = 0;    // the same of its transfers' sizes
    std::uint32_t refusals = 0;   // in a row (outcome.h)
    bool open = false;            // a transfer that is to end is under way
    bool dormant = false;         // its next one waits until the workload is switched on
};

namespace bulk {

using namespace otherwise;
using Row = abi::record::bulk;
using State = std::vector<BulkSender>;
inline constexpr FigureKind kFigureKind = FigureKind::flows;
inline Rhythm rhythm(const Row& row) { return {&row.think}; }

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
void timer(Cluster& k, std::uint32_t which, std::uint32_t sender, Time at);  // its next one begins
void resume(Cluster& k, const Hosts& hosts);                                 // it is switched on: those that wait begin
void stop(Cluster& k, const Hosts& hosts);  // it is switched off: transfers without an end are broken off

// Its connections.
void established(Cluster& k, std::uint32_t slot);
void acknowledged(Cluster& k, std::uint32_t slot, std::uint64_t bytes);
void arrived(Cluster& k, std::uint32_t slot, std::uint32_t bytes);
void peer_closed(Cluster& k, std::uint32_t slot);
void failed(Cluster& k, std::uint32_t slot, tcp::Failure failure);
void connection_timer(Cluster& k, std::uint32_t slot);
void collect(const Cluster& k, AppStatistics& all, Time now);

}  // namespace bulk

// It reads everything.
namespace bulk_sink {

using namespace otherwise;
using Row = abi::record::bulk;

bool listens(const Cluster& k, NodeId node, std::uint16_t port, std::uint32_t& owner);
void peer_closed(Cluster& k, std::uint32_t slot);

}  // namespace bulk_sink
}  // namespace app
}  // namespace anml::rt

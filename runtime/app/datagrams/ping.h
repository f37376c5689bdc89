// Ping: hosts that send ICMP echo requests (RFC 792) at equal or drawn intervals and wait for the replies of virtual or
// real hosts.
//
// Request n leaves at the first one's time plus n intervals, where these are equal. A request ends once: by its reply,
// with an ICMP error about it, or unanswered after `timeout`, which is lost; it counts when it ends. A reply after that
// is late, a second one a duplicate. What is known of the last requests is kept in a ring with room for all that are
// unanswered.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "abi/records.h"
#include "app/application.h"
#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

namespace app {

struct PingSender {
    Time first = 0;  // when request 0 is sent; where intervals are drawn, the next one
    std::uint64_t sent = 0;
    std::uint64_t timed = 0;  // requests whose time is up
    NodeId node = 0;
    LinkId link = 0;  // towards the peer; kNone: there is no way
    Address source = Address::none, destination = Address::none;
    std::uint32_t workload = 0;  // row
    std::uint32_t drawn = 0;     // of the cluster's sampler states
    bool dormant = false;        // its next one waits until the workload is switched on
    std::vector<Time> requests;  // by number, modulo the size: when it was sent, or how it ended
};

struct PingSenders {
    std::vector<PingSender> list;                              // by workload, then by target
    std::unordered_map<std::uint64_t, std::uint32_t> indices;  // by node and identifier
};

namespace ping {

using namespace otherwise;
using Row = abi::record::ping;
using State = PingSenders;
inline constexpr FigureKind kFigureKind = FigureKind::echoes;
inline Rhythm rhythm(const Row& row) { return open_rhythm(row.interval); }

void start(Cluster& k, NodeId node, NodeId peer, std::uint32_t workload, Time first);
// 0: its next request is due; 1: the time of its oldest request is up.
void timer(Cluster& k, std::uint32_t which, std::uint32_t sender, Time at);
// The workload is switched on: all begin again (phase.h), and go on at its intervals.
void resume(Cluster& k, const Hosts& hosts);
void routes_changed(Cluster& k);

void reply(Cluster& k, NodeId node, const Packet& packet);
// An ICMP error of that type about a request that the node sent.
void error(Cluster& k, NodeId node, const Packet& request, std::uint8_t type);

}  // namespace ping
}  // namespace app
}  // namespace anml::rt

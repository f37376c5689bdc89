// To whom the flows of a workload go: FlowPairing of the library.
#pragma once

#include <cstdint>

#include "net/packet/packet.h"

namespace anml::rt {

struct Cluster;

namespace app {

struct FlowPeers;
struct FlowSource;

namespace flow_peers {

FlowPeers& of(Cluster& k, std::uint32_t workload);
// Where the host stands among them; kNone: it does not, or that does not matter.
std::uint32_t place(Cluster& k, std::uint32_t workload, NodeId host);
// How many flows each arrival is: to one peer, or to all others.
std::uint64_t at_once(Cluster& k, const FlowSource& source);
// Of the source's flow of that number, where an arrival is one at least.
NodeId choose(Cluster& k, const FlowSource& source, std::uint64_t flow);

}  // namespace flow_peers
}  // namespace app
}  // namespace anml::rt

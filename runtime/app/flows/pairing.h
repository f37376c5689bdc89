// Which peer each host of a workload talks to: abi::Pairing.
#pragma once

#include <cstdint>
#include <functional>

#include "net/packet/packet.h"

namespace anml::rt {

class Model;

namespace app {

// Calls `talks(host, peer)` for each host of the workload, in the order of its targets. Depends on the seed alone.
void each_pair(const Model& model, std::uint64_t seed, std::uint32_t workload,
               const std::function<void(NodeId host, NodeId peer)>& talks);

// Whom a host of a web workload asks.
NodeId server_of(const Model& model, std::uint64_t seed, std::uint32_t workload, NodeId host);

// Whether the workload has the node among its peers.
bool has_peer(const Model& model, std::uint32_t workload, NodeId node);

}  // namespace app
}  // namespace anml::rt

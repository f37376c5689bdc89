// Which hosts of a workload talk to which of its peers, by pairs that stand for all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "elaborate/network.h"

namespace anml {

// `count` hosts of a workload, alike, that talk to peers that are alike; both ends by the first of them.
struct WorkloadPair {
    NodeRowId host_row, peer_row;
    std::uint32_t host = 0, peer = 0;    // elements
    double count = 1;                    // hosts; a share of them where they talk to several peers
    std::uint32_t hosts = 1, peers = 1;  // elements that the pair stands for, and shares its packets among
    bool own = false;                    // the hosts are the peers, and `peer` is the second of them
};

// How many elements of a row from this one on are alike, itself included.
using Alike = std::function<std::uint32_t(NodeRowId row, std::uint32_t element)>;

// The nodes of an anycast address that packets from an element of a row reach, with the share of flows that does.
using Nearest = std::function<std::vector<ReachedNode>(NodeRowId row, std::uint32_t element, std::uint32_t address)>;
Nearest nearest_by(const Network& network, const RouteTables& routes);

// Where peers are drawn when the emulator runs, every run of hosts is paired with a few runs of peers, so that every
// run of either side has a pair and all pairs hang together: if each pair reaches each other, all do. The cost is
// proportional to the number of runs.
std::vector<WorkloadPair> workload_pairs(const Network& network, const WorkloadInfo& workload, const Alike& alike,
                                         const Nearest& nearest);

}  // namespace anml

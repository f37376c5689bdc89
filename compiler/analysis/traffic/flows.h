// Who talks to whom along which links, with a flow standing for all hosts that are alike.
#pragma once

#include <algorithm>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "elaborate/network.h"

namespace anml {

struct Flow {
    const WorkloadInfo* workload = nullptr;
    std::uint32_t client = 0, server = 0;        // node ids, of the first of them
    double count = 1;                            // hosts like it
    double hosts = 1, peers = 1;                 // elements at either end that share what all of them send
    bool group = false;                          // it is one member's of a group: flows to others share its packets
    std::vector<std::vector<PathLink>> ways[2];  // all links that it may cross, there and back
    std::vector<std::uint32_t> there, back;      // one path of them

    // How many hosts' packets cross a link of that step of ways[way]: an element's own link carries its share only, but
    // all of what is for a group.
    double crossing(int way, std::size_t step, const PathLink& link) const
    {
        const bool first = step == 0, last = step + 1 == ways[way].size();
        const double at_host = (way == 0 ? first : last) ? hosts : 1;
        const double at_peer = !group && (way == 0 ? last : first) ? peers : 1;
        return count * link.share / std::max(at_host, at_peer);
    }
};

std::vector<Flow> find_flows(const Network& network, const RouteTables& routes);

}  // namespace anml

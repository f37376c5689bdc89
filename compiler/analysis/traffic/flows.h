// Who talks to whom along which links, with a flow standing for all hosts that are alike.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
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
    bool own = false;                            // its hosts are its peers, and each is not its own
    std::vector<std::vector<PathLink>> ways[2];  // all links that it may cross, there and back
    std::vector<std::uint32_t> there, back;      // one path of them

    // How many hosts' packets cross a link of that step of ways[way]: an element's own link carries its share only, but
    // all of what is for a group.
    double crossing(int way, std::size_t step, const PathLink& link) const
    {
        const bool first = step == 0, last = step + 1 == ways[way].size();
        const double at_host = (way == 0 ? first : last) ? hosts : 1;
        const double at_peer = !group && (way == 0 ? last : first) ? peers : 1;
        // Of all that comes to a group's member nothing is its own.
        const double senders = count - (group && own && way == 0 && last);
        return senders * link.share / std::max(at_host, at_peer);
    }
};

// What flows add to links: of a group's nothing where another member's flow has crossed it.
class Crossings {
  public:
    double add(const Flow& flow, int way, std::size_t step, const PathLink& link)
    {
        const double crossing = flow.crossing(way, step, link);
        if (!flow.group) return crossing;
        double& before = of_groups_[{flow.workload, flow.client}][link.link];
        const double more = std::max(0.0, crossing - before);
        before += more;
        return more;
    }

  private:
    // By workload and source, what crosses each link so far.
    std::map<std::pair<const WorkloadInfo*, std::uint32_t>, std::map<std::uint32_t, double>> of_groups_;
};

std::vector<Flow> find_flows(const Network& network, const RouteTables& routes);

}  // namespace anml

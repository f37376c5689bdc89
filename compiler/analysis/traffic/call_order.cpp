#include "analysis/traffic/call_order.h"

#include <map>
#include <set>

#include "elaborate/workloads/balancers.h"
#include "elaborate/workloads/call_entries.h"

namespace anml {

std::vector<std::uint32_t> call_order(const Network& network)
{
    std::vector<std::uint32_t> order;
    std::map<std::uint32_t, std::vector<std::uint32_t>> calls_of;  // by row of the node that makes them
    for (std::uint32_t i = 0; i < network.workloads.size(); ++i) {
        const WorkloadInfo& workload = network.workloads[i];
        if (workload.traits.load != Load::served)
            order.push_back(i);
        else
            for (const TargetRange& range : workload.targets) calls_of[range.row.value].push_back(i);
    }
    // Behind those that call its servers: the reverse of the order in which a search from all of them is done.
    std::set<std::uint32_t> seen;
    std::vector<std::uint32_t> done;
    const auto visit = [&](const auto& self, std::uint32_t i) -> void {
        if (!seen.insert(i).second) return;
        for (const TargetRange& range : who_answers(network, network.workloads[i].peers))
            if (const auto at = calls_of.find(range.row.value); at != calls_of.end())
                for (const std::uint32_t next : at->second)
                    if (is_made_for(network, network.workloads[next], network.workloads[i])) self(self, next);
        done.push_back(i);
    };
    for (std::uint32_t i = 0; i < network.workloads.size(); ++i)
        if (network.workloads[i].traits.load == Load::served) visit(visit, i);
    order.insert(order.end(), done.rbegin(), done.rend());
    return order;
}

}  // namespace anml

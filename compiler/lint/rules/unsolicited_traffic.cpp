// Workloads from outside of a NAT that name a host inside, which nobody reaches that way.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lint/rules.h"

namespace anml {

namespace {

// Whether the NAT that the node is, if it is one, hides that one.
bool hides(const Network& network, std::uint32_t nat, std::uint32_t node)
{
    const NodeArray& router = network.nodes[node_row_of(network, nat)];
    if (router.middlebox == abi::kNone || !is_a(network.records[router.middlebox], abi::RecordSchema::nat))
        return false;
    const std::uint32_t row = node_row_of(network, node), element = node - network.nodes[row].first_node;
    const auto& inside = std::get<RecordRanges>(*find_value(network.records[router.middlebox], "inside"));
    return std::any_of(inside.begin(), inside.end(), [&](const RecordRange& range) {
        return range.row == row && element >= range.first && element <= range.last;
    });
}

}  // namespace

void lint_unsolicited_traffic(LintContext& context)
{
    const Network& network = context.network;
    std::set<const WorkloadInfo*> found;
    for (const Flow& flow : context.flows) {
        if (flow.workload->ipv6) continue;  // which passes a NAT as it is
        const auto nat = std::find_if(flow.there.begin(), flow.there.end(), [&](std::uint32_t link) {
            const std::uint32_t node = link_target(network, link);
            return node != flow.server && hides(network, node, flow.server) && !hides(network, node, flow.client);
        });
        if (nat == flow.there.end() || !found.insert(flow.workload).second) continue;
        const std::string box = context.node(link_target(network, *nat));
        context.find(
            flow.count,
            {Diag::unsolicited_traffic,
             flow.workload->span,
             fmt::format("`{}` sends to {}, which the NAT {} hides: nothing from outside reaches its address",
                         flow.workload->name, context.node(flow.server), box),
             fmt::format("let hosts inside begin; datagrams to {} reach the one that has sent from that port", box),
             {},
             {}});
    }
}

}  // namespace anml

// Static routes: which node sends packets for which addresses to which neighbour.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "elaborate/addressing/addressing.h"
#include "elaborate/model.h"
#include "elaborate/topology/topology.h"

namespace anml {

// "`core`, `ring[1]`": routers and switches that links join the node to, of those that were made so far.
static std::string neighbours_of(const Elaboration& in, const TargetRange& node)
{
    constexpr std::size_t kMost = 5;
    std::vector<std::string> names;
    in.links_at.find(node.row.value, node.first, [&](std::uint32_t row) {
        const LinkArray& link = in.network.links[row];
        for (const bool right : {false, true}) {
            const LinkEnd &here = link.end[right], &there = link.end[!right];
            const NodeArray& other = in.network.nodes[there.row.value];
            if (other.kind != abi::NodeKind::router && other.kind != abi::NodeKind::switch_) continue;
            const std::uint32_t element = here.stride != 0 ? node.first - here.first : 0;  // modulo 2^32
            const bool joined = here.row == node.row && element < link.count &&
                                (here.stride != 0 || here.first == node.first);
            if (joined) names.push_back(fmt::format("`{}`", other.element_name(there.first + there.stride * element)));
        }
    });
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    if (names.size() > kMost) names.resize(kMost);
    return fmt::format("{}", fmt::join(names, ", "));
}

void static_route(Elaboration& in, const StaticRouteStatement& s, const Statement& at, Frame& frame)
{
    if (!s.via.valid()) return segment_route(in, s, at, frame);
    const Value source = evaluate(in, s.source, frame), destination = evaluate(in, s.destination, frame),
                via = evaluate(in, s.via, frame);
    const NodeSet *sources = source.as<NodeSet>(), *neighbour = via.as<NodeSet>();
    if (!sources || !neighbour || neighbour->empty() || destination.failed()) return;
    StaticRoute route;
    route.span = at.span;
    const NodeArray& to_neighbour = in.network.nodes[neighbour->front().row.value];
    if (to_neighbour.kind == abi::NodeKind::host || to_neighbour.kind == abi::NodeKind::endpoint) {
        in.report(Diag::type_mismatch, in.program.expr(s.via).span,
                  fmt::format("only routers and switches pass packets on, found {}",
                              a_type(in.program, node_type(to_neighbour.kind))))
            .also(to_neighbour.span, "declared here");
        return;
    }
    const auto to = route_destination(in.network, in.program, in.report, s, destination);
    if (!to) return;
    if (!within_budget(in, count_of(source), at.span, "a route is made")) return;
    for (const TargetRange& range : *sources) {
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const TargetRange node{range.row, range.first + i, 1};
            if (links_between(in, node, neighbour->front()).empty()) {
                const std::string known = neighbours_of(in, node);
                const std::string from = in.network.nodes[range.row.value].element_name(node.first);
                in.report(Diag::unlinked_nodes, at.span,
                          "no link leads from the node of this static route to its neighbour")
                    .also(in.network.nodes[range.row.value].span, "the node")
                    .also(in.network.nodes[neighbour->front().row.value].span, "the neighbour")
                    .help(known.empty() ? "declare the link above the route"
                                        : fmt::format("above the route `{}` has links to {}", from, known));
                return;
            }
            in.static_routes.push_back({route, node, neighbour->front(), to->nodes, to->addresses});
        }
    }
}

std::optional<RouteDestination> route_destination(const Network& network, const CheckedProgram& program,
                                                  ReportOnce& report, const StaticRouteStatement& s,
                                                  const Value& destination)
{
    RouteDestination to;
    if (const auto* prefix = destination.as<PrefixValue>()) {
        to.addresses = *prefix;
    } else if (const auto* address = destination.as<AddressValue>()) {
        to.addresses = PrefixValue{address->bits, address_length(address->ipv6), address->ipv6};
    } else if (const NodeSet* set = destination.as<NodeSet>()) {
        to.nodes = *set;
    }
    for (const TargetRange& range : to.nodes) {
        const NodeArray& group = network.nodes[range.row.value];
        if (group.kind != abi::NodeKind::switch_) continue;
        report(Diag::type_mismatch, program.expr(s.destination).span, "a switch has no address to be routed to")
            .also(group.span, "declared here");
        return std::nullopt;
    }
    return to;
}

void finish_static_routes(Elaboration& in)
{
    const auto node_id = [&](const TargetRange& range) {
        return in.network.nodes[range.row.value].first_node + range.first;
    };
    for (auto& [route, source, via, nodes, prefix] : in.static_routes) {
        route.source = node_id(source);
        route.via = node_id(via);
        if (prefix) add_routes(in.network, in.report, route, *prefix);
        for (const TargetRange& to : nodes) {
            route.first = in.network.nodes[to.row.value].address + to.first;
            route.last = route.first + to.count - 1;
            route.others = to.count - 1;
            in.network.static_routes.push_back(route);
        }
    }
}

}  // namespace anml

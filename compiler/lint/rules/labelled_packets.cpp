// Routes by segments whose labels make full packets of TCP too long for a link on their way.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {

namespace {

std::uint32_t far_end(const Network& network, std::uint32_t link)
{
    const LinkArray& row = network.links[link_row_of(network, link)];
    const LinkEnd& end = row.end[1 - ((link - row.first_link) & 1)];
    return network.nodes[end.row.value].first_node + end.first + (link - row.first_link) / 2 * end.stride;
}

bool is_of(const LintContext& context, std::uint32_t node, const StaticRoute& to)
{
    const NodeArray& row = context.network.nodes[node_row_of(context.network, node)];
    const std::uint32_t address = row.address + (node - row.first_node);
    return address >= to.first && address <= to.last;
}

bool passes(const LintContext& context, const std::vector<std::uint32_t>& path, std::uint32_t node)
{
    return std::any_of(path.begin(), path.end(),
                       [&](std::uint32_t link) { return far_end(context.network, link) == node; });
}

// The largest packet that the head may give labels: of TCP what both ends announce for the links at their own side.
// 0: nothing that the workloads send full packets of goes that way.
double fullest(const LintContext& context, const SegmentRoute& route)
{
    double largest = 0;
    for (const Flow& flow : context.flows) {
        if (flow.there.empty() || flow.back.empty() || flow.workload->traits.transport != Transport::tcp) continue;
        const PacketMarks has = marks_of(*flow.workload);
        if (route.dscp.value_or(has.dscp) != has.dscp || route.protocol.value_or(has.protocol) != has.protocol ||
            route.port.value_or(has.port) != has.port)
            continue;
        const bool there = is_of(context, flow.server, route.to) && passes(context, flow.there, route.to.source),
                   back = is_of(context, flow.client, route.to) && passes(context, flow.back, route.to.source);
        if (there || back)
            largest = std::max(largest, std::min(context.mtu(flow.there.front()), context.mtu(flow.back.front())));
    }
    return largest;
}

}  // namespace

void lint_labelled_packets(LintContext& context)
{
    for (const SegmentRoute& route : context.network.segment_routes) {
        const double largest = route.label_size == 0 ? 0 : fullest(context, route);
        if (largest == 0) continue;
        std::uint32_t at = route.to.source;
        for (std::size_t i = 0; i < route.segments.size(); ++i) {
            const Segment& segment = route.segments[i];
            // A link's label is gone when the packet is sent on it, a router's when the packet is there.
            const double left = static_cast<double>(route.segments.size() - i) * route.label_size;
            const auto look_at = [&](std::uint32_t link, double labels) {
                const double mtu = context.mtu(link);
                if (labels == 0 || largest + labels <= mtu || largest > mtu) return;
                context.find(
                    (largest + labels) / mtu,
                    {Diag::labelled_packets,
                     route.to.span,
                     fmt::format("full packets, {}, are {} with their labels, longer than the MTU {} of {}",
                                 show_size(largest), show_size(largest + labels), show_size(mtu), context.name(link)),
                     fmt::format("they are cut, or their sender is told: give the links between routers an MTU of {} "
                                 "or more",
                                 show_size(largest + static_cast<double>(route.segments.size()) * route.label_size)),
                     {{context.group(link).span, "this link"}},
                     {}});
            };
            if (segment.link != abi::kNone) {
                look_at(segment.link, left - route.label_size);
            } else {
                std::vector<std::vector<PathLink>> steps;
                if (segment.node != at) trace_shortest(context.network, context.input.routes, at, segment.node, steps);
                for (const auto& step : steps)
                    for (const PathLink& link : step) look_at(link.link, left);
            }
            at = segment.node;
        }
    }
}

}  // namespace anml

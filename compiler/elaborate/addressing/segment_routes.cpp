// Routes by segments (RFC 8402): which packets pass which routers and links, as they are declared.
#include <fmt/format.h>

#include "elaborate/addressing/addressing.h"
#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

bool follows_segments(const Network& network, const CheckedProgram& program, ReportOnce& report,
                      const TargetRange& node, Span place, const char* found = ", found ")
{
    const NodeArray& row = network.nodes[node.row.value];
    if (row.kind == abi::NodeKind::router) return true;
    report(Diag::type_mismatch, place,
           fmt::format("only routers follow segments{}{}", found, a_type(program, node_type(row.kind))))
        .also(row.span, "declared here");
    return false;
}

// A link is from the router where the segment before it ends.
bool segments_from(const Network& network, const CheckedProgram& program, ReportOnce& report, const TargetRange& head,
                   const StaticRouteStatement& s, const std::vector<Value>& values, std::vector<NewSegment>& segments)
{
    const auto name_of = [&](const TargetRange& node) {
        const NodeArray& row = network.nodes[node.row.value];
        return row.element_name(node.first);
    };
    TargetRange at = head;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Span place = program.expr(s.segments[i]).span;
        if (const NodeSet* nodes = values[i].as<NodeSet>()) {
            for (const TargetRange& range : *nodes) {
                if (!follows_segments(network, program, report, range, place)) return false;
                for (std::uint32_t e = 0; e < range.count; ++e) {
                    at = {range.row, range.first + e, 1};
                    segments.push_back({at, std::nullopt, 0, place});
                }
            }
            continue;
        }
        const LinkSet* links = values[i].as<LinkSet>();
        if (!links || links->parts.empty()) return false;
        const LinkSlice slice = links->parts.front().links;
        const LinkArray& link = network.links[slice.row.value];
        const auto end = [&](std::uint32_t side) {
            return TargetRange{link.end[side].row, link.end[side].first + slice.first * link.end[side].stride, 1};
        };
        const auto is_there = [&](std::uint32_t side) {
            return end(side).row == at.row && end(side).first == at.first;
        };
        const bool forth = is_there(0), back = is_there(1) && !link.one_way;
        if (!forth && !back) {
            report(Diag::unlinked_nodes, place,
                   fmt::format("this link does not leave `{}`, where packets are when they come to it", name_of(at)))
                .also(link.span, fmt::format("it is between `{}` and `{}`", name_of(end(0)), name_of(end(1))))
                .help(fmt::format("segments are links that follow each other: choose one of `{}`, or name the "
                                  "routers on the way to this one",
                                  name_of(at)));
            return false;
        }
        const std::uint32_t direction = forth ? 0 : 1;
        segments.push_back({at, LinkSlice{slice.row, slice.first, 1}, direction, place});
        at = end(1 - direction);
        if (!follows_segments(network, program, report, at, place, ", and this link ends at ")) return false;
    }
    return true;
}

}  // namespace

void segment_route(Elaboration& in, const StaticRouteStatement& s, const Statement& at, Frame& frame)
{
    const Value source = evaluate(in, s.source, frame), destination = evaluate(in, s.destination, frame);
    const auto options =
        schema_value(in, in.program.segment_list, s.attributes, frame, nullptr, at.span, "a list of segments");
    std::vector<Value> values;
    for (const ExprId segment : s.segments) {
        values.push_back(evaluate(in, segment, frame));
        if (values.back().failed()) return;
    }
    const NodeSet* heads = source.as<NodeSet>();
    if (!heads || destination.failed() || !options || values.empty()) return;
    const auto to = route_destination(in.network, in.program, in.report, s, destination);
    if (!to || !within_budget(in, count_of(source), at.span, "a route is made")) return;
    SegmentRoute route;
    route.to.span = at.span;
    const auto fixed = [&](std::string_view name, const char* what) {
        const ValueExprId value = number_of(in.program, *options, name);
        if (const auto number = in.network.values.as_constant(value)) return static_cast<std::uint32_t>(*number);
        report_shape(in, value, place_of(in.program, s.attributes, in.program.segment_list, name, at.span), what);
        return 1u;
    };
    route.weight = fixed("weight", "the weight of a list of segments");
    route.label_size = fixed("label_size", "what a segment adds to a packet");
    if (const auto* without = attribute_of(in.program, *options, "without").as<EnumValue>())
        route.drop = without->ordinal != 0;
    if (const NodeSet* sources = attribute_of(in.program, *options, "source").as<NodeSet>()) {
        route.sources = *sources;
        if (sources->empty()) return;  // nobody's
    }
    if (!attribute_of(in.program, *options, "dscp").absent())
        route.dscp = fixed("dscp", "the code point of a list of segments");
    if (!attribute_of(in.program, *options, "port").absent())
        route.port = fixed("port", "the port of a list of segments");
    if (const auto* protocol = attribute_of(in.program, *options, "protocol").as<EnumValue>();
        protocol && protocol->ordinal != 0)
    {
        constexpr std::uint32_t kNumbers[] = {0, 6, 17, 1};  // RoutedProtocol of the library
        route.protocol = kNumbers[protocol->ordinal];
    }
    if (route.port && route.protocol == 1u) {
        in.report(Diag::type_mismatch, place_of(in.program, s.attributes, in.program.segment_list, "port", at.span),
                  "packets of ICMP have no ports")
            .help("a port is of TCP or UDP: leave `protocol` or `port` out");
        return;
    }
    for (const TargetRange& range : *heads) {
        if (!follows_segments(in.network, in.program, in.report, range, in.program.expr(s.source).span)) return;
        for (std::uint32_t i = 0; i < range.count; ++i) {
            const TargetRange head{range.row, range.first + i, 1};
            std::vector<NewSegment> segments;
            if (!segments_from(in.network, in.program, in.report, head, s, values, segments)) return;
            in.segment_routes.push_back({{route.to, head, head, to->nodes, to->addresses},
                                         in.program.expr(s.source).span,
                                         route,
                                         std::move(segments)});
        }
    }
}

void finish_segment_routes(Elaboration& in)
{
    const auto node_id = [&](const TargetRange& range) {
        return in.network.nodes[range.row.value].first_node + range.first;
    };
    const auto middlebox = [&](const TargetRange& node, Span span) {
        const NodeArray& row = in.network.nodes[node.row.value];
        if (row.middlebox == abi::kNone) return;
        in.report(Diag::type_mismatch, span, fmt::format("`{}` is a middlebox, which follows no segments", row.name))
            .also(row.span, "declared here");
    };
    for (auto& [to, head, route, segments] : in.segment_routes) {
        middlebox(to.source, head);
        for (const NewSegment& segment : segments) middlebox(segment.node, segment.span);
        to.route.source = node_id(to.source);
        for (const NewSegment& segment : segments) {
            Segment& one = route.segments.emplace_back(Segment{node_id(segment.node), abi::kNone});
            if (segment.link)
                one.link =
                    in.network.links[segment.link->row.value].first_link + 2 * segment.link->first + segment.direction;
        }
        // Addresses become nodes as those of static routes do.
        const std::size_t before = in.network.static_routes.size();
        if (to.prefix) add_routes(in.network, in.report, to.route, *to.prefix);
        for (std::size_t i = before; i < in.network.static_routes.size(); ++i) {
            route.to = in.network.static_routes[i];
            in.network.segment_routes.push_back(route);
        }
        in.network.static_routes.resize(before);
        for (const TargetRange& range : to.to) {
            route.to = to.route;
            route.to.first = in.network.nodes[range.row.value].address + range.first;
            route.to.last = route.to.first + range.count - 1;
            route.to.others = range.count - 1;
            in.network.segment_routes.push_back(route);
        }
    }
}

}  // namespace anml

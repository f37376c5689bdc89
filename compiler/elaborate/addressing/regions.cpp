// Routing of the model, and of its regions: instances of components, and groups of nodes that have a name.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "elaborate/addressing/addressing.h"
#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

// What is left of `range` without `taken`, which are ranges of the same row, by their first elements.
std::vector<TargetRange> without(const TargetRange& range, const std::vector<TargetRange>& taken)
{
    std::vector<TargetRange> rest;
    std::uint32_t at = range.first;
    for (const TargetRange& t : taken) {
        if (t.first > at) rest.push_back({range.row, at, t.first - at});
        at = t.first + t.count;
    }
    if (at < range.first + range.count) rest.push_back({range.row, at, range.first + range.count - at});
    return rest;
}

}  // namespace

void routing(Elaboration& in, const RoutingStatement& s, const Statement& at, Frame& frame)
{
    const std::string what = s.name.empty() ? "`routing`" : fmt::format("the region `{}`", s.name);
    const bool of_model = s.name.empty() && !s.of_component;
    if (of_model && !once(in.report, in.routing_at, at, "routing")) return;
    if (s.name.empty() && s.of_component) {
        if (in.region_at) {
            in.report(Diag::repeated_statement, at.span, "the component has a second `routing`")
                .also(*in.region_at, "the first is here");
            return;
        }
        in.region_at = at.span;
    }
    const auto value =
        overridden(in, s.name.empty() ? "routing" : s.name,
                   schema_value(in, in.program.routing, s.attributes, frame, nullptr, at.span, what), what);
    if (!value) return;
    RoutingRegion region;
    region.span = at.span;
    region.metric_at = place_of(in.program, s.attributes, in.program.routing, "metric", {});
    if (const auto* metric = attribute_of(in.program, *value, "metric").as<EnumValue>())
        region.metric = static_cast<RouteMetric>(metric->ordinal);
    if (const auto* multipath = attribute_of(in.program, *value, "multipath").as<EnumValue>())
        region.multipath = multipath->ordinal != 0;
    const auto fixed_time = [&](std::string_view attribute, std::string_view what_it_is) -> std::int64_t {
        const ValueExprId time = number_of(in.program, *value, attribute);
        if (const auto fixed = in.network.values.as_constant(time)) return std::llround(*fixed);
        report_shape(in, time, place_of(in.program, s.attributes, in.program.routing, attribute, at.span), what_it_is);
        return 0;
    };
    region.follow_delays = fixed_time("follow_delays", "how often routes follow delays");
    region.convergence = {fixed_time("detection", "when a change is detected"),
                          fixed_time("flooding", "how fast news of a change spreads"),
                          fixed_time("computation", "how long routers compute")};
    if (region.follow_delays != 0 && region.metric != RouteMetric::delay) {
        in.report(Diag::invalid_value, place_of(in.program, s.attributes, in.program.routing, "follow_delays", at.span),
                  "these routes do not count delays, and cannot follow them")
            .help("with `metric = delay` they do");
        return;
    }
    if (of_model) {
        in.network.follow_delays = region.follow_delays;
        in.network.convergence = region.convergence;
        in.network.metric = region.metric;
        in.network.multipath = region.multipath;
        return;
    }
    const auto number = static_cast<std::uint32_t>(in.network.regions.size());
    if (s.name.empty()) {
        // All nodes of the instance, those above the statement included, but not instances with a region of their own.
        region.name = in.report.path;
        const std::uint32_t outer = std::exchange(in.region, number);
        for (std::size_t row = in.first_row; row < in.row_region.size(); ++row)
            if (in.row_region[row] == outer) in.row_region[row] = number;
    } else {
        const Value nodes = evaluate(in, s.nodes, frame);
        const NodeSet* set = nodes.as<NodeSet>();
        if (!set || !claim(in, in.report.path_of(s.name), at.span)) return;
        region.name = in.report.path_of(s.name);
        region.nodes = *set;
        std::erase_if(region.nodes, [](const TargetRange& range) { return range.count == 0; });
        in.named_regions.push_back(number);
    }
    in.network.regions.push_back(std::move(region));
}

// A node that a named region chooses belongs to that, whatever instance it stands in.
void finish_regions(Elaboration& in)
{
    struct Chosen {
        TargetRange nodes;
        std::uint32_t region;
    };
    std::vector<Chosen> chosen;
    for (const std::uint32_t region : in.named_regions)
        for (const TargetRange& nodes : in.network.regions[region].nodes) chosen.push_back({nodes, region});
    std::sort(chosen.begin(), chosen.end(), [](const Chosen& a, const Chosen& b) {
        return std::tuple(a.nodes.row.value, a.nodes.first, a.region) <
               std::tuple(b.nodes.row.value, b.nodes.first, b.region);
    });
    for (std::size_t i = 1; i < chosen.size(); ++i) {
        const TargetRange &before = chosen[i - 1].nodes, &here = chosen[i].nodes;
        if (before.row != here.row || before.first + before.count <= here.first) continue;
        const RoutingRegion *a = &in.network.regions[chosen[i - 1].region], *b = &in.network.regions[chosen[i].region];
        if (a->span.begin > b->span.begin) std::swap(a, b);
        const NodeArray& row = in.network.nodes[here.row.value];
        in.report(Diag::overlapping_regions, b->span,
                  fmt::format("`{}` is chosen twice: it belongs to `{}` too", row.element_name(here.first), a->name))
            .also(a->span, fmt::format("the region `{}`", a->name));
        return;
    }
    std::size_t next = 0;
    for (std::uint32_t row = 0; row < in.row_region.size(); ++row) {
        std::vector<TargetRange> taken;
        for (; next < chosen.size() && chosen[next].nodes.row.value == row; ++next) taken.push_back(chosen[next].nodes);
        if (in.row_region[row] == abi::kNone) continue;
        auto& nodes = in.network.regions[in.row_region[row]].nodes;
        for (const TargetRange& rest : without({NodeRowId(row), 0, in.network.nodes[row].count}, taken))
            nodes.push_back(rest);
    }
}

}  // namespace anml

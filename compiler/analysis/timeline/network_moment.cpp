// What the timeline has come to at a time.
#include "analysis/timeline/network_moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/network_queries.h"
#include "analysis/timeline/epochs.h"
#include "analysis/timeline/route_epochs.h"
#include "base/diagnostics.h"
#include "base/values/quantity.h"

namespace anml {

namespace {

// What links have at a time is known of these.
bool has_moments(abi::TimelineAttribute attribute)
{
    return attribute == abi::TimelineAttribute::rate || attribute == abi::TimelineAttribute::delay ||
           attribute == abi::TimelineAttribute::queue;
}

}  // namespace

bool acts_at_start(const Network& network)
{
    const std::vector<double> tunables = default_tunables(network);
    return std::any_of(network.timeline.begin(), network.timeline.end(), [&](const TimelineInfo& t) {
        return (acts_on_routes(t.attribute) || has_moments(t.attribute)) &&
               std::llround(network.values.evaluate(t.first, tunables)) == 0;
    });
}

void warn_behind_end(const Network& network, double time, Diagnostics& diagnostics)
{
    const double end = network.values.evaluate(network.duration, default_tunables(network));
    if (time > end)
        diagnostics.report(Diag::never_happens, {},
                           fmt::format("--at names {}, after the end of the run at {}",
                                       format_quantity(time, dimension::time), format_quantity(end, dimension::time)));
}

NetworkMoment::NetworkMoment(const Network& network, double time)
    : network_(network),
      time_(time),
      tunables_(default_tunables(network)),
      links_(network),
      values_(network.values),
      touched_(network.links.size())
{
    for (const TimelineInfo& t : network.timeline)
        if (has_moments(t.attribute))
            for (const LinkSlice& slice : t.links) touched_[slice.row.value] = true;
    find_down();
}

double NetworkMoment::value(std::uint32_t link, abi::TimelineAttribute attribute)
{
    return values_.evaluate(links_.value(values_, link, attribute, time_), tunables_);
}

void NetworkMoment::find_down()
{
    const RowGraph graph(network_);
    const RoutingDomains domains(network_, graph);
    EdgeWeights weights = edge_weights(network_, graph, domains, tunables_);
    Diagnostics reported_before;
    const auto epochs = plan_epochs(network_, graph, domains, weights, reported_before);
    if (epochs)
        for (const Epoch& epoch : *epochs)
            if (epoch.time <= time_) change_weights(weights, epoch.changes);
    for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
        if (weights[e] != kDown) continue;
        const RouteEdge& edge = graph.edges()[e];
        const std::uint32_t run = std::max(graph.vertices()[graph.source(e)].count, graph.vertices()[edge.to].count);
        for (std::uint32_t i = 0; i < run; ++i) down_.insert(edge.lowest + 2 * i);
    }
}

RouteTables NetworkMoment::tables(const RouteTables& routes) const
{
    RouteTables now = routes;
    RouteEpochs epochs(network_, routes);
    const RouteState& state = epochs.at(time_);
    now.tables = state.tables;
    if (!state.codes.empty()) now.codes = state.codes;
    now.down = state.down;
    if (!state.settled) now.settles = settles_after(routes, time_);
    now.epochs.clear();
    now.code_changes.clear();
    return now;
}

}  // namespace anml

// Where routes by segments lead packets in a circle, or to where there is no way on.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/network_queries.h"
#include "analysis/routes/trace_outcome.h"
#include "analysis/timeline/route_epochs.h"
#include "route/core/destinations.h"
#include "route/tables/segment_tables.h"

namespace anml {
namespace {

class SegmentCheck {
  public:
    SegmentCheck(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
        : network_(network),
          routes_(routes),
          diagnostics_(diagnostics),
          graph_(network),
          destinations_(route_destinations(network, graph_, routes.scope))
    {
    }

    void run()
    {
        std::vector<Span> reported;
        RouteEpochs epochs(network_, routes_);
        for (std::size_t epoch = 0; epoch <= routes_.epochs.size() && reported.empty(); ++epoch) {
            const RouteState& tables = epochs.after(epoch);
            if (!tables.settled || !has_time(routes_, epoch)) continue;
            for (const SegmentRoute& route : network_.segment_routes)
                if (std::find(reported.begin(), reported.end(), route.to.span) == reported.end() &&
                    leads_astray(route, tables))
                    reported.push_back(route.to.span);
        }
    }

  private:
    bool leads_astray(const SegmentRoute& route, const RouteState& tables)
    {
        if (route.sources.empty()) return leads_astray(route, route.to.source, tables);
        return std::any_of(route.sources.begin(), route.sources.end(), [&](const TargetRange& source) {
            return leads_astray(route, network_.nodes[source.row.value].first_node + source.first, tables);
        });
    }

    bool leads_astray(const SegmentRoute& route, std::uint32_t from, const RouteState& tables)
    {
        for (const std::uint32_t v : destinations_) {
            const RouteVertex& vertex = graph_.vertices()[v];
            const std::uint32_t first = std::max(first_address(network_, vertex), route.to.first);
            if (first > std::min(last_address(network_, vertex), route.to.last)) continue;
            const NodeArray& group = network_.nodes[vertex.row.value];
            const std::uint32_t to = group.first_node + (first - group.address);
            std::vector<std::vector<PathLink>> steps;
            if (to == from || !trace_shortest(network_, routes_, from, to, steps, &tables)) continue;
            const PacketMarks marks{route.dscp.value_or(0), route.protocol.value_or(0), route.port.value_or(0)};
            const Outcome outcome = trace_outcome(network_, routes_, from, to, &tables, marks);
            if (outcome == Outcome::arrives || outcome == Outcome::dropped) continue;
            const bool circles = outcome == Outcome::circles;
            auto report =
                diagnostics_.report(circles ? Diag::routing_loop : Diag::unreachable, route.to.span,
                                    fmt::format("packets from `{}` to `{}` would not arrive by these segments",
                                                node_name(network_, from), node_name(network_, to)));
            if (circles) {
                report.note("behind the last one they come to a router that gives them segments again")
                    .help("end the list at a router whose shortest path does not lead back");
            } else {
                report.note("behind the last one there is no way on");
            }
            return true;
        }
        return false;
    }

    const Network& network_;
    const RouteTables& routes_;
    Diagnostics& diagnostics_;
    RowGraph graph_;
    std::vector<std::uint32_t> destinations_;
};

}  // namespace

void check_segment_routes(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
{
    if (!network.segment_routes.empty()) SegmentCheck(network, routes, diagnostics).run();
}

}  // namespace anml

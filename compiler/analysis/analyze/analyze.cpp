#include "analysis/analyze/analyze.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/traffic/expected_load.h"

namespace anml {

std::optional<NetworkAnalysis::Room> NetworkAnalysis::room() const
{
    std::optional<Room> room;
    for (std::uint32_t slot = 0; slot < paths.load.size(); ++slot) {
        if (paths.load[slot] <= 0) continue;
        const double factor = places.slots()[slot].rate / paths.load[slot];
        if (!room || factor < room->factor) room = Room{factor, slot};
    }
    return room;
}

double NetworkAnalysis::terminals() const
{
    double sum = 0;
    for (const std::uint32_t terminal : places.terminals()) sum += places.places()[terminal].count;
    return sum;
}

std::optional<NetworkAnalysis> analyze(const Network& network, const RouteTables& routes, NetworkMoment* moment,
                                       const AnalyzeOptions& options, SourceSet& sources, Diagnostics& diagnostics)
{
    std::vector<DemandLine> lines;
    std::vector<char> apart(network.nodes.size());
    Between between = options.between;
    if (options.demand.kind == DemandKind::file) {
        auto read = read_demands(options.demand.file, network, sources, diagnostics);
        if (!read) return std::nullopt;
        lines = std::move(*read);
        for (const DemandLine& line : lines)
            for (const TargetRange* range : {&line.from, &line.to})
                if (range->count != network.nodes[range->row.value].count) apart[range->row.value] = 1;
        between = Between::all;  // whoever the file names
    }
    Places places(network, routes, between, apart, moment);
    if (places.terminals().size() < 2 &&
        (places.terminals().empty() || places.places()[places.terminals()[0]].count < 2))
    {
        diagnostics
            .report(
                Diag::nothing_to_analyze, {},
                fmt::format("`{}` has fewer than two nodes of the kind whose pairs are analysed", network.model_name))
            .help("`--between all` takes hosts, endpoints and routers");
        return std::nullopt;
    }
    const bool wants_pairs = options.show == AnalyzeOptions::Show::pairs || options.show == AnalyzeOptions::Show::rtt ||
                             options.show == AnalyzeOptions::Show::hops;
    if (const std::size_t count = places.terminals().size(); wants_pairs && count * count > PathAnalysis::kMostPairs) {
        diagnostics
            .report(Diag::too_many_pairs, {},
                    fmt::format("{} places would make {} pairs: at most {} can be shown one by one", count,
                                count * count, PathAnalysis::kMostPairs))
            .help("`--show summary`, `links` and `cuts` have no such limit");
        return std::nullopt;
    }
    DemandOptions demand = options.demand;
    const bool expected = !network.workloads.empty() && !demand.total;
    const DemandKind kind = demand.kind.value_or(expected ? DemandKind::workloads : DemandKind::uniform);
    demand.kind = kind;
    PathAnalysis paths = analyze_paths(places, make_demand(places, demand, lines));
    if (kind == DemandKind::workloads) {
        const ExpectedLoads loads(network, routes, moment);
        for (std::size_t s = 0; s < places.slots().size(); ++s)
            paths.load[s] = loads.most_bits(places.slots()[s].link, places.slots()[s].count);
        paths.demand = loads.total();
    }
    Cuts cuts = find_cuts(places);
    const double greatest = paths.load.empty() ? 0 : *std::max_element(paths.load.begin(), paths.load.end());
    const bool absolute = kind == DemandKind::file || kind == DemandKind::workloads || demand.total.has_value();
    return NetworkAnalysis{network,
                           std::move(places),
                           std::move(paths),
                           std::move(cuts),
                           kind,
                           absolute,
                           greatest,
                           moment ? std::optional(moment->time()) : std::nullopt,
                           moment ? moment->down_count() : 0,
                           routes.settles};
}

}  // namespace anml

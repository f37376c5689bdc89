#include "analysis/traffic/expected_load.h"

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/timeline/active_periods.h"
#include "analysis/network_queries.h"

namespace anml {

std::vector<Flow> flows_at(const Network& network, const RouteTables& routes, const std::vector<double>& tunables,
                           double time)
{
    std::vector<Flow> flows = find_flows(network, routes);
    std::vector<bool> active;
    for (std::uint32_t w = 0; w < network.workloads.size(); ++w) {
        const auto periods = active_periods(network, w, tunables);
        active.push_back(std::any_of(periods.begin(), periods.end(), [&](const auto& p) { return p.holds(time); }));
    }
    std::erase_if(flows, [&](const Flow& flow) { return !active[flow.workload - network.workloads.data()]; });
    return flows;
}

ExpectedLoads::ExpectedLoads(const Network& network, const RouteTables& routes, NetworkMoment* moment)
    : network_(network), tunables_(default_tunables(network)), moment_(moment)
{
    const double time = moment ? moment->time() : 0;
    const std::vector<Flow> flows = flows_at(network, routes, tunables_, time);
    const ExpectedTraffic traffic = expect_rates(network, flows, tunables_, moment, time);
    Crossings crossings;
    std::set<std::pair<const WorkloadInfo*, std::uint32_t>> groups;  // and their sources
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const ExpectedTraffic::Alone& alone = traffic.alone[i];
        const double share = alone.left * alone.hosts;
        add(flows[i], alone, share, crossings);
        if (!flows[i].group || groups.insert({flows[i].workload, flows[i].client}).second)
            total_ += share * flows[i].count * (alone.there + alone.back);
    }
    for (auto& [at, row] : rows_) {
        const auto by_first = [](const Run& a, const Run& b) { return a.first < b.first; };
        std::sort(row.runs.begin(), row.runs.end(), by_first);
        for (const Run& run : row.runs) row.widest = std::max(row.widest, run.count);
    }
}

void ExpectedLoads::add(const Flow& flow, const ExpectedTraffic::Alone& alone, double share, Crossings& crossings)
{
    for (int way = 0; way < 2; ++way) {
        const std::size_t steps = flow.ways[way].size();
        for (std::size_t step = 0; alone.bits(way, 0) > 0 && step < steps; ++step) {
            // The first and the last link is one of each element's own.
            const bool first = step == 0, last = step + 1 == steps;
            const bool client = way == 0 ? first : last, server = way == 0 ? last : first;
            const double elements = std::max(client ? flow.hosts : 1, server ? flow.peers : 1);
            for (const PathLink& link : flow.ways[way][step]) {
                const std::size_t row = link_row_of(network_, link.link);
                const double bits = alone.bits(way, network_.values.evaluate(network_.links[row].overhead, tunables_));
                rows_[row].runs.push_back({link.link, static_cast<std::uint32_t>(elements),
                                           share * bits * crossings.add(flow, way, step, link)});
            }
        }
    }
}

double ExpectedLoads::rate_of(std::size_t row, std::uint32_t link)
{
    const LinkArray& group = network_.links[row];
    if (moment_ && moment_->touches(row)) return moment_->rate(link);
    return network_.values.evaluate(group.rate[(link - group.first_link) % 2], tunables_);
}

double ExpectedLoads::of(std::uint32_t link)
{
    const double rate = bits(link);
    return rate == 0 ? 0 : std::min(1.0, rate / rate_of(link_row_of(network_, link), link));
}

double ExpectedLoads::bits(std::uint32_t link) const
{
    const auto found = rows_.find(link_row_of(network_, link));
    if (found == rows_.end()) return 0;
    const Row& row = found->second;
    auto run = std::upper_bound(row.runs.begin(), row.runs.end(), link,
                                [](std::uint32_t wanted, const Run& r) { return wanted < r.first; });
    double sum = 0;
    while (run != row.runs.begin()) {
        --run;
        const std::uint32_t behind = link - run->first;
        if (behind / 2 >= row.widest) break;
        if (behind % 2 == 0 && behind / 2 < run->count) sum += run->rate;
    }
    return sum;
}

double ExpectedLoads::most_bits(std::uint32_t first, std::uint32_t count) const
{
    double most = bits(first);
    const auto row = rows_.find(link_row_of(network_, first));
    if (count == 1 || row == rows_.end()) return most;
    // More is on a link where a run begins.
    for (const Run& run : row->second.runs)
        if (run.first > first && (run.first - first) % 2 == 0 && (run.first - first) / 2 < count)
            most = std::max(most, bits(run.first));
    return most;
}

ExpectedLoads::Greatest ExpectedLoads::greatest()
{
    std::vector<std::uint32_t> links;
    for (const auto& [at, row] : rows_) {
        // Where all have the same rate, nothing is added but where a run begins.
        const bool alike = !moment_ || !moment_->touches(at);
        for (const Run& run : row.runs)
            for (std::uint32_t i = 0; i < (alike ? 1 : run.count); ++i) links.push_back(run.first + 2 * i);
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    Greatest greatest;
    for (const std::uint32_t link : links)
        if (const double load = of(link); load > greatest.load) greatest = {link, load};
    return greatest;
}

}  // namespace anml

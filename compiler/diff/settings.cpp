// What holds for a network as a whole: parameters, addressing, routing, the run, what is reported and measured.
#include <fmt/format.h>

#include <cmath>

#include "base/address.h"
#include "diff/parts.h"

namespace anml {

namespace {

Attributes parameters_of(const Network& network)
{
    Attributes list;
    for (const ParameterInfo& p : network.parameters) {
        std::string value = p.word ? *p.word : exact_quantity(p.value, p.dim);
        if (p.tunable != abi::kNone) {
            value += " (tunable";
            if (std::isfinite(p.minimum) && std::isfinite(p.maximum))
                value +=
                    fmt::format(" in {} .. {}", exact_quantity(p.minimum, p.dim), exact_quantity(p.maximum, p.dim));
            value += ")";
        }
        list.emplace_back(p.name, value);
    }
    return list;
}

void add_routing(Attributes& list, const std::string& of, RouteMetric metric, bool multipath,
                 std::int64_t follow_delays, const Convergence& convergence)
{
    list.emplace_back(of + ".metric", route_metric_name(metric));
    list.emplace_back(of + ".multipath", multipath ? "ecmp" : "single");
    for (const auto& [name, time] :
         {std::pair("follow_delays", follow_delays), std::pair("detection", convergence.detection),
          std::pair("flooding", convergence.flooding), std::pair("computation", convergence.computation)})
        if (time != 0)
            list.emplace_back(fmt::format("{}.{}", of, name),
                              exact_quantity(static_cast<double>(time), dimension::time));
}

void add_experiment(Attributes& list, const ExperimentInfo& e)
{
    list.emplace_back("experiment.model", e.model);
    for (const FactorInfo& f : e.factors)
        list.emplace_back("experiment." + f.name,
                          f.levels.empty()
                              ? fmt::format("{} .. {}", exact_quantity(f.low, f.dim), exact_quantity(f.high, f.dim))
                              : fmt::format("[{}]", fmt::join(f.levels, ", ")));
    list.emplace_back("experiment.repetitions", std::to_string(e.repetitions));
    list.emplace_back("experiment.seed", std::to_string(e.seed));
    list.emplace_back("experiment.batches", std::to_string(e.batches));
    list.emplace_back("experiment.stop", std::to_string(e.stop));
    list.emplace_back("experiment.within", exact_quantity(e.within, dimension::time));
    list.emplace_back("experiment.precision", e.precision ? exact_quantity(*e.precision, dimension::none) : "none");
    list.emplace_back("experiment.resolution", exact_quantity(e.resolution, dimension::none));
    list.emplace_back("experiment.live", e.live ? "true" : "false");
    list.emplace_back("experiment.server", e.server);
}

Attributes settings_of(NetworkTexts& texts)
{
    const Network& n = texts.network();
    Attributes list{{"model", n.model_name}};
    if (!n.ipv6_alone) list.emplace_back("addressing.pool", format_prefix(n.pool_first, n.pool_length, false));
    if (n.ipv6_pool_length) list.emplace_back("addressing.ipv6", format_prefix(n.ipv6_pool, *n.ipv6_pool_length, true));
    if (n.gateway != 0) list.emplace_back("gateway", format_address(n.gateway));
    add_routing(list, "routing", n.metric, n.multipath, n.follow_delays, n.convergence);
    std::map<std::string, int> seen;  // regions of one name are told apart by their order
    for (const RoutingRegion& region : n.regions) {
        std::string name = fmt::format("routing {}", region.name);
        if (const int again = seen[name]++; again > 0) name += fmt::format(" ({})", again + 1);
        add_routing(list, name, region.metric, region.multipath, region.follow_delays, region.convergence);
        list.emplace_back(name + ".on", texts.nodes(region.nodes));
    }
    list.emplace_back("run.duration", texts.number(n.duration, dimension::time));
    list.emplace_back("run.warmup", texts.number(n.warmup, dimension::time));
    std::vector<std::string> reports, measures;
    for (const ReportInfo& report : n.reports) reports.push_back(fmt::format("{}", fmt::join(report.keys, ", ")));
    for (const MeasureInfo& measure : n.measures) measures.push_back(measure_text(n, measure));
    if (!reports.empty()) list.emplace_back("report by", fmt::format("{}", fmt::join(reports, "; ")));
    if (!measures.empty()) list.emplace_back("measures", fmt::format("{}", fmt::join(measures, ", ")));
    if (n.experiment) add_experiment(list, *n.experiment);
    if (const std::string processes = texts.processes(); !processes.empty()) list.emplace_back("processes", processes);
    return list;
}

}  // namespace

void compare_settings(Comparison& c)
{
    c.add_all(Part::parameters, parameters_of(c.before.network), parameters_of(c.after.network));
    c.add_all(Part::settings, settings_of(c.texts.before), settings_of(c.texts.after));
}

}  // namespace anml

// What the picture needs besides the network, as far as it is asked for, and then the picture.
#include "driver/show_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>

#include "analysis/analyze/analyze.h"
#include "analysis/network_queries.h"
#include "analysis/traffic/expected_load.h"
#include "analysis/traffic/expected_traffic.h"
#include "route/route.h"

namespace anml {

namespace {

using Loads = std::unordered_map<std::uint32_t, double>;

// Of the workloads, as the linter expects it.
Loads expected_loads(const Network& network, const RouteTables& routes, NetworkMoment* moment)
{
    const std::vector<double> tunables = default_tunables(network);
    const double time = moment ? moment->time() : 0;
    const std::vector<Flow> flows = flows_at(network, routes, tunables, time);
    Loads loads;
    for (const auto& [link, rate] : expect_rates(network, flows, tunables, moment, time).rates) {
        const std::size_t at = link_row_of(network, link);
        const LinkArray& row = network.links[at];
        loads[link] = rate / (moment && moment->touches(at)
                                  ? moment->rate(link)
                                  : network.values.evaluate(row.rate[(link - row.first_link) % 2], tunables));
    }
    return loads;
}

// Of a demand, along the routes: a share of the rate, or where the demand is relative of the busiest link's load.
std::optional<Loads> analyzed_loads(const Network& network, const RouteTables& routes, NetworkMoment* moment,
                                    const ShownOptions& options, SourceSet& sources, Diagnostics& diagnostics)
{
    AnalyzeOptions analysis_options;
    if (options.demand) analysis_options.demand = *options.demand;
    const auto analysis = analyze(network, routes, moment, analysis_options, sources, diagnostics);
    if (!analysis) return std::nullopt;
    Loads loads;
    const auto& slots = analysis->places.slots();
    for (std::uint32_t s = 0; s < slots.size(); ++s)
        loads[slots[s].link] =
            analysis->absolute ? analysis->paths.load[s] / slots[s].rate : analysis->relative(s) / 100;
    return loads;
}

// Of a run; false, and a diagnostic, where the run was one of another network.
bool find_measured(const Network& network, const MeasuredLoads& measured, Diagnostics& diagnostics, Loads& loads)
{
    auto left = measured.links;
    for (const LinkArray& row : network.links) {
        for (std::uint32_t i = 0; i < 2 * row.count && !left.empty(); ++i) {
            const auto found = left.find(link_name(network, row.first_link + i) + (i % 2 ? '<' : '>'));
            if (found == left.end()) continue;
            loads[row.first_link + i] = found->second;
            left.erase(found);
        }
    }
    if (left.empty()) return true;
    std::string first = left.begin()->first;
    for (const auto& [link, share] : left) first = std::min(first, link);
    diagnostics
        .report(Diag::unmatched_results, {},
                fmt::format("`{}` has no link `{}`, which the results name", network.model_name,
                            first.substr(0, first.size() - 1)))
        .help("give the model as it was compiled for the run, with the same -D and --model");
    return false;
}

// What a picture shows besides the network, as far as it is asked for.
struct Shown {
    std::optional<NetworkMoment> moment;
    std::optional<TaskGraph> tasks;
    std::optional<Loads> loads;
    std::optional<RouteTables> routes;  // of the moment
    LoadMeaning meaning;

    PictureInput input(const Network& network)
    {
        return {network,
                tasks ? &*tasks : nullptr,
                loads ? &*loads : nullptr,
                moment ? &*moment : nullptr,
                routes ? &*routes : nullptr,
                meaning};
    }
};

struct Wanted {
    bool tasks = false, loads = false;
    bool start = false;     // the state behind the timeline's events at time 0; other programs get what is declared
    bool analysis = false;  // loads are those of an analysis, which needs routes to every address
    RouteScope scope{};
};

Wanted find_wanted(const Network& network, const PictureOptions& picture, const ShownOptions& options)
{
    const bool page = picture.format == PictureFormat::html;
    Wanted wanted;
    if (options.measured) return wanted;
    wanted.start = !is_exchange_format(picture.format);
    wanted.analysis = picture.color_by == ColorBy::load && (options.demand || network.workloads.empty());
    wanted.tasks = page || picture.color_by == ColorBy::task;
    wanted.loads = page ? !network.workloads.empty() || wanted.analysis : picture.color_by == ColorBy::load;
    const bool everywhere = wanted.analysis || (page && !page_finds_routes(network));
    wanted.scope = everywhere ? RouteScope::everywhere : RouteScope::needed;
    return wanted;
}

// False after an error.
bool find_shown(const Network& network, const Wanted& wanted, const ShownOptions& options, SourceSet& sources,
                Diagnostics& diagnostics, Shown& shown)
{
    if (options.measured) {
        shown.meaning = {options.measured->title, options.measured->top};
        return find_measured(network, *options.measured, diagnostics, shown.loads.emplace());
    }
    if (options.at) warn_behind_end(network, *options.at, diagnostics);
    if (options.at || (wanted.start && acts_at_start(network))) shown.moment.emplace(network, options.at.value_or(0));
    if (!wanted.tasks && !wanted.loads) return true;
    std::optional<RouteTables> routes = compute_routes(network, diagnostics, wanted.scope);
    if (!routes) return false;
    if (wanted.tasks) shown.tasks = partition(network, *routes, options.partition);
    if (shown.moment) routes = shown.moment->tables(*routes);
    shown.routes = std::move(routes);
    if (!wanted.loads) return true;
    const RouteTables& tables = *shown.routes;
    if (wanted.analysis)
        shown.loads =
            analyzed_loads(network, tables, shown.moment ? &*shown.moment : nullptr, options, sources, diagnostics);
    else
        shown.loads = expected_loads(network, tables, shown.moment ? &*shown.moment : nullptr);
    return shown.loads.has_value();
}

}  // namespace

std::optional<std::string> show_network(const Network& network, const PictureOptions& picture,
                                        const ShownOptions& options, SourceSet& sources, Diagnostics& diagnostics,
                                        GraphNotes* notes)
{
    // On a page a network whose routes have errors can still be looked at, without what depends on them.
    const bool needed =
        picture.format != PictureFormat::html || picture.color_by == ColorBy::task || picture.color_by == ColorBy::load;
    Diagnostics ignored;
    Shown shown;
    const Wanted wanted = find_wanted(network, picture, options);
    if (!find_shown(network, wanted, options, sources, needed ? diagnostics : ignored, shown) && needed)
        return std::nullopt;
    return draw_network(shown.input(network), picture, diagnostics, notes);
}

std::optional<std::string> draw_model(Session& session, const PictureOptions& picture, const ShownOptions& options,
                                      const std::string& output)
{
    const bool exchange = is_exchange_format(picture.format);
    if (exchange) session.keep_program();
    const Network* network = session.network();
    if (!network) return std::nullopt;
    std::optional<GraphNotes> notes;
    if (exchange) notes.emplace(*session.program(), *network, output_folder(output));
    Compilation& c = session.compilation();
    auto text = show_network(*network, picture, options, c.sources, c.diagnostics, notes ? &*notes : nullptr);
    if (notes && !notes->failure().empty())
        c.diagnostics.report(Diag::dropped_element, {}, "what is neither a node nor a link is left out: 1")
            .note(notes->failure());
    session.done("draw");
    return text;
}

std::string output_folder(const std::string& output)
{
    const auto folder = std::filesystem::path(output == "-" ? "" : output).parent_path();
    return folder.empty() ? "." : folder.string();
}

}  // namespace anml

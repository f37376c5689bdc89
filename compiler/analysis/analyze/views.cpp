#include "analysis/analyze/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/values/quantity.h"

namespace anml {
namespace {

using Json = nlohmann::ordered_json;

std::string four_digits(double canonical, Dimension dim) { return approximate_quantity(canonical, dim, 4); }
Cell text_cell(std::string text) { return {text, text}; }
Cell count_cell(double count) { return {static_cast<std::uint64_t>(count), fmt::format("{:.0f}", count)}; }
Cell percent_cell(double percent) { return {percent, fmt::format("{:.2f} %", percent)}; }
Cell time_cell(double ns) { return {ns, four_digits(ns, dimension::time)}; }
Cell rate_cell(double bps) { return {bps, four_digits(bps, dimension::rate)}; }

const Slot& slot_of(const NetworkAnalysis& a, std::uint32_t slot) { return a.places.slots()[slot]; }

}  // namespace

std::string load_text(const NetworkAnalysis& analysis, double load)
{
    return analysis.absolute ? four_digits(load, dimension::rate) : fmt::format("{:.6g}", load);
}

AnalysisTable links_table(const NetworkAnalysis& a)
{
    AnalysisTable table{{{"link", "link"},
                 {"direction", ""},
                 {"from", "from"},
                 {"to", "to"},
                 {"count", "links", true},
                 {"rate_bps", "rate", true},
                 {"delay_ns", "delay", true},
                 {"load", "load", true},
                 {"relative_percent", "of the busiest", true}},
                {}};
    if (a.absolute) table.columns.push_back({"utilization_percent", "utilisation", true});
    table.columns.push_back({"bottleneck_pairs", "bottleneck of pairs", true});
    std::vector<std::uint32_t> order(a.places.slots().size());
    std::iota(order.begin(), order.end(), 0u);
    const auto busy = [&](std::uint32_t s) {
        return a.absolute ? a.paths.load[s] / slot_of(a, s).rate : a.paths.load[s];
    };
    std::sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
        return std::tuple(-busy(x), slot_of(a, x).link) < std::tuple(-busy(y), slot_of(a, y).link);
    });
    for (const std::uint32_t s : order) {
        const Slot& slot = slot_of(a, s);
        std::vector<Cell> row{text_cell(a.places.link_name(s)),
                              text_cell(std::string(1, a.places.direction(s))),
                              text_cell(a.places.name(slot.from)),
                              text_cell(a.places.name(slot.to)),
                              count_cell(slot.count),
                              rate_cell(slot.rate),
                              time_cell(slot.delay),
                              {a.paths.load[s], load_text(a, a.paths.load[s])},
                              percent_cell(a.relative(s))};
        if (a.absolute) row.push_back(percent_cell(100 * a.paths.load[s] / slot.rate));
        row.push_back(count_cell(a.paths.bottleneck_pairs[s]));
        table.rows.push_back(std::move(row));
    }
    return table;
}

AnalysisTable pairs_table(const NetworkAnalysis& a)
{
    AnalysisTable table{{{"from", "from"},
                 {"to", "to"},
                 {"hops", "hops", true},
                 {"delay_ns", "delay", true},
                 {"rtt_ns", "round trip", true},
                 {"bottleneck_bps", "bottleneck", true},
                 {"bottleneck_link", "at", false}},
                {}};
    const std::size_t count = a.places.terminals().size();
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) {
            if (i == j && a.places.places()[a.places.terminals()[i]].count == 1) continue;
            const PathFigures &there = a.paths.pairs[i * count + j], &back = a.paths.pairs[j * count + i];
            std::vector<Cell> row{text_cell(a.places.name(a.places.terminals()[i])),
                                  text_cell(a.places.name(a.places.terminals()[j]))};
            if (!there.reached()) {
                for (int n = 0; n < 5; ++n) row.push_back({nullptr, "-"});
            } else {
                row.push_back(count_cell(there.hops));
                row.push_back(time_cell(there.delay));
                row.push_back(back.reached() ? time_cell(there.delay + back.delay) : Cell{nullptr, "-"});
                row.push_back(rate_cell(slot_of(a, there.bottleneck).rate));
                row.push_back(text_cell(a.places.link_name(there.bottleneck)));
            }
            table.rows.push_back(std::move(row));
        }
    }
    return table;
}

AnalysisTable matrix_table(const NetworkAnalysis& a, bool round_trip)
{
    AnalysisTable table{{{"from", ""}}, {}};
    const std::size_t count = a.places.terminals().size();
    for (const std::uint32_t terminal : a.places.terminals())
        table.columns.push_back({a.places.name(terminal), a.places.name(terminal), true});
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<Cell> row{text_cell(a.places.name(a.places.terminals()[i]))};
        for (std::size_t j = 0; j < count; ++j) {
            const PathFigures &there = a.paths.pairs[i * count + j], &back = a.paths.pairs[j * count + i];
            if (i == j && a.places.places()[a.places.terminals()[i]].count == 1)
                row.push_back(round_trip ? time_cell(0) : count_cell(0));
            else if (!there.reached() || (round_trip && !back.reached()))
                row.push_back({nullptr, "-"});
            else
                row.push_back(round_trip ? time_cell(there.delay + back.delay) : count_cell(there.hops));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

AnalysisTable cuts_table(const NetworkAnalysis& a)
{
    AnalysisTable table{{{"kind", ""},
                 {"name", "without"},
                 {"cut_off", "cut off", true},
                 {"pairs", "pairs lost", true},
                 {"pairs_percent", "", true}},
                {}};
    for (const Cut& cut : a.cuts.list)
        table.rows.push_back(
            {text_cell(cut.link ? "link"
                                : node_kind_name(a.network.nodes[a.places.places()[cut.place].row.value].kind)),
             text_cell(cut.link ? a.places.link_name(cut.slot) : a.places.name(cut.place)), count_cell(cut.nodes),
             count_cell(cut.pairs), percent_cell(a.cuts.pairs > 0 ? 100 * cut.pairs / a.cuts.pairs : 0)});
    return table;
}

}  // namespace anml

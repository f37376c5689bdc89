// The figures of a network as a whole.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/analyze/views.h"
#include "base/values/quantity.h"

namespace anml {
namespace {

using Json = nlohmann::ordered_json;

std::string rounded(double canonical, Dimension dim) { return approximate_quantity(canonical, dim, 4); }

// Over ordered pairs of nodes that reach each other.
struct Extent {
    double sum = 0, pairs = 0, most = -1;
    std::uint32_t from = 0, to = 0;  // terminals of the greatest

    void add(double value, double count, std::uint32_t i, std::uint32_t j)
    {
        sum += value * count;
        pairs += count;
        if (value > most) most = value, from = i, to = j;
    }
    double mean() const { return pairs > 0 ? sum / pairs : 0; }
};

struct Figures {
    std::map<std::string, double> nodes;  // by kind
    double links = 0, pairs = 0;
    bool every_pair = false;  // extents are known
    Extent hops, rtt;
    // Slot of the lowest rate that is the bottleneck of a pair, of these the one of most pairs.
    std::optional<std::uint32_t> narrowest;
};

Figures figures_of(const NetworkAnalysis& a)
{
    Figures f;
    for (const NodeArray& row : a.network.nodes) f.nodes[node_kind_name(row.kind)] += row.count;
    for (const LinkArray& link : a.network.links) f.links += link.count;
    const double nodes = a.terminals();
    f.pairs = nodes * (nodes - 1);
    const auto& terminals = a.places.terminals();
    f.every_pair = !a.paths.pairs.empty();
    for (std::uint32_t i = 0; f.every_pair && i < terminals.size(); ++i) {
        for (std::uint32_t j = 0; j < terminals.size(); ++j) {
            const double from = a.places.places()[terminals[i]].count, to = a.places.places()[terminals[j]].count;
            const double count = i == j ? from * (from - 1) : from * to;
            const PathFigures &there = a.paths.pairs[i * terminals.size() + j],
                              &back = a.paths.pairs[j * terminals.size() + i];
            if (count == 0 || !there.reached()) continue;
            f.hops.add(there.hops, count, i, j);
            if (back.reached()) f.rtt.add(there.delay + back.delay, count, i, j);
        }
    }
    const auto rank = [&](std::uint32_t s) {
        return std::pair(a.places.slots()[s].rate, -a.paths.bottleneck_pairs[s]);
    };
    for (std::uint32_t s = 0; s < a.paths.bottleneck_pairs.size(); ++s)
        if (a.paths.bottleneck_pairs[s] > 0 && (!f.narrowest || rank(s) < rank(*f.narrowest))) f.narrowest = s;
    return f;
}

Json extent_json(const NetworkAnalysis& a, const Extent& extent)
{
    if (extent.pairs == 0) return nullptr;
    const auto& terminals = a.places.terminals();
    return {{"mean", extent.mean()},
            {"most", extent.most},
            {"from", a.places.name(terminals[extent.from])},
            {"to", a.places.name(terminals[extent.to])}};
}

const char* between_name(Between between)
{
    return between == Between::hosts ? "hosts" : between == Between::routers ? "routers" : "nodes";
}

std::string plural(double count, const std::string& word)
{
    const bool hiss = word.ends_with("ch") || word.ends_with("s");
    return fmt::format("{:.0f} {}{}", count, word, count == 1 ? "" : hiss ? "es" : "s");
}

// Why routes are not what they could be.
std::string settling(const std::optional<double>& settles)
{
    if (!settles) return "";
    return fmt::format(", and not all routers know what changed, until {}", format_quantity(*settles, dimension::time));
}

}  // namespace

Json summary_json(const NetworkAnalysis& a)
{
    const Figures f = figures_of(a);
    Json j;
    j["model"] = a.network.model_name;
    j["between"] = between_name(a.places.between());
    for (const char* kind : {"host", "router", "switch", "endpoint"})
        j["nodes"][kind] = static_cast<std::uint64_t>(f.nodes.count(kind) ? f.nodes.at(kind) : 0);
    if (a.at) {
        j["at_ns"] = *a.at;
        j["links_down"] = a.down / 2;
        if (a.settles) j["routes_settle_ns"] = *a.settles;
    }
    j["links"] = static_cast<std::uint64_t>(f.links);
    j["pairs"] = static_cast<std::uint64_t>(f.pairs);
    j["unreachable_pairs"] = static_cast<std::uint64_t>(a.paths.unreached);
    j["hops"] = f.every_pair ? extent_json(a, f.hops) : Json(nullptr);
    j["rtt_ns"] = f.every_pair ? extent_json(a, f.rtt) : Json(nullptr);
    j["narrowest"] = f.narrowest ? Json{{"link", a.places.link_name(*f.narrowest)},
                                        {"direction", std::string(1, a.places.direction(*f.narrowest))},
                                        {"rate_bps", a.places.slots()[*f.narrowest].rate},
                                        {"pairs", static_cast<std::uint64_t>(a.paths.bottleneck_pairs[*f.narrowest])}}
                                 : Json(nullptr);
    constexpr const char* kDemands[] = {"uniform", "gravity", "file", "workloads"};  // by DemandKind
    j["demand"] = {{"kind", kDemands[static_cast<std::size_t>(a.demand)]},
                   {"unit", a.absolute ? "bps" : "relative"},
                   {"total", a.paths.demand},
                   {"undelivered", a.paths.undelivered},
                   {"greatest_load", a.greatest_load}};
    const auto room = a.room();
    j["demand"]["room"] =
        room ? Json{{"factor", room->factor}, {"link", a.places.link_name(room->slot)}} : Json(nullptr);
    j["single_homed"] = static_cast<std::uint64_t>(a.cuts.single_homed);
    return j;
}

std::string summary_text(const NetworkAnalysis& a, std::size_t top)
{
    const Figures f = figures_of(a);
    const auto& terminals = a.places.terminals();
    std::string text = a.network.model_name + ": ";
    for (const char* kind : {"router", "switch", "host", "endpoint"})
        if (f.nodes.count(kind)) text += plural(f.nodes.at(kind), kind) + ", ";
    text += plural(f.links, "link") + "\n";
    if (a.at)
        text += fmt::format("At {}: {} down{}\n", format_quantity(*a.at, dimension::time),
                            plural(static_cast<double>(a.down / 2), "link"), settling(a.settles));
    text += fmt::format("Routes by {}{}\n", route_metric_name(a.network.metric),
                        a.network.multipath ? ", flows spread over equal ones" : "");
    if (!a.network.segment_routes.empty())
        text += a.demand == DemandKind::workloads
                    ? "  pairs as packets without segments go; loads as those of the workloads do\n"
                    : "  as packets without segments go: routes by segments are not followed here\n";
    const char* who = between_name(a.places.between());
    text += fmt::format("Between {}: {:.0f} pairs, {}\n", who, f.pairs,
                        a.paths.unreached == 0 ? std::string("each can send to each")
                                               : fmt::format("of which {:.0f} have no way", a.paths.unreached));
    const auto extent = [&](const char* name, const Extent& e, auto&& show) {
        if (e.pairs == 0) return;
        text += fmt::format("  {:<11} {:>10} in the mean, {} at most, from {} to {}\n", name, show(e.mean()),
                            show(e.most), a.places.name(terminals[e.from]), a.places.name(terminals[e.to]));
    };
    extent("hops", f.hops, [](double v) { return fmt::format("{:.4g}", v); });
    extent("round trip", f.rtt, [](double v) { return rounded(v, dimension::time); });
    if (!f.every_pair) text += "  too many pairs for figures on each: hops and round trips are left out\n";
    if (f.narrowest)
        text += fmt::format("  {:<11} {:>10} at least, at {}\n", "bottleneck",
                            rounded(a.places.slots()[*f.narrowest].rate, dimension::rate),
                            a.places.link_name(*f.narrowest));
    text += "\nBusiest links, if ";
    if (a.demand == DemandKind::workloads)
        text += fmt::format("the workloads send {} in all, as expected\n", load_text(a, a.paths.demand));
    else if (a.absolute)
        text += fmt::format("{} are asked for in all\n", load_text(a, a.paths.demand));
    else if (a.demand == DemandKind::uniform)
        text += fmt::format("each sends 1 to each other, {:.0f} in all\n", a.paths.demand);
    else
        text += "each sends to each other in proportion to what the links of both carry\n";
    if (a.paths.undelivered > 0) text += fmt::format("  {} of it has no way\n", load_text(a, a.paths.undelivered));
    text += links_table(a).text(top);
    if (const auto room = a.room()) {
        if (a.absolute)
            text += fmt::format("  {} times this demand fills {}\n", fmt::format("{:.4g}", room->factor),
                                a.places.link_name(room->slot));
        else
            text += fmt::format("  {} in all fills {}\n", rounded(a.paths.demand * room->factor, dimension::rate),
                                a.places.link_name(room->slot));
    }
    text += "\nSingle points of failure\n";
    if (a.cuts.list.empty())
        text += "  none among what passes packets on\n";
    else
        text += cuts_table(a).text(top);
    if (a.cuts.single_homed > 0)
        text += fmt::format("  {:.0f} hosts and endpoints hang on one link each\n", a.cuts.single_homed);
    return text;
}

}  // namespace anml

// Compares next hops at the corners of the tunables' box, part by part; see the header for why that suffices.
#include "route/tunable_dependence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <type_traits>

#include "analysis/network_queries.h"
#include "analysis/routes/affine_delay.h"
#include "route/core/destinations.h"
#include "route/search/edge_blocks.h"
#include "route/search/path_search.h"

namespace anml {
namespace {

constexpr std::size_t kMostAtoms = 8;  // of one part: 2^8 corners, each a computation of all routes

using Assignment = std::map<ValueExprId, double>;  // atom to value; others stand at their default

class DependenceCheck {
  public:
    DependenceCheck(const Network& network, const RowGraph& graph, const RoutingDomains& domains, RouteScope scope,
                    Diagnostics& diagnostics)
        : network_(network),
          graph_(graph),
          domains_(domains),
          diagnostics_(diagnostics),
          forms_(network),
          destinations_(route_destinations(network, graph, scope))
    {
    }

    void run()
    {
        for (const std::set<ValueExprId>& atoms : atoms_of_parts()) {
            if (atoms.size() > kMostAtoms) return report_undecided(atoms);
            if (!check(std::vector<ValueExprId>(atoms.begin(), atoms.end()))) return;
        }
    }

  private:
    using Edges = std::vector<std::uint32_t>;  // of the row graph: next hops that are equally short, of those in use
    struct Difference {
        std::uint32_t from, destination;  // vertices
        Edges before, after;
    };

    std::set<std::set<ValueExprId>> atoms_of_parts()
    {
        const std::vector<std::uint32_t> blocks = edge_blocks(graph_);
        std::map<std::uint32_t, std::set<ValueExprId>> by_block;
        for (std::size_t e = 0; e < blocks.size(); ++e) {
            if (blocks[e] == kBridge) continue;
            for (const auto& [atom, coefficient] : terms(static_cast<std::uint32_t>(e)))
                by_block[blocks[e]].insert(atom);
        }
        std::set<std::set<ValueExprId>> distinct;
        for (const auto& [block, atoms] : by_block) distinct.insert(atoms);
        return distinct;
    }

    const AffineForm& form(std::size_t lane) { return forms_.of(network_.links[lane / 2].delay[lane % 2]); }
    // Of an edge whose delay counts.
    std::vector<std::pair<ValueExprId, double>> terms(std::uint32_t edge)
    {
        if (domains_.metric(edge) != RouteMetric::delay) return {};
        return form(graph_.edges()[edge].lane).terms;
    }

    // By edge, in 1/1024 ns, so that rounding decides no tie that differs between corners by less than delays are given
    // in.
    EdgeWeights weights(const Assignment& assignment)
    {
        std::vector<std::int64_t> lanes;
        for (std::size_t lane = 0; lane < graph_.lanes(); ++lane) {
            const AffineForm& delay = form(lane);
            double sum = delay.constant;
            for (const auto& [atom, coefficient] : delay.terms) {
                const auto set = assignment.find(atom);
                sum += coefficient * (set != assignment.end() ? set->second : forms_.default_value(atom));
            }
            lanes.push_back(std::max<std::int64_t>(0, std::llround(sum * 1024)));
        }
        EdgeWeights result = others_;
        for (std::uint32_t e = 0; e < result.size(); ++e)
            if (domains_.metric(e) == RouteMetric::delay) result[e] = lanes[graph_.edges()[e].lane];
        return result;
    }

    // All vertices are searched: parallel links to what hangs on a vertex are a choice too.
    PathGraph paths(const Assignment& assignment)
    {
        return PathGraph(graph_, weights(assignment), domains_.roles(), std::vector<char>(graph_.vertices().size(), 1));
    }

    template <class Rule>
    Edges next_hops(const PathGraph& paths, const PathSearch<Rule>& search, std::uint32_t vertex) const
    {
        Edges edges;
        if (search.port(vertex) == kNoPort) return edges;
        if (!domains_.multipath(vertex) || !search.tied(vertex)) return {paths.edge(vertex, search.port(vertex))};
        for (const std::uint32_t port : search.equal_ports(vertex)) edges.push_back(paths.edge(vertex, port));
        return edges;
    }

    std::optional<Difference> compare(const Assignment& assignment)
    {
        const PathGraph before = paths({}), after = paths(assignment);
        const bool wide = before.tiered() || std::max(before.length_bits(), after.length_bits()) > 64;
        std::optional<Difference> difference;
        with_lengths(before, wide, [&](const auto& rule) {
            difference = compare(before, rule, after, std::decay_t<decltype(rule)>(after));
        });
        return difference;
    }

    template <class Rule>
    std::optional<Difference> compare(const PathGraph& before, const Rule& rule_before, const PathGraph& after,
                                      const Rule& rule_after) const
    {
        PathSearch<Rule> search_before(before, rule_before), search_after(after, rule_after);
        for (const std::uint32_t destination : destinations_) {
            search_before.run(destination);
            search_after.run(destination);
            for (std::uint32_t v = 0; v < before.size(); ++v) {
                Edges a = next_hops(before, search_before, v), b = next_hops(after, search_after, v);
                if (a != b) return Difference{v, destination, std::move(a), std::move(b)};
            }
        }
        return std::nullopt;
    }

    // False once something was reported.
    bool check(const std::vector<ValueExprId>& atoms)
    {
        for (std::uint32_t corner = 0; corner < 1u << atoms.size(); ++corner) {
            Assignment assignment;
            for (std::size_t i = 0; i < atoms.size(); ++i) {
                const ValuePool::Interval range = forms_.bounds(atoms[i]);
                assignment[atoms[i]] = (corner >> i & 1) != 0 ? range.high : range.low;
            }
            if (!compare(assignment)) continue;
            report_first(atoms, assignment);
            return false;
        }
        return true;
    }

    // Moves from the defaults to the corner, an atom at a time: the first move that changes a route names the culprit.
    void report_first(const std::vector<ValueExprId>& atoms, const Assignment& corner)
    {
        Assignment assignment;
        for (const ValueExprId atom : atoms) {
            assignment[atom] = corner.at(atom);
            if (const auto difference = compare(assignment)) return report(*difference, atom, corner.at(atom));
        }
    }

    std::string hops(const Edges& edges) const
    {
        std::string list;
        for (const std::uint32_t edge : edges) {
            const std::uint32_t link = graph_.edges()[edge].lowest;
            list += fmt::format("{}`{}` (link `{}`)", list.empty() ? "" : " and ",
                                node_name(network_, link_target(network_, link)), link_name(network_, link));
        }
        return list;
    }

    std::string name(std::uint32_t vertex) const
    {
        const RouteVertex& v = graph_.vertices()[vertex];
        return node_name(network_, network_.nodes[v.row.value].first_node + v.first);
    }

    // The first link on the old or the new way whose delay contains the atom.
    std::size_t link_with(const Difference& difference, ValueExprId atom, double value)
    {
        for (const Assignment& assignment : {Assignment{}, Assignment{{atom, value}}}) {
            const PathGraph lanes = paths(assignment);
            std::optional<std::size_t> found;
            with_lengths(lanes, true, [&](const auto& rule) { found = link_on_way(lanes, rule, difference, atom); });
            if (found) return *found;
        }
        return graph_.edges()[difference.before.front()].lane / 2;
    }

    template <class Rule>
    std::optional<std::size_t> link_on_way(const PathGraph& lanes, const Rule& rule, const Difference& difference,
                                           ValueExprId atom)
    {
        PathSearch<Rule> search(lanes, rule);
        search.run(difference.destination);
        std::vector<std::uint32_t> open{difference.from};
        std::set<std::uint32_t> seen;
        while (!open.empty()) {
            const std::uint32_t at = open.back();
            open.pop_back();
            if (at == difference.destination || !seen.insert(at).second) continue;
            for (const std::uint32_t e : next_hops(lanes, search, at)) {
                for (const auto& [term, coefficient] : terms(e)) {
                    if (term == atom) return graph_.edges()[e].lane / 2;
                }
                open.push_back(graph_.edges()[e].to);
            }
        }
        return std::nullopt;
    }

    std::string tunable_names(const std::set<std::uint32_t>& tunables) const
    {
        std::string list;
        for (const std::uint32_t t : tunables)
            list += fmt::format("{}`{}`", list.empty() ? "" : ", ", network_.tunables[t].name);
        return list;
    }

    void report(const Difference& difference, ValueExprId atom, double value)
    {
        const std::set<std::uint32_t> tunables = forms_.tunables(atom);
        const TunableInfo& tunable = network_.tunables[*tunables.begin()];
        const LinkArray& link = network_.links[link_with(difference, atom, value)];
        const bool direct = network_.values.node(atom).op == ValueOp::tunable;
        const auto at = [&](double v) {
            return direct ? fmt::format("{} = {}", tunable.name, format_quantity(v, tunable.dim)) : std::string();
        };
        auto builder = diagnostics_.report(
            Diag::route_depends_on_tunable, link.span,
            fmt::format("the route from `{}` to `{}` depends on tunable {}, through the delay of link `{}`",
                        name(difference.from), name(difference.destination), tunable_names(tunables), link.name));
        builder.label(fmt::format("its delay depends on {}", tunable_names(tunables)));
        if (tunable.span.valid()) builder.also(tunable.span, "tunable declared here");
        if (direct) {
            builder.note(fmt::format("the next hop is {} where {}, {} where {}", hops(difference.before),
                                     at(tunable.value), hops(difference.after), at(value)));
        } else {
            builder.note(fmt::format("the next hop is {} or {}", hops(difference.before), hops(difference.after)));
        }
        std::string value_text = format_quantity(tunable.value, tunable.dim);
        std::erase(value_text, ' ');  // one word for the shell
        builder.help(
            fmt::format("routes are computed by the compiler: fix the value with `-D {}={}`, or narrow its range",
                        tunable.name, value_text));
    }

    void report_undecided(const std::set<ValueExprId>& atoms)
    {
        std::set<std::uint32_t> tunables;
        for (const ValueExprId atom : atoms) tunables.merge(forms_.tunables(atom));
        std::size_t link = 0;
        const std::vector<std::uint32_t> blocks = edge_blocks(graph_);
        for (std::size_t e = 0; e < blocks.size(); ++e) {
            if (blocks[e] == kBridge) continue;
            const auto of_edge = terms(static_cast<std::uint32_t>(e));
            if (!of_edge.empty() && atoms.contains(of_edge.front().first)) link = graph_.edges()[e].lane / 2;
        }
        diagnostics_
            .report(Diag::route_depends_on_tunable, network_.links[link].span,
                    fmt::format(
                        "cannot show that no route depends on tunables {}, through the delays of link `{}` and others",
                        tunable_names(tunables), network_.links[link].name))
            .note(fmt::format("up to {} independent delays on alternative paths are compared", kMostAtoms))
            .help("fix some of the values with -D");
    }

    const Network& network_;
    const RowGraph& graph_;
    const RoutingDomains& domains_;
    Diagnostics& diagnostics_;
    EdgeWeights others_ =
        edge_weights(network_, graph_, domains_, default_tunables(network_));  // where no delay counts
    AffineForms forms_;
    std::vector<std::uint32_t> destinations_;
};

}  // namespace

void check_tunable_dependence(const Network& network, const RowGraph& graph, const RoutingDomains& domains,
                              RouteScope scope, Diagnostics& diagnostics)
{
    const bool by_delay = network.metric == RouteMetric::delay ||
                          std::any_of(network.regions.begin(), network.regions.end(),
                                      [](const RoutingRegion& region) { return region.metric == RouteMetric::delay; });
    if (!network.tunables.empty() && by_delay) DependenceCheck(network, graph, domains, scope, diagnostics).run();
}

}  // namespace anml

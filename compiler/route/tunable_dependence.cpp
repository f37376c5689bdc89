// Compares next hops at the corners of the tunables' box, part by part; see the header for why that suffices.
#include "route/tunable_dependence.h"

#include <fmt/format.h>

#include <cmath>
#include <set>
#include <string>

#include "route/affine_delay.h"
#include "route/edge_blocks.h"
#include "route/network_queries.h"
#include "route/shortest_paths.h"

namespace anml {
namespace {

constexpr std::size_t kMostAtoms = 8;  // of one part: 2^8 corners, each a computation of all routes

using Assignment = std::map<ValueExprId, double>;  // atom to value; others stand at their default

class DependenceCheck {
  public:
    DependenceCheck(const Network& network, const RowGraph& graph, Diagnostics& diagnostics)
        : network_(network),
          graph_(graph),
          diagnostics_(diagnostics),
          forms_(network),
          destinations_(route_destinations(network, graph))
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
    struct Difference {
        std::uint32_t from, destination;  // vertices
        std::uint32_t before, after;      // edges, or kNoEdge
    };

    std::set<std::set<ValueExprId>> atoms_of_parts()
    {
        const std::vector<std::uint32_t> blocks = edge_blocks(graph_);
        std::map<std::uint32_t, std::set<ValueExprId>> by_block;
        for (std::size_t e = 0; e < blocks.size(); ++e) {
            if (blocks[e] == kBridge) continue;
            for (const auto& [atom, coefficient] : form(graph_.edges()[e].lane).terms) by_block[blocks[e]].insert(atom);
        }
        std::set<std::set<ValueExprId>> distinct;
        for (const auto& [block, atoms] : by_block) distinct.insert(atoms);
        return distinct;
    }

    const AffineForm& form(std::size_t lane) { return forms_.of(network_.links[lane / 2].delay[lane % 2]); }

    // In 1/1024 ns, so that rounding decides no tie that differs between corners by less than delays are given in.
    std::vector<std::int64_t> weights(const Assignment& assignment)
    {
        std::vector<std::int64_t> result;
        for (std::size_t lane = 0; lane < graph_.lanes(); ++lane) {
            const AffineForm& delay = form(lane);
            double sum = delay.constant;
            for (const auto& [atom, coefficient] : delay.terms) {
                const auto set = assignment.find(atom);
                sum += coefficient * (set != assignment.end() ? set->second : forms_.default_value(atom));
            }
            result.push_back(std::max<std::int64_t>(0, std::llround(sum * 1024)));
        }
        return result;
    }

    std::optional<Difference> compare(const Assignment& assignment)
    {
        const std::vector<std::int64_t> before = weights({}), after = weights(assignment);
        PathSolver solver_before(graph_, before), solver_after(graph_, after);
        for (const std::uint32_t destination : destinations_) {
            const PathTree& a = solver_before.towards(destination);
            const PathTree& b = solver_after.towards(destination);
            for (std::uint32_t v = 0; v < a.next.size(); ++v) {
                if (a.next[v] != b.next[v]) return Difference{v, destination, a.next[v], b.next[v]};
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

    std::string hop(std::uint32_t edge) const
    {
        const std::uint32_t link = graph_.edges()[edge].lowest;
        return fmt::format("`{}` (link `{}`)", node_name(network_, link_target(network_, link)),
                           link_name(network_, link));
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
            const std::vector<std::int64_t> lanes = weights(assignment);
            PathSolver solver(graph_, lanes);
            const PathTree& tree = solver.towards(difference.destination);
            std::uint32_t at = difference.from;
            for (std::size_t steps = 0; steps < tree.next.size() && tree.next[at] != PathTree::kNoEdge; ++steps) {
                const RouteEdge& edge = graph_.edges()[tree.next[at]];
                for (const auto& [term, coefficient] : form(edge.lane).terms) {
                    if (term == atom) return edge.lane / 2;
                }
                at = edge.to;
                if (at == difference.destination) break;
            }
        }
        return graph_.edges()[difference.before].lane / 2;
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
        const LinkGroup& link = network_.links[link_with(difference, atom, value)];
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
            builder.note(fmt::format("the next hop is {} where {}, {} where {}", hop(difference.before),
                                     at(tunable.value), hop(difference.after), at(value)));
        } else {
            builder.note(fmt::format("the next hop is {} or {}", hop(difference.before), hop(difference.after)));
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
            const auto& terms = form(graph_.edges()[e].lane).terms;
            if (!terms.empty() && atoms.contains(terms.front().first)) link = graph_.edges()[e].lane / 2;
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
    Diagnostics& diagnostics_;
    AffineForms forms_;
    std::vector<std::uint32_t> destinations_;
};

}  // namespace

void check_tunable_dependence(const Network& network, const RowGraph& graph, Diagnostics& diagnostics)
{
    if (!network.tunables.empty()) DependenceCheck(network, graph, diagnostics).run();
}

}  // namespace anml

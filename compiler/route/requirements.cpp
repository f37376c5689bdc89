// Path queries answered along the computed routes, put in their requirements' place, and what that decides.
//
// rtt: the sum of propagation delays there and back, in ns; hops: links on the way there; reachable: 1 if there is a
// way both there and back; bottleneck: the least rate on the way there, bit/s. With several paths, of the worst.
// Without a way rtt and hops are infinite and the bottleneck is 0. A query of a later time is answered by the tables,
// delays and rates of that time.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analysis/network_queries.h"
#include "analysis/timeline/epochs.h"
#include "analysis/timeline/link_values.h"
#include "analysis/timeline/network_moment.h"
#include "analysis/timeline/route_epochs.h"
#include "analysis/traffic/expected_load.h"
#include "base/values/value_walk.h"
#include "route/route.h"
#include "route/search/missing_path.h"
#include "route/search/path_figures.h"

namespace anml {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class RequirementResolver {
  public:
    RequirementResolver(const Network& network, const RouteTables& routes, Diagnostics& diagnostics)
        : network_(network),
          routes_(routes),
          diagnostics_(diagnostics),
          defaults_(default_tunables(network)),
          ranges_(tunable_ranges(network)),
          links_(network),
          states_(network, routes)
    {
        result_.values = network.values;
    }

    std::optional<Requirements> run(std::vector<double>* answers)
    {
        const std::size_t errors = diagnostics_.errors();
        for (const PathQuery& query : network_.queries) answers_.push_back(answer(query));
        if (answers)
            for (const ValueExprId id : answers_) answers->push_back(result_.values.evaluate(id, defaults_));
        for (const RequirementInfo& requirement : network_.requirements) resolve(requirement);
        if (diagnostics_.errors() != errors) return std::nullopt;
        return std::move(result_);
    }

  private:
    ValueExprId answer(const PathQuery& query)
    {
        ValuePool& values = result_.values;
        std::vector<std::vector<PathLink>> there, back;
        const RouteState& tables = tables_at(query.time);
        const bool arrives =
            !query.of_links() && trace_paths(network_, routes_, query.from, query.to, there, &tables);
        const bool reachable = arrives && trace_paths(network_, routes_, query.to, query.from, back, &tables);
        switch (query.function) {
            case PathFunction::reachable:
                return values.constant(reachable ? 1 : 0);
            case PathFunction::hops:
                return values.constant(arrives ? static_cast<double>(there.size()) : kInfinity);
            case PathFunction::rtt:
                if (!reachable) return values.constant(kInfinity);
                return round_trip(query, there, back);
            case PathFunction::bottleneck:
                if (!arrives) return values.constant(0);
                return least_rate(there, query.time);
            case PathFunction::bdp:
                if (!reachable) return values.constant(0);
                return bandwidth_delay_product(query, there, back);
            case PathFunction::via:
                return values.constant(arrives && passes(network_, there, query.from, query.to, query.third) ? 1 : 0);
            case PathFunction::disjoint: {
                const bool other = trace_paths(network_, routes_, query.third, query.fourth, back, &tables);
                return values.constant(arrives && other && shared_link(there, back) == kNoLink ? 1 : 0);
            }
            case PathFunction::path:
                return values.constant(arrives && leads_by(network_, there, query.between) ? 1 : 0);
            case PathFunction::disjoint_paths:
                return values.constant(disjoint_paths(query));
            case PathFunction::load:
                return values.constant(load(query));
            case PathFunction::max_load:
                return values.constant(loads_at(query.time).greatest().load);
        }
        return values.constant(0);
    }

    ExpectedLoads& loads_at(double time)
    {
        const auto [at, fresh] = loads_.try_emplace(time);
        MomentLoads& found = at->second;
        if (fresh) {
            std::optional<RouteTables> tables;
            if (time > 0 || acts_at_start(network_)) {
                found.moment.emplace(network_, time);
                tables = found.moment->tables(routes_);
            }
            found.loads.emplace(network_, tables ? *tables : routes_, found.moment ? &*found.moment : nullptr);
        }
        return *found.loads;
    }

    // With tunables at their defaults.
    double load(const PathQuery& query)
    {
        const LinkArray& row = network_.links[query.link.row.value];
        const std::uint32_t link = row.first_link + 2 * query.link.first;
        ExpectedLoads& loads = loads_at(query.time);
        const bool up = query.direction != abi::MeasurePhase::down;
        const bool down = query.direction != abi::MeasurePhase::up && !row.one_way;
        return std::max(up ? loads.of(link) : 0, down ? loads.of(link + 1) : 0);
    }

    // Over the links that are up at that time.
    double disjoint_paths(const PathQuery& query)
    {
        const EdgeWeights& weights = weights_at(query.time);
        return count_disjoint_paths(network_, *graph_, weights, query.from, query.to);
    }

    const EdgeWeights& weights_at(double time)
    {
        if (!graph_) {
            graph_.emplace(network_);
            const RoutingDomains domains(network_, *graph_);
            policy_ = domains.policy();
            first_weights_ = edge_weights(network_, *graph_, domains, defaults_);
            Diagnostics ignored;  // the epochs were planned before
            if (auto later = plan_epochs(network_, *graph_, domains, first_weights_, ignored))
                epochs_ = std::move(*later);
        }
        const auto later = std::partition_point(epochs_.begin(), epochs_.end(),
                                                [&](const Epoch& epoch) { return epoch.time <= time; });
        const auto begun = static_cast<std::size_t>(later - epochs_.begin());
        if (weights_.empty() || begun < weighed_) {
            weights_ = first_weights_;
            weighed_ = 0;
        }
        for (; weighed_ < begun; ++weighed_) change_weights(weights_, epochs_[weighed_].changes);
        return weights_;
    }

    std::optional<std::pair<std::uint32_t, std::uint32_t>> missing(const PathQuery& query)
    {
        return missing_way(network_, routes_, query, tables_at(query.time));
    }

    // The lowest rate on the way there by the longest round trip, in bytes.
    ValueExprId bandwidth_delay_product(const PathQuery& query, const PathSteps& there, const PathSteps& back)
    {
        ValuePool& values = result_.values;
        constexpr double kBitNanoseconds = 8e9;  // in a byte per second
        const ValueExprId product =
            values.make(ValueOp::mul, least_rate(there, query.time), round_trip(query, there, back));
        return values.make(ValueOp::div, product, values.constant(kBitNanoseconds));
    }

    ValueExprId round_trip(const PathQuery& query, const PathSteps& there, const PathSteps& back)
    {
        const ValueExprId way = longest(there, query.from, query.to, result_.values.constant(0), query.time);
        return longest(back, query.to, query.from, way, query.time);
    }

    // The delay of the slowest of the paths between two nodes, added to `before`.
    ValueExprId longest(const PathSteps& steps, std::uint32_t from, std::uint32_t to, ValueExprId before, double time)
    {
        ValuePool& values = result_.values;
        std::map<std::uint32_t, ValueExprId> at{{from, before}};  // by node
        for (const std::vector<PathLink>& step : steps) {
            std::map<std::uint32_t, ValueExprId> next;
            if (const auto arrived = at.find(to); arrived != at.end()) next.insert(*arrived);
            for (const PathLink& hop : step) {
                const ValueExprId sum =
                    values.make(ValueOp::add, at.at(link_source(network_, hop.link)),
                                links_.value(values, hop.link, abi::TimelineAttribute::delay, time));
                const auto [place, fresh] = next.try_emplace(link_target(network_, hop.link), sum);
                if (!fresh && place->second != sum) place->second = values.make(ValueOp::max, place->second, sum);
            }
            at = std::move(next);
        }
        return at.begin()->second;
    }

    ValueExprId least_rate(const std::vector<std::vector<PathLink>>& steps, double time)
    {
        if (steps.empty()) return result_.values.constant(kInfinity);
        const auto rate_of = [&](const PathLink& hop) {
            return links_.value(result_.values, hop.link, abi::TimelineAttribute::rate, time);
        };
        ValueExprId least = rate_of(steps[0][0]);
        for (const std::vector<PathLink>& step : steps) {
            for (const PathLink& hop : step) {
                const ValueExprId rate = rate_of(hop);
                if (rate != least) least = result_.values.make(ValueOp::min, least, rate);
            }
        }
        return least;
    }

    const RouteState& tables_at(double time) { return states_.at(time); }

    // The query whose answer this stands for.
    std::optional<std::size_t> query_at(ValueExprId id) const
    {
        const ValueNode& node = result_.values.node(id);
        if (node.op != ValueOp::tunable || node.a < network_.tunables.size() || node.a >= kFirstMeasure)
            return std::nullopt;
        return node.a - network_.tunables.size();
    }

    // The measure for which this stands.
    std::optional<std::size_t> measure_at(ValueExprId id) const
    {
        const ValueNode& node = result_.values.node(id);
        if (node.op != ValueOp::tunable || node.a < kFirstMeasure) return std::nullopt;
        return node.a - kFirstMeasure;
    }

    // The expression with answers in the place of their placeholders.
    ValueExprId substitute(ValueExprId expression)
    {
        ValuePool& values = result_.values;
        const auto known = [&](ValueExprId id) { return substituted_.contains(id); };
        visit_operands_first(values, expression, known, [&](ValueExprId id) {
            const ValueNode node = values.node(id);
            const int count = operand_count(node.op);
            const auto operand = [&](int i, ValueExprId part) { return i < count ? substituted_.at(part) : part; };
            ValueExprId whole = id;
            if (const auto query = query_at(id))
                whole = answers_[*query];
            else if (const auto measure = measure_at(id))
                whole = values.tunable(places_.at(*measure));
            else if (count != 0)
                whole = values.make(node.op, operand(0, node.a), operand(1, node.b), operand(2, node.c));
            substituted_.emplace(id, whole);
        });
        return substituted_.at(expression);
    }

    // What `at` says of its parts, in the order in which they stand in it, each once.
    template <class At>
    std::vector<std::size_t> found_in(ValueExprId expression, At&& at) const
    {
        std::vector<std::size_t> found;
        std::set<ValueExprId> seen;
        const auto known = [&](ValueExprId id) { return seen.contains(id); };
        visit_operands_first(result_.values, expression, known, [&](ValueExprId id) {
            seen.insert(id);
            if (const auto index = at(id)) found.push_back(*index);
        });
        return found;
    }
    std::vector<std::size_t> queries_in(ValueExprId expression) const
    {
        return found_in(expression, [&](ValueExprId id) { return query_at(id); });
    }
    std::vector<std::size_t> measures_in(ValueExprId expression) const
    {
        return found_in(expression, [&](ValueExprId id) { return measure_at(id); });
    }

    void add_threshold(const RequirementInfo& requirement, const std::vector<std::size_t>& measures)
    {
        Threshold threshold{requirement, {}, {}};
        const std::uint32_t first = static_cast<std::uint32_t>(network_.tunables.size()) + measures_;
        places_.clear();
        substituted_.clear();
        for (const std::size_t m : measures) {
            places_.emplace(m, static_cast<std::uint32_t>(network_.tunables.size()) + measures_++);
            threshold.measures.push_back(network_.measures[m]);
        }
        threshold.requirement.holds = substitute(requirement.holds);
        threshold.bounds = bounds_in(threshold.requirement.holds, first, measures.size());
        result_.thresholds.push_back(std::move(threshold));
    }

    // What so many measures, tunables from `first` on, are compared with, in a condition of `and`, `or` and `not`. What
    // one has to differ from bounds it on both sides, and neither includes it.
    std::vector<MeasureBounds> bounds_in(ValueExprId condition, std::uint32_t first, std::size_t count) const
    {
        std::vector<MeasureBounds> bounds(count);
        const ValuePool& values = result_.values;
        const auto is_measure = [&](ValueExprId id) {
            return values.node(id).op == ValueOp::tunable && values.node(id).a >= first;
        };
        const auto measured = [&](ValueExprId id) {
            const auto at = [&](ValueExprId part) {
                return is_measure(part) ? std::optional<std::size_t>(part) : std::nullopt;
            };
            return !found_in(id, at).empty();
        };
        std::set<std::pair<ValueExprId, bool>> seen;
        std::vector<std::pair<ValueExprId, bool>> parts{{condition, true}};  // whether it is to hold
        while (!parts.empty()) {
            const auto [id, wanted] = parts.back();
            parts.pop_back();
            if (!seen.insert({id, wanted}).second) continue;
            const ValueNode& node = values.node(id);
            if (node.op == ValueOp::not_) parts.emplace_back(node.a, !wanted);
            if (node.op == ValueOp::and_ || node.op == ValueOp::or_) {
                parts.emplace_back(node.b, wanted);
                parts.emplace_back(node.a, wanted);
            }
            const bool less = node.op == ValueOp::lt || node.op == ValueOp::le;
            const bool both = node.op == ValueOp::eq || node.op == ValueOp::ne;
            if (!less && !both && node.op != ValueOp::gt && node.op != ValueOp::ge) continue;
            const bool left = is_measure(node.a);
            if (!left && !is_measure(node.b)) continue;
            const ValueExprId other = left ? node.b : node.a;
            if (measured(other)) continue;
            MeasureBounds& of = bounds[values.node(left ? node.a : node.b).a - first];
            const bool strict = node.op == ValueOp::lt || node.op == ValueOp::gt;
            const bool below = (less == left) == wanted;
            const MeasureBounds::Bound bound{other, both ? (node.op == ValueOp::eq) == wanted : strict != wanted};
            if ((below || both) && !of.below.value) of.below = bound;
            if ((!below || both) && !of.above.value) of.above = bound;
        }
        return bounds;
    }

    void resolve(const RequirementInfo& requirement)
    {
        if (const auto measures = measures_in(requirement.holds); !measures.empty())
            return add_threshold(requirement, measures);
        const ValueExprId holds = substitute(requirement.holds);
        const bool now = result_.values.evaluate(holds, defaults_) != 0;
        const ValuePool::Interval range = result_.values.bounds(holds, ranges_);
        const bool never = range.low == 0 && range.high == 0;
        const bool always = range.low > 0 || range.high < 0;
        if (!now || never) return fail(requirement, never && !network_.tunables.empty());
        if (always) return;
        RequirementInfo residual = requirement;
        residual.holds = holds;
        result_.residual.push_back(std::move(residual));
    }

    // "rtt(a, b) is 3 ms", and what shows why.
    std::string figure(std::size_t index)
    {
        const PathQuery& query = network_.queries[index];
        const double value = result_.values.evaluate(answers_[index], defaults_);
        const auto node = [&](std::uint32_t id) { return node_name(network_, id); };
        if (query.of_links()) return load_figure(query, value);
        std::string nodes = node(query.from) + ", " + node(query.to), shown;
        switch (query.function) {
            case PathFunction::via:
                nodes += ", " + node(query.third);
                shown = (value != 0 ? "true: " : "false: ") + way(query);
                break;
            case PathFunction::path: {
                std::string between;
                for (const std::uint32_t id : query.between) between += (between.empty() ? "" : ", ") + node(id);
                nodes += fmt::format(", [{}]", between);
                shown = (value != 0 ? "true: " : "false: ") + way(query);
                break;
            }
            case PathFunction::disjoint:
                nodes += ", " + node(query.third) + ", " + node(query.fourth);
                shown = value != 0 ? "true" : "false: " + why_not_disjoint(query);
                break;
            case PathFunction::reachable:
                shown = value != 0 ? "true" : "false";
                break;
            case PathFunction::hops:
            case PathFunction::disjoint_paths:
                shown = std::isfinite(value) ? fmt::format("{}", value) : "infinite";
                break;
            default:
                shown = !std::isfinite(value) ? "infinite" : format_quantity(value, dimension_of(query.function));
        }
        if (const auto ends = missing(query); ends && query.function != PathFunction::via)
            shown += network_.nodes[node_row_of(network_, ends->second)].kind == abi::NodeKind::switch_
                         ? fmt::format(": {} is a switch, which has no address; ask for a host or router behind it",
                                       node(ends->second))
                         : fmt::format(": there is no path from {} to {}", node(ends->first), node(ends->second));
        if (query.time != 0) shown += fmt::format(" at {}", format_quantity(query.time, dimension::time));
        return fmt::format("{}({}) is {}", path_function_name(query.function), nodes, shown);
    }

    // "load(core) is 93 %", "max_load() is 93 %: core from a to b".
    std::string load_figure(const PathQuery& query, double value)
    {
        std::string text = fmt::format("{} is {}", load_query_text(network_, query), percent_text(value));
        if (query.function == PathFunction::max_load && value > 0) {
            const std::uint32_t link = loads_at(query.time).greatest().link;
            text += fmt::format(": {} from {} to {}", link_name(network_, link),
                                node_name(network_, link_source(network_, link)),
                                node_name(network_, link_target(network_, link)));
        }
        if (query.time != 0) text += fmt::format(" at {}", format_quantity(query.time, dimension::time));
        return text;
    }

    static Dimension dimension_of(PathFunction function)
    {
        return function == PathFunction::rtt   ? dimension::time
               : function == PathFunction::bdp ? dimension::size
                                               : dimension::rate;
    }

    std::string way(const PathQuery& query)
    {
        PathSteps steps;
        if (!trace_paths(network_, routes_, query.from, query.to, steps, &tables_at(query.time)))
            return "there is no path";
        return "the way is " + show_path(network_, steps, query.from);
    }

    std::string why_not_disjoint(const PathQuery& query)
    {
        PathSteps first, second;
        const RouteState& tables = tables_at(query.time);
        for (const auto& [from, to, steps] :
             {std::tuple(query.from, query.to, &first), std::tuple(query.third, query.fourth, &second)})
            if (!trace_paths(network_, routes_, from, to, *steps, &tables))
                return fmt::format("there is no path from {} to {}", node_name(network_, from),
                                   node_name(network_, to));
        return "both cross " + link_name(network_, shared_link(first, second));
    }

    void fail(const RequirementInfo& requirement, bool never)
    {
        // Words of the model's own do not say what they are about.
        std::string message = requirement.message;
        const bool own = !(message.starts_with("`") && message.ends_with("` does not hold"));
        if (own) message = message.empty() ? "requirement failed" : "requirement failed: " + message;
        auto builder = diagnostics_.report(Diag::requirement_failed, requirement.span, message);
        if (!requirement.instance.empty()) builder.in(requirement.instance);
        const std::vector<std::size_t> shown = queries_in(requirement.holds);
        for (const std::size_t query : shown) builder.note(figure(query));
        for (const auto& [loop, round] : requirement.rounds) builder.also(loop, round);
        for (const std::size_t query : shown) {
            const auto ends = missing(network_.queries[query]);
            if (!ends) continue;
            const EdgeWeights& weights = weights_at(network_.queries[query].time);
            const double time = network_.queries[query].time;
            const bool changing = explain_changing_routes(network_, routes_, tables_at(time), time, *ends, builder);
            explain_missing_path(network_, *graph_, weights, policy_ && !changing, ends->first, ends->second, builder,
                                 first_weights_);
            break;
        }
        if (network_.tunables.empty()) return;
        std::string at;
        for (const TunableInfo& tunable : network_.tunables) {
            at += fmt::format("{}{} = {}", at.empty() ? "" : ", ", tunable.name,
                              format_quantity(tunable.value, tunable.dim));
        }
        builder.note(never ? "it fails over the whole range of the tunables"
                           : fmt::format("with the tunables at their defaults: {}", at));
    }

    const Network& network_;
    const RouteTables& routes_;
    Diagnostics& diagnostics_;
    std::vector<double> defaults_;
    std::vector<ValuePool::Interval> ranges_;
    TimedLinks links_;
    std::optional<RowGraph> graph_;  // of weights_at
    bool policy_ = false;            // there are several autonomous systems
    EdgeWeights first_weights_;
    std::vector<Epoch> epochs_;  // behind the first one
    EdgeWeights weights_;        // when so many of them have begun
    std::size_t weighed_ = 0;
    RouteEpochs states_;
    struct MomentLoads {
        std::optional<NetworkMoment> moment;
        std::optional<ExpectedLoads> loads;
    };
    std::map<double, MomentLoads> loads_;  // by time, ns
    std::vector<ValueExprId> answers_;  // by query
    std::unordered_map<ValueExprId, ValueExprId> substituted_;
    std::map<std::size_t, std::uint32_t> places_;  // of the measures of one threshold, by index: tunables
    std::uint32_t measures_ = 0;                   // of all thresholds so far
    Requirements result_;
};

}  // namespace

std::optional<Requirements> resolve_requirements(const Network& network, const RouteTables& routes,
                                                 Diagnostics& diagnostics, std::vector<double>* answers)
{
    return RequirementResolver(network, routes, diagnostics).run(answers);
}

}  // namespace anml

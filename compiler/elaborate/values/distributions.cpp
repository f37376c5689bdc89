// Distributions: what draws becomes an expression over uniform numbers. Constants, uniform and exponential
// distributions by themselves stay what they are: the runtime draws from them without an expression.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/values/sample_tree.h"
#include "elaborate/model.h"

namespace anml {
namespace {

using Kind = abi::DistributionKind;
constexpr double kMostRanks = 9007199254740992.0;  // integers are exact up to 2^53
constexpr double kSteepest = 100;                  // exponent of a Zipf distribution

// Reports what never holds; what depends on a tunable is checked when the emulator starts, too. What is itself random
// may be anything: the range of the attribute that takes the draw bounds it.
bool argument_holds(Elaboration& in, ValueExprId holds, std::string message, Span place)
{
    const ValuePool& pool = in.network.values;
    // What paths or measures say is not known yet: `rtt(a, b) ± 1 %`.
    for (const std::uint32_t tunable : tunables_in(in.network.values, holds))
        if (tunable >= in.network.tunables.size()) return true;
    const bool random = pool.is_random(holds);
    if (random ? pool.bounds(holds, in.tunable_ranges).high == 0 : pool.evaluate(holds, in.tunable_defaults) == 0) {
        in.report(Diag::out_of_range, place, std::move(message));
        return false;
    }
    if (!random) require(in, holds, std::move(message), place, true);
    return true;
}

// `places`: of the arguments.
Value distribution(Elaboration& in, Builtin function, const std::vector<ValueExprId>& given,
                   const std::vector<Span>& places)
{
    ValuePool& pool = in.network.values;
    const auto make = [&](ValueOp op, ValueExprId a, ValueExprId b = 0, ValueExprId c = 0) {
        return pool.make(op, a, b, c);
    };
    const auto holds = [&](std::size_t argument, ValueOp op, double bound, std::string_view what) {
        return argument_holds(in, make(op, given[argument], in.constant(bound)),
                              fmt::format("`{}` wants {}", builtin_name(function), what), places[argument]);
    };
    const auto ordered = [&](std::size_t low, std::size_t high) {
        return argument_holds(in, make(ValueOp::le, given[low], given[high]),
                              fmt::format("the range of `{}` is empty", builtin_name(function)), places[low]);
    };
    const ValueExprId unit = pool.unit(), left = make(ValueOp::sub, in.constant(1), unit);  // both from 0 to 1
    const bool fixed = given.size() < 2 || !pool.is_random(given[1]);
    switch (function) {
        case Builtin::constant:
            if (pool.is_random(given[0])) return drawn(in.network.values, given[0]);
            return {DistributionValue{Kind::constant, given[0], 0}};
        case Builtin::exponential: {
            const DistributionValue plain{Kind::exponential, given[0], 0};
            return pool.is_random(given[0]) ? drawn(in.network.values, expression_of(in.network.values, plain))
                                            : Value{plain};
        }
        case Builtin::uniform: {
            if (!ordered(0, 1)) return {Failed{}};
            const DistributionValue plain{Kind::uniform, given[0], given[1]};
            return pool.is_random(given[0]) || !fixed
                       ? drawn(in.network.values, expression_of(in.network.values, plain))
                       : Value{plain};
        }
        case Builtin::normal:
            if (!holds(1, ValueOp::ge, 0, "a deviation of 0 or more")) return {Failed{}};
            return drawn(in.network.values,
                         make(ValueOp::add, given[0], make(ValueOp::mul, given[1], make(ValueOp::normal, unit))));
        case Builtin::lognormal: {
            if (!holds(1, ValueOp::ge, 0, "a sigma of 0 or more")) return {Failed{}};
            const ValueExprId exponent = make(ValueOp::mul, given[1], make(ValueOp::normal, unit));
            return drawn(in.network.values, make(ValueOp::mul, given[0], make(ValueOp::exp, exponent)));
        }
        case Builtin::pareto:
            if (!holds(1, ValueOp::gt, 0, "a shape above 0")) return {Failed{}};
            return drawn(
                in.network.values,
                make(ValueOp::mul, given[0], make(ValueOp::pow, left, make(ValueOp::div, in.constant(-1), given[1]))));
        case Builtin::weibull: {
            if (!holds(1, ValueOp::gt, 0, "a shape above 0")) return {Failed{}};
            const ValueExprId exponential = make(ValueOp::neg, make(ValueOp::log, left));
            return drawn(in.network.values,
                         make(ValueOp::mul, given[0],
                              make(ValueOp::pow, exponential, make(ValueOp::div, in.constant(1), given[1]))));
        }
        case Builtin::zipf:
            if (!holds(0, ValueOp::ge, 1, "1 rank or more") ||
                !holds(0, ValueOp::le, kMostRanks, "2^53 ranks or fewer") ||
                !holds(1, ValueOp::ge, 0, "an exponent from 0 to 100") ||
                !holds(1, ValueOp::le, kSteepest, "an exponent from 0 to 100"))
                return {Failed{}};
            return drawn(in.network.values, make(ValueOp::zipf, given[0], given[1]));
        case Builtin::geometric: {
            if (!holds(0, ValueOp::gt, 0, "a probability above 0") ||
                !holds(0, ValueOp::le, 1, "a probability from 0 to 1"))
                return {Failed{}};
            // ln(1 - p), where p may be 1.
            const ValueExprId failure =
                make(ValueOp::max, make(ValueOp::sub, in.constant(1), given[0]), in.constant(1e-300));
            const ValueExprId failures = make(ValueOp::div, make(ValueOp::log, left), make(ValueOp::log, failure));
            return drawn(in.network.values, make(ValueOp::add, in.constant(1), make(ValueOp::floor, failures)));
        }
        case Builtin::chance:
            if (!holds(0, ValueOp::ge, 0, "a probability from 0 to 1") ||
                !holds(0, ValueOp::le, 1, "a probability from 0 to 1"))
                return {Failed{}};
            return drawn(in.network.values, make(ValueOp::lt, unit, given[0]));
        case Builtin::truncated: {
            if (!ordered(1, 2)) return {Failed{}};
            const ValueExprId meets =
                make(ValueOp::and_, make(ValueOp::le, given[0], given[2]), make(ValueOp::ge, given[0], given[1]));
            if (!argument_holds(in, meets, "what `truncated` takes is never within its bounds", places[0]))
                return {Failed{}};
            return drawn(in.network.values, make(ValueOp::truncate, given[0], given[1], given[2]));
        }
        default:
            return {Failed{}};
    }
}

// The first with its share of all weights, else the second with its share of the others' ...
Value mixture(Elaboration& in, const Expr& e, Frame& frame)
{
    ValuePool& pool = in.network.values;
    std::array<std::vector<ValueExprId>, 2> given;
    std::array<Span, 2> places;
    for (std::size_t i = 0; i < 2; ++i) {
        const ExprId operand = in.program.operands_of(e)[i];
        places[i] = in.program.expr(operand).span;
        const Value list = evaluate(in, operand, frame);
        const auto* values = list.as<std::shared_ptr<const ListValue>>();
        if (!values) return {Failed{}};
        for (const Value& v : **values) {
            const auto n = number_in(in.network.values, v);
            if (!n) return {Failed{}};
            given[i].push_back(*n);
        }
    }
    const auto& [weights, parts] = given;
    if (weights.size() != parts.size() || parts.empty())
        return failed(in.report(Diag::shape_mismatch, e.span,
                                fmt::format("{} weight{} for {} distribution{}", weights.size(),
                                            weights.size() == 1 ? "" : "s", parts.size(), parts.size() == 1 ? "" : "s"))
                          .help("each distribution of a mixture has a weight of its own"));
    ValueExprId result = parts.back(), rest = weights.back();
    if (!argument_holds(in, pool.make(ValueOp::ge, rest, in.constant(0)), "a negative weight of `mixture`", places[0]))
        return {Failed{}};
    for (std::size_t i = parts.size() - 1; i-- > 0;) {
        if (!argument_holds(in, pool.make(ValueOp::ge, weights[i], in.constant(0)), "a negative weight of `mixture`",
                            places[0]))
            return {Failed{}};
        rest = pool.make(ValueOp::add, rest, weights[i]);
        // Where the rest weighs nothing it is never drawn, and its share does not matter.
        const ValueExprId whole = pool.make(ValueOp::max, rest, in.constant(1e-300));
        const ValueExprId share = pool.make(ValueOp::div, weights[i], whole);
        result = pool.make(ValueOp::select, pool.make(ValueOp::lt, pool.unit(), share), parts[i], result);
    }
    if (!argument_holds(in, pool.make(ValueOp::gt, rest, in.constant(0)), "the weights of `mixture` are all 0",
                        places[0]))
        return {Failed{}};
    return drawn(in.network.values, result);
}

}  // namespace

double mean_of(const Network& network, const DistributionValue& d, const std::vector<double>& tunables)
{
    if (d.kind == Kind::computed) return estimate_mean(network.values, d.a, tunables);
    const double a = network.values.evaluate(d.a, tunables);
    return d.kind == Kind::uniform ? (a + network.values.evaluate(d.b, tunables)) / 2 : a;
}

Value drawn(const ValuePool& values, ValueExprId id)
{
    if (!values.is_random(id)) return {Number{id}};
    return {DistributionValue{Kind::computed, id, 0}};
}

ValueExprId expression_of(ValuePool& values, const DistributionValue& d)
{
    ValuePool& pool = values;
    switch (d.kind) {
        case Kind::constant:
        case Kind::computed:
            return d.a;
        case Kind::uniform: {
            const ValueExprId width = pool.make(ValueOp::sub, d.b, d.a);
            return pool.make(ValueOp::add, d.a, pool.make(ValueOp::mul, width, pool.unit()));
        }
        case Kind::exponential: {
            const ValueExprId log = pool.make(ValueOp::log, pool.make(ValueOp::sub, values.constant(1), pool.unit()));
            return pool.make(ValueOp::mul, pool.make(ValueOp::neg, d.a), log);
        }
    }
    return d.a;
}

Value distribution_call(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    ValuePool& pool = in.network.values;
    if (function == Builtin::mixture) return mixture(in, e, frame);
    if (function == Builtin::empirical)
        return drawn(in.network.values, pool.empirical(in.program.tables[static_cast<std::size_t>(e.value)]));
    if (function == Builtin::cumulative) return cumulative(in, e, frame);
    std::vector<ValueExprId> given;
    std::vector<Span> places;
    for (const ExprId operand : in.program.operands_of(e)) {
        const auto v = number(in, operand, frame);
        if (!v) return {Failed{}};
        given.push_back(*v);
        places.push_back(in.program.expr(operand).span);
    }
    return distribution(in, function, given, places);
}

Value process(Elaboration& in, const Expr& e, Frame& frame)
{
    const Process& p = in.program.processes[e.index];
    Frame own;
    own.slots.resize(p.slot_count);
    const std::size_t before = in.report.errors();
    Construct* outer = std::exchange(in.construct, nullptr);
    const Span outer_use = in.report.leading_from(e.span);
    const auto leave = [&] {
        in.report.led_from = outer_use;
        in.construct = outer;
    };
    bind_parameters(in, p.parameters, in.program.operands_of(e), frame, own, e.span);
    if (in.report.errors() != before) return leave(), Value{Failed{}};

    std::vector<std::uint32_t> key{e.index};
    for (const Parameter& parameter : p.parameters)
        if (const auto n = number_in(in.network.values, own.slots[parameter.slot])) key.push_back(*n);
    const bool plain = key.size() == 1 + p.parameters.size();
    if (const auto known = in.processes.find(key); plain && known != in.processes.end())
        return leave(), drawn(in.network.values, known->second);

    ValuePool& pool = in.network.values;
    const std::uint32_t index = pool.declare_process();
    RandomProcess made;
    made.name = p.name;
    made.dim = p.type.dim;
    made.truth = p.type.kind == TypeKind::boolean;
    made.variables.resize(p.variables.size());
    for (std::size_t i = 0; i < p.variables.size(); ++i) {
        made.variables[i].name = p.variables[i].name;
        made.variables[i].dim = p.variables[i].type.dim;
        made.variables[i].truth = p.variables[i].type.kind == TypeKind::boolean;
    }
    bool fine = true;
    const auto compute = [&](ExprId id, ValueExprId& to) {
        const auto n = number(in, id, own);
        fine = fine && n;
        to = n.value_or(0);
    };
    for (std::size_t i = 0; i < p.variables.size(); ++i) compute(p.variables[i].initial, made.variables[i].initial);
    for (std::uint32_t i = 0; i < p.variables.size(); ++i)
        own.slots[p.variables[i].slot] =
            drawn(in.network.values, pool.state(index, i, p.variables[i].type.kind == TypeKind::boolean));
    for (std::size_t i = 0; i < p.variables.size(); ++i) compute(p.variables[i].next, made.variables[i].next);
    compute(p.yield, made.yield);
    leave();
    if (!fine) return {Failed{}};
    const ValueExprId result = pool.define_process(index, std::move(made));
    if (plain) in.processes.emplace(std::move(key), result);
    return drawn(in.network.values, result);
}

bool check_random_range(Elaboration& in, const DistributionValue& value, ValueExprId low, ValueExprId high,
                        std::string_view limits, const Type& type, std::string_view name, Span span, Span declared)
{
    const ValuePool& pool = in.network.values;
    std::vector<ValuePool::Interval> at_default;
    for (const double v : in.tunable_defaults) at_default.push_back({v, v});
    const ValuePool::Interval reach = pool.bounds(value.a, at_default);
    const double least = pool.evaluate(low, in.tunable_defaults), most = pool.evaluate(high, in.tunable_defaults);
    // An end that is open is cut off; one that is not was meant.
    std::optional<double> outside;
    if (reach.low > most || (std::isfinite(reach.low) && reach.low < least)) outside = reach.low;
    if (reach.high < least || (std::isfinite(reach.high) && reach.high > most)) outside = reach.high;
    if (!outside) return true;
    auto message =
        in.report(Diag::out_of_range, span,
                  fmt::format("`{}` can be {}, outside {}", name, format_quantity(*outside, type.dim), limits));
    if (declared != span) message.also(declared, "its range is declared here");
    message.help("`min`, `max` or `truncated` keep it within bounds");
    return false;
}

Value within(Elaboration& in, const Value& value, const ValueRange& range, Frame& frame, Span span)
{
    const DistributionValue* d = value.as<DistributionValue>();
    if (!d || d->kind != Kind::computed) return value;
    ValuePool& pool = in.network.values;
    if (mentions(pool, d->a) >= kTooManyMentions)
        return failed(in.report(Diag::expression_too_large, span, "this draws too often")
                          .label(fmt::format("{} parts or more, once written out", kTooManyMentions))
                          .help("each mention of a name that stands for a distribution draws for itself"));
    if (!range.low) return value;
    const auto low = number(in, range.low, frame), high = number(in, range.high, frame);
    if (!low || !high) return {Failed{}};
    const ValuePool::Interval reach = pool.bounds(d->a, in.tunable_ranges),
                              least = pool.bounds(*low, in.tunable_ranges),
                              most = pool.bounds(*high, in.tunable_ranges);
    if (reach.low >= least.high && reach.high <= most.low) return value;
    // In this order what is no number becomes the upper bound.
    return drawn(in.network.values, pool.make(ValueOp::max, *low, pool.make(ValueOp::min, *high, d->a)));
}

}  // namespace anml

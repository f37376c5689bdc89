// Expressions: to values in the frame of an instance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/values/value_walk.h"
#include "elaborate/addressing/addressing.h"
#include "elaborate/model.h"
#include "elaborate/topology/topology.h"

namespace anml {
namespace {

Value conditional(Elaboration& in, const Expr& e, Frame& frame)
{
    const auto operands = in.program.operands_of(e);
    const auto condition = number(in, operands[0], frame);
    if (!condition) return {Failed{}};
    if (const auto c = in.network.values.as_constant(*condition)) return evaluate(in, operands[*c != 0 ? 1 : 2], frame);
    const Value a = evaluate(in, operands[1], frame), b = evaluate(in, operands[2], frame);
    const auto x = number_in(in.network.values, a), y = number_in(in.network.values, b);
    const bool traces = a.as<TraceValue>() || b.as<TraceValue>();
    if (x && y && !traces) return drawn(in.network.values, in.network.values.make(ValueOp::select, *condition, *x, *y));
    if (!a.failed() && !b.failed())
        report_shape(in, *condition, in.program.expr(operands[0]).span, "a choice that is not between numbers");
    return {Failed{}};
}

Value within_tolerance(ValuePool& values, const Value& value, const Value& tolerance, bool inside)
{
    const Number* n = value.as<Number>();
    const auto* range = tolerance.as<DistributionValue>();
    if (!n || !range) return {Failed{}};
    ValuePool& pool = values;
    const ValueExprId within =
        pool.make(ValueOp::and_, pool.make(ValueOp::le, range->a, n->id), pool.make(ValueOp::le, n->id, range->b));
    return {Number{inside ? within : pool.make(ValueOp::not_, within)}};
}

// Of an exponential distribution that is multiplied with, or divided by, a number: it stays one, and its mean is what
// the operation makes of these.
std::optional<std::pair<ValueExprId, ValueExprId>> scaled_means(Elaboration& in, ValueOp op, const Value& left,
                                                                const Value& right)
{
    if (op != ValueOp::mul && op != ValueOp::div) return std::nullopt;
    for (const bool draw_left : {true, false}) {
        const auto* draw = (draw_left ? left : right).as<DistributionValue>();
        const auto* factor = (draw_left ? right : left).as<Number>();
        if (!draw || draw->kind != abi::DistributionKind::exponential || !factor) continue;
        if (op == ValueOp::div && !draw_left) continue;
        if (in.network.values.bounds(factor->id, in.tunable_ranges).low <= 0) continue;
        if (draw_left) return std::pair(draw->a, factor->id);
        return std::pair(factor->id, draw->a);
    }
    return std::nullopt;
}

Value binary(Elaboration& in, const Expr& e, Frame& frame)
{
    const auto operands = in.program.operands_of(e);
    const ValueOp op = static_cast<ValueOp>(e.index);
    ValuePool& pool = in.network.values;
    if (op == ValueOp::and_ || op == ValueOp::or_) {  // the right side counts only where the left one leaves it open
        const auto a = number(in, operands[0], frame);
        if (!a) return {Failed{}};
        if (const auto c = pool.as_constant(*a); c && (*c != 0) == (op == ValueOp::or_))
            return drawn(in.network.values, *a);
        const auto b = number(in, operands[1], frame);
        return b ? drawn(in.network.values, pool.make(op, *a, *b)) : Value{Failed{}};
    }
    const Value left = evaluate(in, operands[0], frame), right = evaluate(in, operands[1], frame);
    const bool lists = in.program.expr(operands[0]).type.list;
    for (const bool left_one : {true, false})
        if (!lists && in.program.expr(operands[left_one ? 0 : 1]).type.tolerance)
            return within_tolerance(in.network.values, left_one ? right : left, left_one ? left : right,
                                    op == ValueOp::eq);
    // Scales are powers of 8e9 either way; dividing by the whole number keeps round results round.
    const auto compute = [&](ValueExprId a, ValueExprId b) {
        if (op == ValueOp::mul && e.value < 1)
            return pool.make(ValueOp::div, pool.make(op, a, b), in.constant(std::round(1 / e.value)));
        if (op == ValueOp::mul) return pool.make(ValueOp::mul, pool.make(op, a, b), in.constant(e.value));
        if (op == ValueOp::div && e.value < 1)
            return pool.make(op, a, pool.make(ValueOp::mul, b, in.constant(std::round(1 / e.value))));
        if (op == ValueOp::div) return pool.make(op, pool.make(ValueOp::mul, a, in.constant(e.value)), b);
        return pool.make(op, a, b);
    };
    if (const auto means = scaled_means(in, op, left, right)) {
        const Value mean = checked(in.network.values, in.report, compute(means->first, means->second), e.span);
        if (const Number* n = mean.as<Number>())
            return {DistributionValue{abi::DistributionKind::exponential, n->id, 0}};
        return mean;
    }
    if (left.as<AddressValue>() && op != ValueOp::eq && op != ValueOp::ne) return counted(in, e, left, right, frame);
    const auto a = number_in(in.network.values, left), b = number_in(in.network.values, right);
    if (a && b && !lists) return checked(in.network.values, in.report, compute(*a, *b), e.span);
    if (left.failed() || right.failed()) return {Failed{}};
    if (left.absent() || right.absent())
        return failed(in.report(Diag::absent_name, in.program.expr(operands[left.absent() ? 0 : 1]).span,
                                "this optional attribute is not set"));
    if (lists) return list_operation(in, op, left, right, e.span);
    if (const auto* x = left.as<std::string>())
        return string_operation(in.network.values, in.report, op, *x, *right.as<std::string>(), e.span);
    const ValueExprId same = equal(in.network.values, left, right);
    return {Number{op == ValueOp::eq ? same : pool.make(ValueOp::not_, same)}};
}

Value path_query(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    PathQuery query;
    // The functions of paths stand in the same order in both.
    query.function = static_cast<PathFunction>(static_cast<int>(function) - static_cast<int>(Builtin::rtt));
    query.span = e.span;
    query.time = in.query_time;
    QueryNodes asked;
    const auto operands = in.program.operands_of(e);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Value v = evaluate(in, operands[i], frame);
        const NodeSet* nodes = v.as<NodeSet>();
        if (!nodes) return {Failed{}};
        if (function == Builtin::path && i == 2) {
            for (const TargetRange& range : *nodes)
                for (std::uint32_t k = 0; k < range.count; ++k) asked.emplace_back(range.row.value, range.first + k);
            continue;
        }
        if (nodes->empty()) return {Failed{}};
        asked.emplace_back(nodes->front().row.value, nodes->front().first);
    }
    return answer_of(in, query, std::move(asked));
}

Value call(Elaboration& in, const Expr& e, Frame& frame)
{
    const Builtin function = static_cast<Builtin>(e.index);
    if (function == Builtin::bdp && e.operand_count == 1) return link_bdp(in, e, frame);
    if (function == Builtin::load || function == Builtin::max_load) return load_query(in, e, function, frame);
    if (is_path_function(function)) return path_query(in, e, function, frame);
    if (is_measure(function)) return measure(in, e, function, frame);
    if (is_distribution(function)) return distribution_call(in, e, function, frame);
    if (function == Builtin::given) return given(in, e, frame);
    if (function == Builtin::mean) return mean(in, e, frame);
    if (function == Builtin::len || function == Builtin::indices) return length(in, e, function, frame);
    if (function == Builtin::text) return text(in, e, frame);
    if (e.operand_count == 1 && in.program.expr(in.program.operands_of(e)[0]).type.list)
        return of_list(in, e, function, frame);
    if (function == Builtin::subnet) return subnet(in, e, frame);
    if (function == Builtin::host || function == Builtin::contains) return in_prefix(in, e, function, frame);
    if (function == Builtin::distance) return distance(in, e, frame);
    if (function == Builtin::nearest) return nearest(in, e, frame);
    if (function == Builtin::trace) return trace(in.network, in.program.traces[static_cast<std::size_t>(e.value)]);
    if (function == Builtin::draw) return draw(in, e, frame);
    return mathematics(in, e, function, frame);
}

Value worked_out(Elaboration& in, ExprId id, Frame& frame)
{
    const Expr& e = in.program.expr(id);
    const auto operands = in.program.operands_of(e);
    switch (e.kind) {
        case ExprKind::error:
            return {Failed{}};
        case ExprKind::number:
            return {Number{in.constant(e.value)}};
        case ExprKind::string:
            return {in.program.strings[e.index]};
        case ExprKind::file:
            return {FileValue{e.index}};
        case ExprKind::address:
            return {AddressValue{e.index}};
        case ExprKind::prefix:
            return {PrefixValue{e.index, static_cast<std::uint32_t>(e.value)}};
        case ExprKind::address6:
            return {AddressValue{in.program.ipv6[e.index], true}};
        case ExprKind::prefix6:
            return {PrefixValue{in.program.ipv6[e.index], static_cast<std::uint32_t>(e.value), true}};
        case ExprKind::enum_value:
            return {EnumValue{e.index}};
        case ExprKind::local: {
            const Value& v = frame.slots[e.index];
            if (is_part(e.type) && v.absent()) {
                if (in.skipped) return {Failed{}};
                return failed(in.report(Diag::absent_name, e.span, "no `if` or loop made this here"));
            }
            return v;
        }
        case ExprKind::own_attribute:
            return attribute(in, *in.construct, e.index);
        case ExprKind::attribute:
            return attribute_value(in, e, frame);
        case ExprKind::direction: {
            const Value object = evaluate(in, operands[0], frame);
            const SchemaValue* value = object.schema();
            if (!value) return {Failed{}};
            auto one = std::make_shared<SchemaValue>(e.index == 0 ? *value : value->downwards());
            one->down = nullptr;
            return {std::shared_ptr<const SchemaValue>(std::move(one))};
        }
        case ExprKind::member:
            return member(in, e, frame);
        case ExprKind::element:
        case ExprKind::every:
        case ExprKind::slice:
            return select(in, e, frame);
        case ExprKind::negate:
            if (const auto a = number(in, operands[0], frame))
                return drawn(in.network.values, in.network.values.make(ValueOp::neg, *a));
            return {Failed{}};
        case ExprKind::not_:
            if (const auto a = number(in, operands[0], frame))
                return drawn(in.network.values, in.network.values.make(ValueOp::not_, *a));
            return {Failed{}};
        case ExprKind::binary:
            return binary(in, e, frame);
        case ExprKind::conditional:
            return conditional(in, e, frame);
        case ExprKind::call:
            return call(in, e, frame);
        case ExprKind::profile:
            return profile(in, e, frame);
        case ExprKind::process:
            return process(in, e, frame);
        case ExprKind::function:
            return function_call(in, e, frame);
        case ExprKind::component:
            return passed_component(in, e, frame);
        case ExprKind::table:
            return table(in, e);
        case ExprKind::cell:
            return cell(in, e);
        case ExprKind::bound:
            return in.bound[in.bound.size() - 1 - e.index];
        case ExprKind::comprehension:
            return comprehension(in, e, frame);
        case ExprKind::list: {
            if (e.type.kind == TypeKind::node) return node_list(in, e, frame);
            auto list = std::make_shared<ListValue>();
            for (ExprId element : operands) {
                list->push_back(evaluate(in, element, frame));
                if (list->back().failed()) return {Failed{}};
            }
            return {std::shared_ptr<const ListValue>(std::move(list))};
        }
    }
    return {Failed{}};
}

}  // namespace

Value answer_of(Elaboration& in, const PathQuery& query, QueryNodes asked)
{
    const auto [known, fresh] =
        in.queries.try_emplace({query.function, std::move(asked), query.time}, in.network.queries.size());
    if (fresh) in.network.queries.push_back(query);
    return {Number{in.network.values.tunable(static_cast<std::uint32_t>(in.network.tunables.size() + known->second))}};
}

Value evaluate(Elaboration& in, ExprId id, Frame& frame)
{
    ++in.depth;
    Value result = worked_out(in, id, frame);
    --in.depth;
    return result;
}

const Value& seen(Elaboration& in, ExprId id, Frame& frame, Value& own)
{
    const Expr& e = in.program.expr(id);
    if (e.kind == ExprKind::local && !frame.slots[e.index].absent()) return frame.slots[e.index];
    if (e.kind == ExprKind::bound) return in.bound[in.bound.size() - 1 - e.index];
    if (e.kind == ExprKind::member && is_flat(e.type))
        if (const Value* of_one = port_of_one(in, e, frame)) return *of_one;
    return own = evaluate(in, id, frame);
}

std::optional<ValueExprId> number_in(ValuePool& values, const Value& value)
{
    if (const DistributionValue* d = value.as<DistributionValue>()) return expression_of(values, *d);
    if (const TraceValue* trace = value.as<TraceValue>()) return trace->mean;
    const Number* n = value.as<Number>();
    return n ? std::optional(n->id) : std::nullopt;
}

std::optional<ValueExprId> number(Elaboration& in, ExprId id, Frame& frame)
{
    const Value v = evaluate(in, id, frame);
    if (const auto n = number_in(in.network.values, v)) return n;
    if (v.absent()) in.report(Diag::absent_name, in.program.expr(id).span, "this optional attribute is not set");
    return std::nullopt;
}

Value checked(const ValuePool& values, ReportOnce& report, ValueExprId id, Span span)
{
    const auto v = values.as_constant(id);
    if (!v || std::isfinite(*v)) return drawn(values, id);
    return failed(report(Diag::invalid_value, span, "this has no finite value")
                      .label(std::isnan(*v) ? "not a number" : "infinite"));
}

std::vector<std::uint32_t> tunables_in(const ValuePool& values, ValueExprId id)
{
    std::vector<std::uint32_t> result;
    std::vector<ValueExprId> todo{id};
    std::set<ValueExprId> seen;
    while (!todo.empty()) {
        const ValueExprId at = todo.back();
        todo.pop_back();
        if (!seen.insert(at).second) continue;
        const ValueNode& n = values.node(at);
        if (n.op == ValueOp::tunable) result.push_back(n.a);
        each_operand(values, at, [&](ValueExprId operand) { todo.push_back(operand); });
    }
    return result;
}

void report_shape(Elaboration& in, ValueExprId id, Span span, std::string_view what)
{
    for (std::uint32_t index : tunables_in(in.network.values, id)) {
        if (index >= in.network.tunables.size()) {
            in.report(Diag::shape_depends_on_tunable, span, fmt::format("{} depends on the network's paths", what));
            return;
        }
        const TunableInfo& tunable = in.network.tunables[index];
        if (!in.shaping_tunables.insert(index).second) return;
        in.report(Diag::shape_depends_on_tunable, span,
                  fmt::format("{} depends on the tunable `{}`", what, tunable.name))
            .also(tunable.span, "declared tunable here")
            .help(fmt::format("it is fixed when compiling: without `tunable` it is a parameter, `-D {0}=...`",
                              tunable.name));
        return;
    }
}

std::optional<std::int64_t> shape(Elaboration& in, ExprId id, Frame& frame, std::string_view what)
{
    const auto v = number(in, id, frame);
    if (!v) return std::nullopt;
    constexpr double kLimit = 1e18;  // far beyond any count or index
    if (const auto c = in.network.values.as_constant(*v)) return std::llround(std::clamp(*c, -kLimit, kLimit));
    report_shape(in, *v, in.program.expr(id).span, what);
    return std::nullopt;
}

// The nodes that are asked for, when all have their ids.
void number_queries(Elaboration& in)
{
    for (const auto& [asked, index] : in.queries) {
        PathQuery& query = in.network.queries[index];
        if (query.of_links()) continue;
        std::uint32_t* const ends[] = {&query.from, &query.to, &query.third, &query.fourth};
        const std::size_t named = query.function == PathFunction::path ? 2 : std::size(ends);
        const QueryNodes& nodes = std::get<QueryNodes>(asked);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::uint32_t id = in.network.nodes[nodes[i].first].first_node + nodes[i].second;
            if (i < named)
                *ends[i] = id;
            else
                query.between.push_back(id);
        }
    }
}

}  // namespace anml

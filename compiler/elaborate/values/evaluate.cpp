// Expressions: to values in the frame of an instance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/values/value_walk.h"
#include "elaborate/elaborator.h"

namespace anml {

Value Elaborator::evaluate(ExprId id, Frame& frame)
{
    ++depth_;
    Value result = worked_out(id, frame);
    --depth_;
    return result;
}

const Value& Elaborator::seen(ExprId id, Frame& frame, Value& own)
{
    const Expr& e = program_.expr(id);
    if (e.kind == ExprKind::local && !frame.slots[e.index].absent()) return frame.slots[e.index];
    if (e.kind == ExprKind::bound) return bound_[bound_.size() - 1 - e.index];
    if (e.kind == ExprKind::member && is_flat(e.type))
        if (const Value* of_one = port_of_one(e, frame)) return *of_one;
    return own = evaluate(id, frame);
}

Value Elaborator::worked_out(ExprId id, Frame& frame)
{
    const Expr& e = program_.expr(id);
    const auto operands = program_.operands_of(e);
    switch (e.kind) {
        case ExprKind::error:
            return {Failed{}};
        case ExprKind::number:
            return {Number{constant(e.value)}};
        case ExprKind::string:
            return {program_.strings[e.index]};
        case ExprKind::file:
            return {FileValue{e.index}};
        case ExprKind::address:
            return {AddressValue{e.index}};
        case ExprKind::prefix:
            return {PrefixValue{e.index, static_cast<std::uint32_t>(e.value)}};
        case ExprKind::address6:
            return {AddressValue{program_.ipv6[e.index], true}};
        case ExprKind::prefix6:
            return {PrefixValue{program_.ipv6[e.index], static_cast<std::uint32_t>(e.value), true}};
        case ExprKind::enum_value:
            return {EnumValue{e.index}};
        case ExprKind::local: {
            const Value& v = frame.slots[e.index];
            if (is_part(e.type) && v.absent()) {
                if (skipped_) return {Failed{}};
                report(Diag::absent_name, e.span, "no `if` or loop made this here");
                return {Failed{}};
            }
            return v;
        }
        case ExprKind::own_attribute:
            return attribute(*construct_, e.index);
        case ExprKind::attribute:
            return attribute_value(e, frame);
        case ExprKind::direction: {
            const Value object = evaluate(operands[0], frame);
            const SchemaValue* value = object.schema();
            if (!value) return {Failed{}};
            auto one = std::make_shared<SchemaValue>(e.index == 0 ? *value : value->downwards());
            one->down = nullptr;
            return {std::shared_ptr<const SchemaValue>(std::move(one))};
        }
        case ExprKind::member:
            return member(e, frame);
        case ExprKind::element:
        case ExprKind::every:
        case ExprKind::slice:
            return select(e, frame);
        case ExprKind::negate:
            if (const auto a = number(operands[0], frame)) return drawn(network_.values.make(ValueOp::neg, *a));
            return {Failed{}};
        case ExprKind::not_:
            if (const auto a = number(operands[0], frame)) return drawn(network_.values.make(ValueOp::not_, *a));
            return {Failed{}};
        case ExprKind::binary:
            return binary(e, frame);
        case ExprKind::conditional:
            return conditional(e, frame);
        case ExprKind::call:
            return call(e, frame);
        case ExprKind::profile:
            return profile(e, frame);
        case ExprKind::process:
            return process(e, frame);
        case ExprKind::function:
            return function_call(e, frame);
        case ExprKind::component:
            return passed_component(e, frame);
        case ExprKind::table:
            return table(e);
        case ExprKind::cell:
            return cell(e);
        case ExprKind::bound:
            return bound_[bound_.size() - 1 - e.index];
        case ExprKind::comprehension:
            return comprehension(e, frame);
        case ExprKind::list: {
            if (e.type.kind == TypeKind::node) return node_list(e, frame);
            auto list = std::make_shared<ListValue>();
            for (ExprId element : operands) {
                list->push_back(evaluate(element, frame));
                if (list->back().failed()) return {Failed{}};
            }
            return {std::shared_ptr<const ListValue>(std::move(list))};
        }
    }
    return {Failed{}};
}

std::optional<ValueExprId> Elaborator::number_in(const Value& value)
{
    if (const DistributionValue* d = value.as<DistributionValue>()) return expression_of(*d);
    if (const TraceValue* trace = value.as<TraceValue>()) return trace->mean;
    const Number* n = value.as<Number>();
    return n ? std::optional(n->id) : std::nullopt;
}

std::optional<ValueExprId> Elaborator::number(ExprId id, Frame& frame)
{
    const Value v = evaluate(id, frame);
    if (const auto n = number_in(v)) return n;
    if (v.absent()) report(Diag::absent_name, program_.expr(id).span, "this optional attribute is not set");
    return std::nullopt;
}

Value Elaborator::checked(ValueExprId id, Span span)
{
    const auto v = network_.values.as_constant(id);
    if (!v || std::isfinite(*v)) return drawn(id);
    report(Diag::invalid_value, span, "this has no finite value").label(std::isnan(*v) ? "not a number" : "infinite");
    return {Failed{}};
}

std::vector<std::uint32_t> Elaborator::tunables_in(ValueExprId id) const
{
    std::vector<std::uint32_t> result;
    std::vector<ValueExprId> todo{id};
    std::set<ValueExprId> seen;
    while (!todo.empty()) {
        const ValueExprId at = todo.back();
        todo.pop_back();
        if (!seen.insert(at).second) continue;
        const ValueNode& n = network_.values.node(at);
        if (n.op == ValueOp::tunable) result.push_back(n.a);
        each_operand(network_.values, at, [&](ValueExprId operand) { todo.push_back(operand); });
    }
    return result;
}

void Elaborator::report_shape(ValueExprId id, Span span, std::string_view what)
{
    for (std::uint32_t index : tunables_in(id)) {
        if (index >= network_.tunables.size()) {
            report(Diag::shape_depends_on_tunable, span, fmt::format("{} depends on the network's paths", what));
            return;
        }
        const TunableInfo& tunable = network_.tunables[index];
        report(Diag::shape_depends_on_tunable, span, fmt::format("{} depends on the tunable `{}`", what, tunable.name))
            .also(tunable.span, "declared tunable here")
            .help(fmt::format("fix it when compiling: -D {}=...", tunable.name));
        return;
    }
}

std::optional<std::int64_t> Elaborator::shape(ExprId id, Frame& frame, std::string_view what)
{
    const auto v = number(id, frame);
    if (!v) return std::nullopt;
    constexpr double kLimit = 1e18;  // far beyond any count or index
    if (const auto c = network_.values.as_constant(*v)) return std::llround(std::clamp(*c, -kLimit, kLimit));
    report_shape(*v, program_.expr(id).span, what);
    return std::nullopt;
}

Value Elaborator::conditional(const Expr& e, Frame& frame)
{
    const auto operands = program_.operands_of(e);
    const auto condition = number(operands[0], frame);
    if (!condition) return {Failed{}};
    if (const auto c = network_.values.as_constant(*condition)) return evaluate(operands[*c != 0 ? 1 : 2], frame);
    const Value a = evaluate(operands[1], frame), b = evaluate(operands[2], frame);
    const auto x = number_in(a), y = number_in(b);
    const bool traces = a.as<TraceValue>() || b.as<TraceValue>();
    if (x && y && !traces) return drawn(network_.values.make(ValueOp::select, *condition, *x, *y));
    if (!a.failed() && !b.failed())
        report_shape(*condition, program_.expr(operands[0]).span, "a choice that is not between numbers");
    return {Failed{}};
}

Value Elaborator::within_tolerance(const Value& value, const Value& tolerance, bool inside)
{
    const Number* n = value.as<Number>();
    const auto* range = tolerance.as<DistributionValue>();
    if (!n || !range) return {Failed{}};
    ValuePool& pool = network_.values;
    const ValueExprId within =
        pool.make(ValueOp::and_, pool.make(ValueOp::le, range->a, n->id), pool.make(ValueOp::le, n->id, range->b));
    return {Number{inside ? within : pool.make(ValueOp::not_, within)}};
}

// Of an exponential distribution that is multiplied with, or divided by, a number: it stays one, and its mean is what
// the operation makes of these.
std::optional<std::pair<ValueExprId, ValueExprId>> Elaborator::scaled_means(ValueOp op, const Value& left,
                                                                            const Value& right)
{
    if (op != ValueOp::mul && op != ValueOp::div) return std::nullopt;
    for (const bool draw_left : {true, false}) {
        const auto* draw = (draw_left ? left : right).as<DistributionValue>();
        const auto* factor = (draw_left ? right : left).as<Number>();
        if (!draw || draw->kind != abi::DistributionKind::exponential || !factor) continue;
        if (op == ValueOp::div && !draw_left) continue;
        if (network_.values.bounds(factor->id, tunable_ranges_).low <= 0) continue;
        if (draw_left) return std::pair(draw->a, factor->id);
        return std::pair(factor->id, draw->a);
    }
    return std::nullopt;
}

Value Elaborator::binary(const Expr& e, Frame& frame)
{
    const auto operands = program_.operands_of(e);
    const ValueOp op = static_cast<ValueOp>(e.index);
    ValuePool& pool = network_.values;
    if (op == ValueOp::and_ || op == ValueOp::or_) {  // the right side counts only where the left one leaves it open
        const auto a = number(operands[0], frame);
        if (!a) return {Failed{}};
        if (const auto c = pool.as_constant(*a); c && (*c != 0) == (op == ValueOp::or_)) return drawn(*a);
        const auto b = number(operands[1], frame);
        return b ? drawn(pool.make(op, *a, *b)) : Value{Failed{}};
    }
    const Value left = evaluate(operands[0], frame), right = evaluate(operands[1], frame);
    const bool lists = program_.expr(operands[0]).type.list;
    for (const bool left_one : {true, false})
        if (!lists && program_.expr(operands[left_one ? 0 : 1]).type.tolerance)
            return within_tolerance(left_one ? right : left, left_one ? left : right, op == ValueOp::eq);
    // Scales are powers of 8e9 either way; dividing by the whole number keeps round results round.
    const auto compute = [&](ValueExprId a, ValueExprId b) {
        if (op == ValueOp::mul && e.value < 1)
            return pool.make(ValueOp::div, pool.make(op, a, b), constant(std::round(1 / e.value)));
        if (op == ValueOp::mul) return pool.make(ValueOp::mul, pool.make(op, a, b), constant(e.value));
        if (op == ValueOp::div && e.value < 1)
            return pool.make(op, a, pool.make(ValueOp::mul, b, constant(std::round(1 / e.value))));
        if (op == ValueOp::div) return pool.make(op, pool.make(ValueOp::mul, a, constant(e.value)), b);
        return pool.make(op, a, b);
    };
    if (const auto means = scaled_means(op, left, right)) {
        const Value mean = checked(compute(means->first, means->second), e.span);
        if (const Number* n = mean.as<Number>())
            return {DistributionValue{abi::DistributionKind::exponential, n->id, 0}};
        return mean;
    }
    if (left.as<AddressValue>() && op != ValueOp::eq && op != ValueOp::ne) return counted(e, left, right, frame);
    const auto a = number_in(left), b = number_in(right);
    if (a && b && !lists) return checked(compute(*a, *b), e.span);
    if (left.failed() || right.failed()) return {Failed{}};
    if (left.absent() || right.absent()) {
        report(Diag::absent_name, program_.expr(operands[left.absent() ? 0 : 1]).span,
               "this optional attribute is not set");
        return {Failed{}};
    }
    if (lists) return list_operation(op, left, right, e.span);
    if (const auto* x = left.as<std::string>()) return string_operation(op, *x, *right.as<std::string>(), e.span);
    const ValueExprId same = equal(left, right);
    return {Number{op == ValueOp::eq ? same : pool.make(ValueOp::not_, same)}};
}

Value Elaborator::call(const Expr& e, Frame& frame)
{
    const Builtin function = static_cast<Builtin>(e.index);
    if (function == Builtin::bdp && e.operand_count == 1) return link_bdp(e, frame);
    if (function == Builtin::load || function == Builtin::max_load) return load_query(e, function, frame);
    if (is_path_function(function)) return path_query(e, function, frame);
    if (is_measure(function)) return measure(e, function, frame);
    if (is_distribution(function)) return distribution_call(e, function, frame);
    if (function == Builtin::given) return given(e, frame);
    if (function == Builtin::mean) return mean(e, frame);
    if (function == Builtin::len || function == Builtin::indices) return length(e, function, frame);
    if (function == Builtin::text) return text(e, frame);
    if (e.operand_count == 1 && program_.expr(program_.operands_of(e)[0]).type.list) return of_list(e, function, frame);
    if (function == Builtin::subnet) return subnet(e, frame);
    if (function == Builtin::host || function == Builtin::contains) return in_prefix(e, function, frame);
    if (function == Builtin::distance) return distance(e, frame);
    if (function == Builtin::nearest) return nearest(e, frame);
    if (function == Builtin::trace) return trace(program_.traces[static_cast<std::size_t>(e.value)]);
    if (function == Builtin::draw) return draw(e, frame);
    return mathematics(e, function, frame);
}

Value Elaborator::path_query(const Expr& e, Builtin function, Frame& frame)
{
    PathQuery query;
    // The functions of paths stand in the same order in both.
    query.function = static_cast<PathFunction>(static_cast<int>(function) - static_cast<int>(Builtin::rtt));
    query.span = e.span;
    query.time = query_time_;
    QueryNodes asked;
    const auto operands = program_.operands_of(e);
    for (std::size_t i = 0; i < operands.size(); ++i) {
        const Value v = evaluate(operands[i], frame);
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
    const auto [known, fresh] =
        queries_.try_emplace({query.function, std::move(asked), query.time}, network_.queries.size());
    if (fresh) network_.queries.push_back(query);
    return {Number{network_.values.tunable(static_cast<std::uint32_t>(network_.tunables.size() + known->second))}};
}

// The nodes that are asked for, when all have their ids.
void Elaborator::number_queries()
{
    for (const auto& [asked, index] : queries_) {
        PathQuery& query = network_.queries[index];
        if (query.of_links()) continue;
        std::uint32_t* const ends[] = {&query.from, &query.to, &query.third, &query.fourth};
        const std::size_t named = query.function == PathFunction::path ? 2 : std::size(ends);
        const QueryNodes& nodes = std::get<QueryNodes>(asked);
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::uint32_t id = network_.nodes[nodes[i].first].first_node + nodes[i].second;
            if (i < named)
                *ends[i] = id;
            else
                query.between.push_back(id);
        }
    }
}

}  // namespace anml

// Lists: their parts, what is computed of all of their elements, and operators.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

constexpr std::size_t kLongestFold = 64;  // operations in each other: expansions are written, and read, recursively

// From left to right; of very many the halves first, so that an expression over tunables does not become deep.
ValueExprId folded(ValuePool& values, ValueOp op, std::span<const ValueExprId> numbers)
{
    if (numbers.size() > kLongestFold) {
        const std::size_t half = numbers.size() / 2;
        const ValueExprId left = folded(values, op, numbers.first(half));
        return values.make(op, left, folded(values, op, numbers.subspan(half)));
    }
    ValueExprId result = numbers[0];
    for (const ValueExprId number : numbers.subspan(1)) result = values.make(op, result, number);
    return result;
}

// Of a list that is made anew, whose elements are cheaper than statements.
bool fits_list(Elaboration& in, std::size_t count, Span place)
{
    constexpr std::size_t kElementsPerStep = 4;
    const bool fitted = in.steps <= kMaxSteps;
    in.steps += count / kElementsPerStep;
    if (in.steps <= kMaxSteps) return true;
    if (fitted)
        in.report(Diag::network_too_large, place,
                  fmt::format("the lists of the model have more than {} elements", kElementsPerStep * kMaxSteps));
    return false;
}

}  // namespace

// `sum`, `min`, `max`, `any` and `all`.
Value of_list(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    const ExprId operand = in.program.operands_of(e)[0];
    const Value v = evaluate(in, operand, frame);
    if (v.failed()) return v;
    if (v.absent())
        return failed(
            in.report(Diag::absent_name, in.program.expr(operand).span, "this optional attribute is not set"));
    const auto* list = v.as<std::shared_ptr<const ListValue>>();
    if (const auto known = in.list_results.find(function); list && known != in.list_results.end())
        if (known->second.list == *list) return {Number{known->second.result}};
    std::vector<ValueExprId> numbers;
    for (const Value& element : elements(v)) {
        const auto number = number_in(in.network.values, element);
        if (!number) return {Failed{}};
        numbers.push_back(*number);
    }
    ValueOp op = ValueOp::add;
    if (function == Builtin::min) op = ValueOp::min;
    if (function == Builtin::max) op = ValueOp::max;
    if (function == Builtin::any) op = ValueOp::or_;
    if (function == Builtin::all) op = ValueOp::and_;
    if (numbers.empty() && (op == ValueOp::min || op == ValueOp::max))
        return failed(
            in.report(Diag::invalid_value, in.program.expr(operand).span,
                      fmt::format("`{}` of an empty list", builtin_name(function)))
                .help(fmt::format("ask first: `if len(xs) > 0 then {}(xs) else ...`", builtin_name(function))));
    const ValueExprId neutral = in.constant(op == ValueOp::and_ ? 1 : 0);
    if (op != ValueOp::min && op != ValueOp::max) std::erase(numbers, neutral);
    const Value result = checked(in.network.values, in.report,
                                 numbers.empty() ? neutral : folded(in.network.values, op, numbers), e.span);
    if (const Number* n = result.as<Number>(); list && n) in.list_results[function] = {*list, n->id};
    return result;
}

// `len` and `indices`.
Value length(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    const ExprId operand = in.program.operands_of(e)[0];
    const Value v = evaluate(in, operand, frame);
    if (v.failed()) return v;
    if (v.absent()) return failed(in.report(Diag::absent_name, e.span, "this optional attribute is not set"));
    std::size_t count = 1;  // one element without brackets
    if (const auto* list = v.as<std::shared_ptr<const ListValue>>()) count = (*list)->size();
    if (const auto* numbered = v.as<std::shared_ptr<NumberedArray>>()) count = length_of(**numbered);
    std::set<std::int64_t> places;  // of links by their first index, where that is still to be given
    if (const LinkSet* links = v.as<LinkSet>()) {
        count = 0;
        for (const LinkPart& part : links->parts) {
            count += part.links.count;
            if (part.indices.empty()) continue;
            for (std::int64_t i = part.indices.front(); i <= part.last(); ++i) places.insert(i);
        }
        if (!places.empty()) count = places.size();
    }
    if (const WorkloadSet* workloads = v.as<WorkloadSet>()) count = workloads->size();
    if (const NodeSet* nodes = v.as<NodeSet>()) count = size_of(*nodes);
    if (const InstanceSet* instances = v.as<InstanceSet>()) {
        count = 0;
        for (const auto& group : instances->groups) count += group.size();
    }
    if (const auto* text = v.as<std::string>(); text && !in.program.expr(operand).type.list)
        count = static_cast<std::size_t>(std::count_if(text->begin(), text->end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // no further byte of one
        }));
    if (function == Builtin::len) return {Number{in.constant(static_cast<double>(count))}};
    if (!fits_list(in, count, e.span)) return {Failed{}};
    auto numbers = std::make_shared<ListValue>();
    const auto add = [&](std::int64_t i) { numbers->push_back({Number{in.constant(static_cast<double>(i))}}); };
    const auto* numbered = v.as<std::shared_ptr<NumberedArray>>();
    if (!places.empty())
        std::for_each(places.begin(), places.end(), add);
    else if (numbered && !(*numbered)->chosen)
        for (const auto& [first, entry] : (*numbered)->entries)
            for (std::size_t i = 0; i < ((*numbered)->of_elements ? elements(entry).size() : 1); ++i)
                add(first + static_cast<std::int64_t>(i));
    else
        for (std::size_t i = 0; i < count; ++i) add(static_cast<std::int64_t>(i));
    return {std::shared_ptr<const ListValue>(std::move(numbers))};
}

// What stands in brackets behind a list.
Value list_part(Elaboration& in, const ListValue& list, const Expr& e, Frame& frame)
{
    if (e.kind == ExprKind::every) return {std::make_shared<const ListValue>(list)};
    const auto operands = in.program.operands_of(e);
    const std::string of = list.empty()
                               ? "an empty list"
                               : fmt::format("a list of {}, whose last index is {}", list.size(), list.size() - 1);
    const auto size = static_cast<std::int64_t>(list.size());
    if (e.kind == ExprKind::element) {
        const auto keys = in.program.keys_of(in.program.expr(operands[0]).type);
        const auto number = index(in, operands[1], keys.get(), frame, "an index");
        if (!number) return {Failed{}};
        if (*number >= 0 && *number < size) return list[static_cast<std::size_t>(*number)];
        report_index(in, in.program.expr(operands[1]).span, fmt::format("index {} of {}", *number, of), *number,
                     list.size());
        return {Failed{}};
    }
    const auto low = shape(in, operands[1], frame, "a slice"), last = shape(in, operands[2], frame, "a slice");
    if (!low || !last) return {Failed{}};
    const std::int64_t high = e.index ? *last : *last + 1;
    if (*low < 0 || high > size || *low > high) {
        Span place = in.program.expr(operands[1]).span;
        place.end = in.program.expr(operands[2]).span.end;
        const std::string seen = fmt::format("slice {} {} {}", *low, e.index ? "..<" : "..", *last);
        return failed(
            in.report(Diag::index_out_of_range, place,
                      *low > high ? fmt::format("{} runs backwards", seen) : fmt::format("{} of {}", seen, of)));
    }
    if (!fits_list(in, static_cast<std::size_t>(high - *low), e.span)) return {Failed{}};
    return {std::make_shared<const ListValue>(list.begin() + *low, list.begin() + high)};
}

Value list_operation(Elaboration& in, ValueOp op, const Value& left, const Value& right, Span place)
{
    const auto own = [](const Value& value) {  // one element may stand without brackets
        const auto* list = value.as<std::shared_ptr<const ListValue>>();
        return list ? *list : std::make_shared<const ListValue>(ListValue{value});
    };
    const auto a = own(left), b = own(right);
    if (op == ValueOp::add) {
        if (!fits_list(in, a->size() + b->size(), place)) return {Failed{}};
        auto both = std::make_shared<ListValue>(*a);
        both->insert(both->end(), b->begin(), b->end());
        return {std::shared_ptr<const ListValue>(std::move(both))};
    }
    std::vector<ValueExprId> same{in.constant(a->size() == b->size())};
    for (std::size_t i = 0; i < a->size() && a->size() == b->size(); ++i) {
        const ValueExprId one = equal(in.network.values, (*a)[i], (*b)[i]);
        if (in.network.values.as_constant(one) != 1.0) same.push_back(one);
    }
    if (same.size() > 1) same.erase(same.begin());
    const ValueExprId all = folded(in.network.values, ValueOp::and_, same);
    return {Number{op == ValueOp::eq ? all : in.network.values.make(ValueOp::not_, all)}};
}

ValueExprId equal(ValuePool& values, const Value& left, const Value& right)
{
    const auto a = number_in(values, left), b = number_in(values, right);
    return a && b ? values.make(ValueOp::eq, *a, *b) : values.constant(same_value(left, right));
}

}  // namespace anml

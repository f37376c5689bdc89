// Lists: their elements, and what is computed of all of them.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr std::size_t kLongestFold = 64;  // operations in each other: expansions are written, and read, recursively

}  // namespace

// From left to right; of very many the halves first, so that an expression over tunables does not become deep.
ValueExprId Elaborator::folded(ValueOp op, std::span<const ValueExprId> numbers)
{
    if (numbers.size() > kLongestFold) {
        const std::size_t half = numbers.size() / 2;
        const ValueExprId left = folded(op, numbers.first(half));
        return network_.values.make(op, left, folded(op, numbers.subspan(half)));
    }
    ValueExprId result = numbers[0];
    for (const ValueExprId number : numbers.subspan(1)) result = network_.values.make(op, result, number);
    return result;
}

// `sum`, `min`, `max`, `any` and `all`.
Value Elaborator::of_list(const Expr& e, Builtin function, Frame& frame)
{
    const ExprId operand = program_.operands_of(e)[0];
    const Value v = evaluate(operand, frame);
    if (v.failed()) return v;
    if (v.absent()) {
        report(Diag::absent_name, program_.expr(operand).span, "this optional attribute is not set");
        return {Failed{}};
    }
    const auto* list = v.as<std::shared_ptr<const ListValue>>();
    if (const auto known = list_results_.find(function); list && known != list_results_.end())
        if (known->second.list == *list) return {Number{known->second.result}};
    std::vector<ValueExprId> numbers;
    for (const Value& element : elements(v)) {
        const auto number = number_in(element);
        if (!number) return {Failed{}};
        numbers.push_back(*number);
    }
    ValueOp op = ValueOp::add;
    if (function == Builtin::min) op = ValueOp::min;
    if (function == Builtin::max) op = ValueOp::max;
    if (function == Builtin::any) op = ValueOp::or_;
    if (function == Builtin::all) op = ValueOp::and_;
    if (numbers.empty() && (op == ValueOp::min || op == ValueOp::max)) {
        report(Diag::invalid_value, program_.expr(operand).span,
               fmt::format("`{}` of an empty list", builtin_name(function)))
            .help(fmt::format("ask first: `if len(xs) > 0 then {}(xs) else ...`", builtin_name(function)));
        return {Failed{}};
    }
    const ValueExprId neutral = constant(op == ValueOp::and_ ? 1 : 0);
    if (op != ValueOp::min && op != ValueOp::max) std::erase(numbers, neutral);
    const Value result = checked(numbers.empty() ? neutral : folded(op, numbers), e.span);
    if (const Number* n = result.as<Number>(); list && n) list_results_[function] = {*list, n->id};
    return result;
}

Value Elaborator::list_element(const ListValue& list, const Expr& e, Frame& frame)
{
    const ExprId index_expr = program_.operands_of(e)[1];
    const auto index = shape(index_expr, frame, "an index");
    if (!index) return {Failed{}};
    if (*index >= 0 && static_cast<std::size_t>(*index) < list.size()) return list[static_cast<std::size_t>(*index)];
    report(Diag::index_out_of_range, program_.expr(index_expr).span,
           list.empty()
               ? fmt::format("index {} of an empty list", *index)
               : fmt::format("index {} of a list of {}, whose last index is {}", *index, list.size(), list.size() - 1));
    return {Failed{}};
}

}  // namespace anml

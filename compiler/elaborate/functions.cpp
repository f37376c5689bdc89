// Calls of functions, and what is asked of lists.
#include <fmt/format.h>

#include <utility>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr std::size_t kMostCalls = 10'000'000;  // functions that double what they call would never end
constexpr std::size_t kDeepestCall = 500;

}  // namespace

Value Elaborator::function_call(const Expr& e, Frame& frame)
{
    const Function& f = program_.function(FunctionId{e.index});
    if (calls_.size() >= kDeepestCall) {
        report(Diag::nesting_too_deep, e.span,
               fmt::format("functions call each other more than {} deep", kDeepestCall));
        return {Failed{}};
    }
    if (++calls_made_ > kMostCalls) {
        if (calls_made_ == kMostCalls + 1)
            report(Diag::network_too_large, e.span,
                   fmt::format("the model calls functions more than {} times", kMostCalls));
        return {Failed{}};
    }
    Frame own;
    own.slots.resize(f.slot_count);
    const std::size_t before = diagnostics_.errors() + muted_.errors();
    bind_parameters(f.parameters, program_.operands_of(e), frame, own, e.span);
    if (diagnostics_.errors() + muted_.errors() != before) return {Failed{}};
    Construct* outer = std::exchange(construct_, nullptr);
    calls_.push_back(e.span);
    Value result = evaluate(f.body, own);
    calls_.pop_back();
    construct_ = outer;
    return result;
}

Value Elaborator::length(const Expr& e, Frame& frame)
{
    const Value v = evaluate(program_.operands_of(e)[0], frame);
    if (v.failed()) return v;
    std::size_t count = 1;  // one element without brackets
    if (const auto* list = v.as<std::shared_ptr<const ListValue>>()) count = (*list)->size();
    if (const NodeSet* nodes = v.as<NodeSet>()) {
        count = 0;
        for (const TargetRange& range : *nodes) count += range.count;
    }
    if (const InstanceSet* instances = v.as<InstanceSet>()) {
        count = 0;
        for (const auto& group : instances->groups) count += group.size();
    }
    if (v.absent()) {
        report(Diag::absent_name, e.span, "this optional attribute is not set");
        return {Failed{}};
    }
    return {Number{constant(static_cast<double>(count))}};
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

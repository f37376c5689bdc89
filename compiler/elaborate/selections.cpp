// Members of instances; elements, slices and wildcards of arrays of nodes and instances; lists of nodes.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {

Value Elaborator::member(const Expr& e, Frame& frame)
{
    const Value object = evaluate(program_.operands_of(e)[0], frame);
    const InstanceSet* set = object.as<InstanceSet>();
    if (!set) return {Failed{}};
    NodeSet nodes;
    InstanceSet instances;
    for (const auto& group : set->groups) {
        for (std::uint32_t index : group) {
            const Frame& inner = frames_[index];
            const Value& v = inner.slots[e.index];
            if (v.absent()) {
                report(Diag::absent_name, e.span, fmt::format("an `if` did not make this in `{}`", inner.path));
                return {Failed{}};
            }
            if (const NodeSet* n = v.as<NodeSet>()) nodes.insert(nodes.end(), n->begin(), n->end());
            if (const InstanceSet* i = v.as<InstanceSet>())
                instances.groups.insert(instances.groups.end(), i->groups.begin(), i->groups.end());
        }
    }
    if (e.type.kind == TypeKind::node) return {std::move(nodes)};
    return {std::move(instances)};
}

Value Elaborator::node_list(const Expr& e, Frame& frame)
{
    NodeSet result;
    for (ExprId operand : program_.operands_of(e)) {
        const Value element = evaluate(operand, frame);
        const NodeSet* nodes = element.as<NodeSet>();
        if (!nodes) return {Failed{}};
        result.insert(result.end(), nodes->begin(), nodes->end());
    }
    return {std::move(result)};
}

Value Elaborator::select(const Expr& e, Frame& frame)
{
    const auto operands = program_.operands_of(e);
    const Value object = evaluate(operands[0], frame);
    if (object.failed()) return {Failed{}};
    std::int64_t low = 0, high = 0;  // [low, high)
    Span place = e.span;
    if (e.kind == ExprKind::element) {
        place = program_.expr(operands[1]).span;
        const auto i = shape(operands[1], frame, "an index");
        if (!i) return {Failed{}};
        low = *i;
        high = low + 1;
    } else if (e.kind == ExprKind::slice) {
        place = program_.expr(operands[1]).span;
        place.end = program_.expr(operands[2]).span.end;
        const auto a = shape(operands[1], frame, "a slice"), b = shape(operands[2], frame, "a slice");
        if (!a || !b) return {Failed{}};
        low = *a;
        high = e.index ? *b : *b + 1;
    }
    const auto fits = [&](std::size_t size) {
        if (e.kind == ExprKind::every) {
            low = 0;
            high = static_cast<std::int64_t>(size);
            return true;
        }
        if (low >= 0 && high <= static_cast<std::int64_t>(size) && low <= high) return true;
        const std::string seen =
            e.kind == ExprKind::element ? fmt::format("index {}", low) : fmt::format("slice {} .. {}", low, high - 1);
        report(Diag::index_out_of_range, place,
               size == 0 ? fmt::format("{} of an array without elements", seen)
                         : fmt::format("{} of an array of {}, whose last index is {}", seen, size, size - 1));
        return false;
    };
    if (const NodeSet* nodes = object.as<NodeSet>()) {
        NodeSet result;
        for (const TargetRange& range : *nodes) {
            if (!fits(range.count)) return {Failed{}};
            if (high > low)
                result.push_back(
                    {range.row, range.first + static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high - low)});
        }
        if (nodes->empty() && e.kind == ExprKind::element && !fits(0)) return {Failed{}};
        return {std::move(result)};
    }
    const InstanceSet* set = object.as<InstanceSet>();
    if (!set) return {Failed{}};
    InstanceSet result;
    for (const auto& group : set->groups) {
        if (!fits(group.size())) return {Failed{}};
        for (std::int64_t i = low; i < high; ++i) result.groups.push_back({group[static_cast<std::size_t>(i)]});
    }
    return {std::move(result)};
}

}  // namespace anml

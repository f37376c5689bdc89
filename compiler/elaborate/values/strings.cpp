// Strings: put together, compared, and made of other values.
#include <fmt/format.h>

#include "base/address.h"
#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr std::size_t kLongestString = 65536;  // bytes: functions that double one would never end

}  // namespace

// Bytes of UTF-8 have the order of the code points.
Value Elaborator::string_operation(ValueOp op, const std::string& left, const std::string& right, Span place)
{
    if (op == ValueOp::add) {
        if (left.size() + right.size() <= kLongestString) return {left + right};
        report(Diag::invalid_value, place, fmt::format("a string of more than {} bytes", kLongestString));
        return {Failed{}};
    }
    const int order = left.compare(right);
    return {Number{constant(apply_operation(op, order, 0))}};
}

Value Elaborator::text(const Expr& e, Frame& frame)
{
    const ExprId operand = program_.operands_of(e)[0];
    const Expr& of = program_.expr(operand);
    Value v = evaluate(operand, frame);
    if (v.failed() || v.as<std::string>()) return v;
    if (v.absent()) {
        report(Diag::absent_name, of.span, "this optional attribute is not set");
        return {Failed{}};
    }
    if (const auto number = number_in(v)) {
        const auto known = network_.values.as_constant(*number);
        if (!known) {
            report_shape(*number, of.span, "a text");
            return {Failed{}};
        }
        if (of.type.kind == TypeKind::boolean) return {std::string(*known != 0 ? "true" : "false")};
        if (of.type.kind == TypeKind::integer) return {fmt::format("{:.0f}", *known)};
        return {format_quantity(*known, of.type.dim)};
    }
    if (const auto* address = v.as<AddressValue>()) return {format_address(address->bits, address->ipv6)};
    if (const auto* prefix = v.as<PrefixValue>()) return {format_prefix(prefix->bits, prefix->length, prefix->ipv6)};
    if (const auto* value = v.as<EnumValue>()) return {program_.enums[of.type.ref].values[value->ordinal]};
    const NodeSet* nodes = v.as<NodeSet>();
    if (!nodes || nodes->empty()) return {Failed{}};
    return {network_.nodes[nodes->front().row.value].element_name(nodes->front().first)};
}

}  // namespace anml

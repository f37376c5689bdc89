// Strings: put together, compared, and made of other values.
#include <fmt/format.h>

#include "base/address.h"
#include "elaborate/values/evaluation.h"

namespace anml {
namespace {

constexpr std::size_t kLongestString = 65536;  // bytes: functions that double one would never end

}  // namespace

// Bytes of UTF-8 have the order of the code points.
Value string_operation(ValuePool& values, ReportOnce& report, ValueOp op, const std::string& left,
                       const std::string& right, Span place)
{
    if (op == ValueOp::add) {
        if (left.size() + right.size() <= kLongestString) return {left + right};
        return failed(
            report(Diag::invalid_value, place, fmt::format("a string of more than {} bytes", kLongestString)));
    }
    const int order = left.compare(right);
    return {Number{values.constant(apply_operation(op, order, 0))}};
}

Value text(Elaboration& in, const Expr& e, Frame& frame)
{
    const ExprId operand = in.program.operands_of(e)[0];
    const Expr& of = in.program.expr(operand);
    Value v = evaluate(in, operand, frame);
    if (v.failed() || v.as<std::string>()) return v;
    if (v.absent()) return failed(in.report(Diag::absent_name, of.span, "this optional attribute is not set"));
    if (const auto number = number_in(in.network.values, v)) {
        const auto known = in.network.values.as_constant(*number);
        if (!known) {
            report_shape(in, *number, of.span, "a text");
            return {Failed{}};
        }
        if (of.type.kind == TypeKind::boolean) return {std::string(*known != 0 ? "true" : "false")};
        if (of.type.kind == TypeKind::integer) return {fmt::format("{:.0f}", *known)};
        return {format_quantity(*known, of.type.dim)};
    }
    if (const auto* address = v.as<AddressValue>()) return {format_address(address->bits, address->ipv6)};
    if (const auto* prefix = v.as<PrefixValue>()) return {format_prefix(prefix->bits, prefix->length, prefix->ipv6)};
    if (const auto* value = v.as<EnumValue>()) return {in.program.enums[of.type.ref].values[value->ordinal]};
    const NodeSet* nodes = v.as<NodeSet>();
    if (!nodes || nodes->empty()) return {Failed{}};
    return {in.network.nodes[nodes->front().row.value].element_name(nodes->front().first)};
}

}  // namespace anml

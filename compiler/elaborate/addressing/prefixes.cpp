// Prefixes of instances, and prefixes in prefixes.
#include <fmt/format.h>

#include "base/address.h"
#include "elaborate/addressing/addressing.h"
#include "elaborate/topology/topology.h"

namespace anml {

// `ipv6` is beside one of IPv4, or the only one.
bool second_family(ReportOnce& report, const PrefixValue* first, const PrefixValue* ipv6, std::string_view name,
                   Span span)
{
    if (ipv6 && !ipv6->ipv6) {
        report(Diag::invalid_address, span,
               fmt::format("`ipv6` is {}, which is IPv4", format_prefix(ipv6->bits, ipv6->length, false)))
            .help(fmt::format("`{}` takes it", name));
        return false;
    }
    if (!ipv6 || !first || !first->ipv6) return true;
    report(Diag::duplicate_attribute, span, fmt::format("`{}` is of IPv6, too", name))
        .help(fmt::format("leave out `ipv6`, or give `{}` one of IPv4", name));
    return false;
}

// For all nodes of the instance, those above the statement included, but not for instances with a prefix of their own.
void instance_prefix(Elaboration& in, const AddressingStatement& s, const Statement& at, Frame& frame)
{
    if (in.prefix_at) {
        in.report(Diag::repeated_statement, at.span, "the component has a second `addressing`")
            .also(*in.prefix_at, "the first is here");
        return;
    }
    const auto value = overridden(
        in, "addressing",
        schema_value(in, in.program.component_addressing, s.attributes, frame, nullptr, at.span, "`addressing`"),
        "`addressing`");
    if (!value) return;
    const auto* prefix = attribute_of(in.program, *value, "prefix").as<PrefixValue>();
    const auto* ipv6 = attribute_of(in.program, *value, "ipv6").as<PrefixValue>();
    if ((!prefix && !ipv6) || !second_family(in.report, prefix, ipv6, "prefix", at.span)) return;
    in.prefix_at = at.span;
    const std::uint32_t outer = in.pool;
    in.prefixes.push_back({prefix ? std::optional(*prefix) : std::nullopt, ipv6 ? std::optional(*ipv6) : std::nullopt,
                           outer, in.report.path, at.span});
    in.pool = static_cast<std::uint32_t>(in.prefixes.size());
    for (std::size_t row = in.first_row; row < in.row_pool.size(); ++row)
        if (in.row_pool[row] == outer) in.row_pool[row] = in.pool;
}

// The prefix number [2], of length [1], in the prefix [0].
Value subnet(Elaboration& in, const Expr& e, Frame& frame)
{
    const auto operands = in.program.operands_of(e);
    const Value whole = evaluate(in, operands[0], frame);
    const auto length = shape(in, operands[1], frame, "the length of a prefix");
    const auto number = shape(in, operands[2], frame, "the number of a prefix");
    const auto* prefix = whole.as<PrefixValue>();
    if (!prefix || !length || !number) return {Failed{}};
    const std::uint32_t longest = address_length(prefix->ipv6);
    if (*length < prefix->length || *length > longest)
    {
        auto report = in.report(Diag::out_of_range, in.program.expr(operands[1]).span,
                                fmt::format("the length is {}, outside {} .. {}", *length, prefix->length, longest));
        if (*number >= prefix->length && *number <= longest)
            report.help("the length comes second, then the number: `subnet(p, 24, n)`");
        return {Failed{}};
    }
    // Of IPv6 more than anybody numbers.
    const std::int64_t more = *length - prefix->length,
                       count = more < 62 ? std::int64_t{1} << more : std::int64_t{1} << 62;
    if (*number < 0 || *number >= count)
        return failed(
            in.report(Diag::out_of_range, in.program.expr(operands[2]).span,
                      fmt::format("{} has {} prefixes of length {}, numbered from 0; this is number {}",
                                  format_prefix(prefix->bits, prefix->length, prefix->ipv6), count, *length, *number)));
    const auto shift = static_cast<std::uint32_t>(longest - *length);
    const AddressBits offset = shift >= 128 ? 0 : static_cast<AddressBits>(*number) << shift;
    return {PrefixValue{prefix->bits + offset, static_cast<std::uint32_t>(*length), prefix->ipv6}};
}

Value in_prefix(Elaboration& in, const Expr& e, Builtin function, Frame& frame)
{
    const auto operands = in.program.operands_of(e);
    const Value whole = evaluate(in, operands[0], frame);
    const auto* prefix = whole.as<PrefixValue>();
    if (!prefix) return {Failed{}};
    const AddressBits open = open_bits(prefix->length, prefix->ipv6);
    if (function == Builtin::contains) {
        const Value one = evaluate(in, operands[1], frame);
        const auto* address = one.as<AddressValue>();
        const auto* other = one.as<PrefixValue>();
        if (!address && !other) return {Failed{}};
        const bool fits =
            address ? address->ipv6 == prefix->ipv6 : other->ipv6 == prefix->ipv6 && other->length >= prefix->length;
        const AddressBits bits = address ? address->bits : other->bits;
        return {Number{in.constant(fits && (bits & ~open) == prefix->bits ? 1 : 0)}};
    }
    const auto number = shape(in, operands[1], frame, "the number of an address");
    if (!number) return {Failed{}};
    if (*number < 0 || static_cast<AddressBits>(*number) > open)
        return failed(in.report(
            Diag::out_of_range, in.program.expr(operands[1]).span,
            fmt::format("{} has the addresses 0 to {}; this is number {}",
                        format_prefix(prefix->bits, prefix->length, prefix->ipv6),
                        open > ~std::uint64_t{0} ? "2^64 and more" : std::to_string(std::uint64_t(open)), *number)));
    return {AddressValue{prefix->bits + static_cast<AddressBits>(*number), prefix->ipv6}};
}

Value counted(Elaboration& in, const Expr& e, const Value& left, const Value& right, Frame& frame)
{
    const auto& from = *left.as<AddressValue>();
    const bool back = static_cast<ValueOp>(e.index) == ValueOp::sub;
    if (const auto* to = right.as<AddressValue>()) {
        if (to->ipv6 != from.ipv6)
            return failed(
                in.report(Diag::invalid_value, e.span, "an address of IPv4 and one of IPv6 have no distance"));
        const double apart = from.bits >= to->bits ? static_cast<double>(from.bits - to->bits)
                                                   : -static_cast<double>(to->bits - from.bits);
        return {Number{in.constant(apart)}};
    }
    const ExprId by = in.program.operands_of(e)[1];
    const auto number = shape(in, by, frame, "how far an address is counted on");
    if (!number) return {Failed{}};
    const bool down = back ? *number > 0 : *number < 0;
    const AddressBits steps = static_cast<AddressBits>(*number < 0 ? -*number : *number);
    if (steps > (down ? from.bits : open_bits(0, from.ipv6) - from.bits))
        return failed(in.report(Diag::out_of_range, e.span,
                                fmt::format("{} {} {} is no address of {}", format_address(from.bits, from.ipv6),
                                            back ? "-" : "+", *number, from.ipv6 ? "IPv6" : "IPv4")));
    return {AddressValue{down ? from.bits - steps : from.bits + steps, from.ipv6}};
}

}  // namespace anml

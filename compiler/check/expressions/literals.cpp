// Literals: numbers with their units, addresses and prefixes.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/address.h"
#include "base/foreign_words.h"
#include "check/expressions/expressions.h"

namespace anml {
namespace {

// Where an address is wanted, and a prefix stands.
ExprId address_without_length(Checking& in, SyntaxId id, std::string_view alone)
{
    in.report(Diag::type_mismatch, in.span(id), "an address is wanted, found a prefix")
        .help(fmt::format("an address has no length: `{}`", alone))
        .fix(in.span(id), std::string(alone));
    return in.error(in.span(id));
}

ExprId address6(Checking& in, SyntaxId id, const Type* wanted)
{
    const std::string_view whole = in.text(id), alone = whole.substr(0, whole.find('/'));
    const auto invalid = [&](std::string message, std::string help) {
        in.report(Diag::invalid_literal, in.span(id), std::move(message)).help(std::move(help));
        return in.error(in.span(id));
    };
    const auto bits = parse_ipv6(alone);
    if (!bits)
        return invalid(fmt::format("`{}` is not an address of IPv6", alone),
                       "it has eight groups of up to four hexadecimal digits; `::` stands once for as many groups of "
                       "zeros as are missing");
    const auto index = static_cast<std::uint32_t>(in.program.ipv6.size());
    in.program.ipv6.push_back(*bits);
    if (alone.size() == whole.size())
        return in.add(ExprKind::address6, {.kind = TypeKind::address}, in.span(id), index);
    if (wanted && wanted->kind == TypeKind::address) return address_without_length(in, id, alone);
    const std::string_view digits = whole.substr(alone.size() + 1);
    std::uint32_t length = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (code != std::errc{} || length > 128)
        return invalid(fmt::format("`{}` is not a prefix", whole), "a length is from 0 to 128 for IPv6");
    if (const AddressBits open = open_bits(length, true); (*bits & open) != 0) {
        in.report(Diag::invalid_literal, in.span(id), fmt::format("`{}` has bits set beyond its length", whole))
            .write(in.span(id), format_prefix(*bits & ~open, length, true));
        return in.error(in.span(id));
    }
    return in.add(ExprKind::prefix6, {.kind = TypeKind::prefix}, in.span(id), index, length);
}

}  // namespace

ExprId quantity(Checking& in, SyntaxId id, const Type* wanted)
{
    const std::string_view written = in.text(id);
    const Span where = in.span(id);
    if (const auto q = parse_quantity(written)) {
        std::uint64_t whole = 0;  // a double would round it
        if (q->integer && (std::from_chars(written.data(), written.data() + written.size(), whole).ec != std::errc{} ||
                           whole > 9007199254740992))
        {
            in.report(Diag::invalid_literal, where, fmt::format("`{}` is too large for an int", written))
                .help("ints are exact up to 2^53 = 9007199254740992");
            return in.error(where);
        }
        if (!std::isfinite(q->value)) {
            in.report(Diag::invalid_literal, where, fmt::format("`{}` is too large for a number", written))
                .help("numbers reach up to about 1.8e308");
            return in.error(where);
        }
        return in.add(ExprKind::number, {.kind = q->integer ? TypeKind::integer : TypeKind::number, .dim = q->dim},
                      where, 0, q->value);
    }
    const std::size_t at = unit_position(written);
    const std::string_view unit = written.substr(at);
    std::string_view digits = written.substr(0, at);
    while (digits.ends_with(' ') || digits.ends_with('\t')) digits.remove_suffix(1);
    Span unit_span = where;
    unit_span.begin += static_cast<std::uint32_t>(at);
    const bool size = wanted && wanted->dim == dimension::size, rate = wanted && wanted->dim == dimension::rate;
    if (const std::string help = ambiguous_unit_help(unit); !help.empty() && (size || rate)) {
        const std::string meant = size ? help : help.substr(help.find(" or ") + 4),
                          alone = meant.substr(0, meant.find(' '));
        in.report(Diag::ambiguous_unit, unit_span, fmt::format("ambiguous unit `{}`", unit))
            .help(fmt::format("write `{} {}`", digits, alone))
            .fix(unit_span, alone);
        return in.error(where);
    } else if (!help.empty()) {
        in.report(Diag::ambiguous_unit, unit_span, fmt::format("ambiguous unit `{}`", unit))
            .help(fmt::format("write {}", help))
            .fix(unit_span, help.substr(0, help.find(' ')))
            .fix(unit_span, help.substr(help.find(" or ") + 4, help.rfind(" (") - help.find(" or ") - 4));
        return in.error(where);
    }
    auto report = in.report(Diag::unknown_unit, unit_span, fmt::format("unknown unit `{}`", unit));
    if (const Symbol* symbol = find(in, unit); symbol && symbol->kind == SymbolKind::local)
        report.help(fmt::format("a product needs its sign: `{} * {}`", digits, unit))
            .fix(where, fmt::format("{} * {}", digits, unit));
    else if (unit.size() == 1 && std::string_view("kKMGT").find(unit) != std::string_view::npos) {
        const std::string prefix(unit == "k" ? "K" : unit);
        if (size || rate)
            report.write(where, fmt::format("{} {}{}", digits, prefix, size ? "B" : "bps"));
        else
            report.help(fmt::format("write `{0} {1}bps` for a rate, `{0} {1}B` for a size", digits, prefix))
                .fix(where, fmt::format("{} {}bps", digits, prefix))
                .fix(where, fmt::format("{} {}B", digits, prefix));
    } else if (digits == "0" && unit.size() > 1 && (unit[0] == 'x' || unit[0] == 'X') && unit.size() <= 9 &&
               unit.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string_view::npos)
    {
        const std::string value = fmt::to_string(std::stoull(std::string(unit.substr(1)), nullptr, 16));
        report.help(fmt::format("numbers are decimal: `{}`", value)).fix(where, value);
    } else if (unit == "N" || unit == "E" || unit == "S" || unit == "W" || unit == "deg" || unit == "degrees") {
        const std::string degrees = fmt::format("{}{}", unit == "S" || unit == "W" ? "-" : "", digits);
        report.help(fmt::format("degrees are plain numbers, north and east positive: `{}`", degrees))
            .fix(where, degrees);
    } else if (unit == "rps" || unit == "qps" || unit == "pps" || unit == "tps" || unit == "req" || unit == "Hz") {
        report.help(fmt::format("so many a second are a plain number: `{}`", digits)).fix(where, std::string(digits));
    } else if (unit.starts_with('_') && find_unit(unit.substr(1))) {
        report.help(fmt::format("write `{} {}`", digits, unit.substr(1)))
            .fix(where, fmt::format("{} {}", digits, unit.substr(1)));
    } else if (unit == "Ki" || unit == "Mi" || unit == "Gi" || unit == "Ti") {
        report.help(fmt::format("write `{} {}B`", digits, unit)).fix(unit_span, fmt::format("{}B", unit));
    } else if (const auto next = unit.find_first_of("0123456789"); next != std::string_view::npos && next > 0) {
        const std::string_view first = unit.substr(0, next);
        const std::string_view own = find_unit(first) ? first : meant_unit(first);
        report.help(own.empty() ? std::string(kUnitTable)
                                : fmt::format("one number has one unit: they are added, `{} {} + ...`", digits,
                                              own == "m" ? "min" : own));
    } else if (const auto meant = meant_unit(unit); !meant.empty())
        report.help(fmt::format("write `{} {}`", digits, meant)).fix(unit_span, std::string(meant));
    else
        report.help(std::string(kUnitTable));
    return in.error(where);
}

ExprId address(Checking& in, SyntaxId id, const Type* wanted)
{
    if (in.text(id).find(':') != std::string_view::npos) return address6(in, id, wanted);
    const bool is_prefix = in.tree.kind(id) == SyntaxKind::literal_prefix;
    std::string_view rest = in.text(id);
    std::uint32_t bits = 0, parts = 0, length = 32;
    const auto invalid = [&](std::string message, std::string help) {
        in.report(Diag::invalid_literal, in.span(id), std::move(message)).help(std::move(help));
        return in.error(in.span(id));
    };
    const auto number = [&rest](std::uint32_t limit, std::uint32_t& out) {
        const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), out);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        return code == std::errc{} && out <= limit;
    };
    for (;;) {
        std::uint32_t part = 0;
        if (!number(255, part) || ++parts > 4)
            return invalid(fmt::format("`{}` is not an address", in.text(id)),
                           "an address has four parts from 0 to 255");
        bits = bits << 8 | part;
        if (!rest.starts_with('.')) break;
        rest.remove_prefix(1);
    }
    if (parts != 4)
        return invalid(fmt::format("`{}` is not an address", in.text(id)), "an address has four parts from 0 to 255");
    if (!is_prefix) return in.add(ExprKind::address, {.kind = TypeKind::address}, in.span(id), bits);
    if (wanted && wanted->kind == TypeKind::address)
        return address_without_length(in, id, in.text(id).substr(0, in.text(id).size() - rest.size()));
    rest.remove_prefix(1);
    if (!number(32, length))
        return invalid(fmt::format("`{}` is not a prefix", in.text(id)), "a prefix's length is from 0 to 32");
    const std::uint32_t mask = length == 0 ? 0 : ~std::uint32_t{0} << (32 - length);
    if ((bits & ~mask) != 0) {
        const std::uint32_t base = bits & mask;
        in.report(Diag::invalid_literal, in.span(id), fmt::format("`{}` has bits set beyond its length", in.text(id)))
            .write(in.span(id),
                   fmt::format("{}.{}.{}.{}/{}", base >> 24, base >> 16 & 255, base >> 8 & 255, base & 255, length));
        return in.error(in.span(id));
    }
    return in.add(ExprKind::prefix, {.kind = TypeKind::prefix}, in.span(id), bits, length);
}

}  // namespace anml

// The value of -D, read by the type of its parameter: a number and unit, a bool, an address, an enum's value, a
// profile.
#include <fmt/format.h>

#include <charconv>

#include "base/familiar.h"
#include "elaborate/elaborator.h"

namespace anml {
namespace {

std::string_view trim(std::string_view text)
{
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

std::optional<Quantity> signed_quantity(std::string_view text)
{
    const bool negative = text.starts_with('-');
    if (negative) text = trim(text.substr(1));
    auto q = parse_quantity(text);
    if (q && negative) q->value = -q->value;
    return q;
}

std::optional<std::uint32_t> read_number(std::string_view& text, std::uint32_t limit)
{
    std::uint32_t value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || value > limit) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

std::optional<std::uint32_t> read_address(std::string_view& text)
{
    std::uint32_t bits = 0;
    for (int part = 0; part < 4; ++part) {
        if (part > 0) {
            if (!text.starts_with('.')) return std::nullopt;
            text.remove_prefix(1);
        }
        const auto value = read_number(text, 255);
        if (!value) return std::nullopt;
        bits = bits << 8 | *value;
    }
    return bits;
}

// "exponential(5 ms)" to its name and arguments; false if it does not look like one.
bool split_call(std::string_view text, std::string_view& name, std::vector<std::string_view>& arguments)
{
    const std::size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return false;
    name = trim(text.substr(0, open));
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    for (;;) {
        const std::size_t comma = rest.find(',');
        arguments.push_back(trim(rest.substr(0, comma)));
        if (comma == std::string_view::npos) return true;
        rest.remove_prefix(comma + 1);
    }
}

}  // namespace

// A distribution of numbers and quantities; nullopt: it is none.
std::optional<Value> Elaborator::read_distribution(const Parameter& p, std::string_view text)
{
    std::string_view name;
    std::vector<std::string_view> arguments;
    if (!split_call(text, name, arguments)) return std::nullopt;
    const auto function = find_builtin(name);
    if (!function || !is_distribution(*function) || *function == Builtin::chance) return std::nullopt;
    const std::string_view letters = distribution_arguments(*function);
    if (letters.size() != arguments.size()) return std::nullopt;
    const bool plain = letters.find('v') == std::string_view::npos;
    if (plain && p.type.dim != dimension::none) return std::nullopt;
    std::vector<ValueExprId> given;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto q = signed_quantity(arguments[i]);
        if (!q || q->dim != (letters[i] == 'v' ? p.type.dim : dimension::none)) return std::nullopt;
        given.push_back(constant(q->value));
    }
    Value value = distribution(*function, given, std::vector<Span>(given.size(), p.span));
    return value.failed() ? std::nullopt : std::optional(std::move(value));
}

std::optional<Value> Elaborator::read_define(const Parameter& p, std::string_view text)
{
    text = trim(text);
    const auto refuse = [&](std::string help = "") -> std::optional<Value> {
        auto message = report(Diag::invalid_define, p.span,
                              fmt::format("-D {}={}: `{}` wants {}", p.name, text, p.name, a_type(program_, p.type)));
        message.label("declared here");
        if (!help.empty()) message.help(std::move(help));
        return std::nullopt;
    };
    std::string_view rest = text;
    switch (p.type.kind) {
        case TypeKind::boolean:
            if (text == "true" || text == "false") return Value{Number{constant(text == "true")}};
            return refuse("write true or false");
        case TypeKind::integer: {
            const auto q = signed_quantity(text);
            if (q && q->integer) return Value{Number{constant(q->value)}};
            return refuse();
        }
        case TypeKind::number: {
            if (p.type.random && text.ends_with(')')) {
                auto drawn = read_distribution(p, text);
                return drawn ? std::move(drawn) : refuse();
            }
            const auto q = signed_quantity(text);
            if (q && q->dim == p.type.dim) return Value{Number{constant(q->value)}};
            if (q && q->dim == dimension::none)
                return refuse(fmt::format("give a unit, as in -D {}={}{}", p.name, text,
                                          p.type.dim == dimension::time   ? "ms"
                                          : p.type.dim == dimension::size ? "B"
                                          : p.type.dim == dimension::rate ? "Mbps"
                                                                          : "m"));
            if (q) return refuse();
            const std::size_t at = unit_position(text);
            const std::string_view unit = text.substr(at);
            if (const std::string help = ambiguous_unit_help(unit); !help.empty())
                return refuse(fmt::format("write {}", help));
            if (const auto meant = meant_unit(unit); !meant.empty())
                return refuse(fmt::format("write `{} {}`", trim(text.substr(0, at)), meant));
            return refuse(at > 0 && !unit.empty() ? std::string(kUnitTable) : "");
        }
        case TypeKind::string:
            if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
            return Value{std::string(text)};
        case TypeKind::address:
            if (const auto bits = read_address(rest); bits && rest.empty()) return Value{AddressValue{*bits}};
            return refuse();
        case TypeKind::prefix:
            if (const auto bits = read_address(rest); bits && rest.starts_with('/')) {
                rest.remove_prefix(1);
                const auto length = read_number(rest, 32);
                if (length && rest.empty() && (*length == 32 || (*bits & (~std::uint32_t{0} >> *length)) == 0))
                    return Value{PrefixValue{*bits, *length}};
            }
            return refuse();
        case TypeKind::enumeration: {
            const Enum& e = program_.enums[p.type.ref];
            std::string values;
            for (std::uint32_t i = 0; i < e.values.size(); ++i) {
                if (e.values[i] == text) return Value{EnumValue{i}};
                values += fmt::format("{}{}", i ? ", " : "", e.values[i]);
            }
            return refuse(fmt::format("its values are {}", values));
        }
        case TypeKind::schema: {
            std::vector<std::string_view> candidates;
            for (const auto& [name, id] : program_.profile_names) {
                const Profile& candidate = program_.profile(id);
                bool plain = program_.derives(candidate.schema, SchemaId{p.type.ref});
                for (const Parameter& inner : candidate.parameters) plain = plain && !inner.required;
                if (!plain) continue;
                if (name == text) {
                    Frame none;
                    const std::vector<ExprId> defaults(candidate.parameters.size());
                    Value value = profile_value(candidate, defaults, none, p.span);
                    if (value.failed()) return std::nullopt;
                    return value;
                }
                candidates.push_back(name);
            }
            const auto similar = similar_name(text, candidates);
            return refuse(similar.empty() ? "name a profile that needs no arguments"
                                          : fmt::format("there is `{}`", similar));
        }
        default:
            return refuse();
    }
}

}  // namespace anml

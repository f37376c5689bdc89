// Which type the value has that is written at a place, as far as the words before it say.
#include <algorithm>
#include <iterator>

#include "check/names/language_words.h"
#include "lsp/completion/context.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

namespace {

bool is_comparison(std::string_view word)
{
    return word == "<" || word == "<=" || word == ">" || word == ">=" || word == "==" || word == "!=";
}

bool is_range(std::string_view word) { return word == ".." || word == "..<"; }

const Type kTime{.kind = TypeKind::number, .dim = dimension::time}, kCount{.kind = TypeKind::integer};

// Of the values that the function has; nothing: any.
std::optional<Type> type_of_builtin(Builtin function)
{
    const auto number = [](Dimension dim) { return Type{.kind = TypeKind::number, .dim = dim}; };
    if (is_measure(function)) return number(dimension_of_measure(measure_kind(function), {}));
    switch (function) {
        case Builtin::rtt:
            return number(dimension::time);
        case Builtin::bottleneck:
            return number(dimension::rate);
        case Builtin::bdp:
            return number(dimension::size);
        case Builtin::distance:
            return number(dimension::length);
        case Builtin::hops:
        case Builtin::disjoint_paths:
        case Builtin::len:
            return kCount;
        default:
            return std::nullopt;
    }
}

// Of the parameter that is called so.
std::optional<Type> type_of_named(const Snapshot& snapshot, const std::vector<SyntaxId>& parameters,
                                  std::string_view name)
{
    for (const SyntaxId id : parameters)
        if (unquoted(snapshot.text(snapshot.tree.node(syntax::name_of(snapshot.tree, id)).span)) == unquoted(name))
            return type_of_parameter(snapshot, id);
    return std::nullopt;
}

}  // namespace

bool Context::declares_parameters(std::size_t bracket) const
{
    constexpr std::string_view kOwners[] = {"component", "model", "profile", "process", "function"};
    return bracket >= 2 && w_.cls(bracket - 1) == TokenClass::identifier &&
           std::find(std::begin(kOwners), std::end(kOwners), w_.word(bracket - 2)) != std::end(kOwners);
}

SyntaxId Context::called(std::size_t bracket) const
{
    const SyntaxId declared = find_declaration(s_, s_.sources.main, offset_, w_.dotted_before(bracket));
    if (declared.valid() || bracket == 0) return declared;
    std::size_t before = bracket;  // `Lan net[3](`
    if (w_.word(before - 1) == "]") before = w_.open_before(before - 1);
    return before == CursorTokens::kNone || before == 0
               ? SyntaxId{}
               : find_declaration(s_, s_.sources.main, offset_, w_.dotted_before(before - 1));
}

std::size_t Context::commas(std::size_t bracket, std::size_t behind) const
{
    std::size_t count = 0;
    int depth = 0;
    for (std::size_t i = bracket + 1; i < behind; ++i) {
        const std::string_view word = w_.word(i);
        depth += (word == "(" || word == "[" || word == "{") - (word == ")" || word == "]" || word == "}");
        count += depth == 0 && word == ",";
    }
    return count;
}

std::size_t Context::body_around(std::size_t bracket) const
{
    for (; bracket != CursorTokens::kNone && bracket > 0; bracket = w_.open_before(bracket)) {
        if (w_.word(bracket) != "{") continue;
        std::size_t at = w_.statement_of(bracket);
        if (w_.word(at) == "pub") ++at;
        const std::string_view first = w_.word(at);
        if (first == "component" || first == "model" || first == "experiment") return bracket;
    }
    return CursorTokens::kNone;
}

std::string Context::base_of(std::size_t body) const
{
    std::size_t at = w_.statement_of(body);
    if (w_.word(at) == "pub") ++at;
    at += 2;
    if (w_.word(at) == "(") at = w_.behind(at);
    return at < body && w_.word(at) == ":" ? dotted_at(at + 1) : "";
}

std::optional<Type> Context::type_at(std::size_t begin) const
{
    bool random = false;
    while (w_.word(begin) == "random" || w_.word(begin) == "component") random |= w_.word(begin++) == "random";
    const std::string name = w_.cls(begin) == TokenClass::keyword ? std::string(w_.word(begin)) : dotted_at(begin);
    if (auto plain = plain_type(name)) {
        plain->random = random;
        if (plain->any) return std::nullopt;  // of whatever dimension
        return plain;
    }
    const SyntaxId declared = find_declaration(s_, s_.sources.main, offset_, name);
    const Schema* schema = schema_of(s_, declared);
    for (std::uint32_t i = 0; schema && i < s_.program.schemas.size(); ++i)
        if (&s_.program.schemas[i] == schema) return Type{.kind = TypeKind::schema, .ref = i};
    for (std::uint32_t i = 0; declared.valid() && i < s_.program.enums.size(); ++i)
        if (s_.declared_by(s_.program.enums[i].span) == declared) return Type{.kind = TypeKind::enumeration, .ref = i};
    return std::nullopt;
}

// Of `name: type in ...`, the last of them before the place in that bracket.
std::optional<Type> Context::declared_type(std::size_t bracket, std::size_t behind) const
{
    int depth = 0;
    for (std::size_t i = behind; i-- > bracket + 1;) {
        const std::string_view word = w_.word(i);
        depth += (word == ")" || word == "]" || word == "}") - (word == "(" || word == "[" || word == "{");
        if (depth == 0 && word == ",") return std::nullopt;
        if (depth == 0 && word == ":" && i + 1 < behind) return type_at(i + 1);
        if (depth == 0 && w_.word(bracket) == "{" && w_.starts_line(i)) return std::nullopt;
    }
    return std::nullopt;
}

std::optional<Type> Context::attribute_type(std::size_t bracket, std::string_view name) const
{
    const Schema* schema = attributes_around(bracket).schema;
    if (!schema) return std::nullopt;
    for (const Attribute& attribute : schema->attributes)
        if (attribute.name == unquoted(name)) return attribute.type;
    return std::nullopt;
}

std::optional<Type> Context::argument_type(std::size_t bracket, std::size_t behind) const
{
    const std::vector<SyntaxId> parameters = parameters_of(s_, called(bracket));
    if (w_.word(behind - 1) == "=") {
        return type_of_named(s_, parameters, w_.word(behind - 2));
    }
    const std::size_t number = commas(bracket, behind);
    if (number < parameters.size()) return type_of_parameter(s_, parameters[number]);
    const auto builtin = find_builtin(w_.dotted_before(bracket));
    if (!builtin) return std::nullopt;
    // Of those the usage names what they take: `rtt(node, node)`.
    std::string_view usage = builtin_usage(*builtin);
    usage.remove_prefix(std::min(usage.find('(') + 1, usage.size()));
    for (std::size_t i = 0; i < number && usage.find(',') != usage.npos; ++i)
        usage.remove_prefix(std::min(usage.find(',') + 2, usage.size()));
    usage = usage.substr(0, usage.find_first_of(",)"));
    if (usage == "node" || usage == "nodes") return Type{.kind = TypeKind::node};
    if (usage == "link" && !is_of_link(*builtin)) return std::nullopt;
    if (usage == "link") return number == 0 ? std::optional(Type{.kind = TypeKind::link}) : std::nullopt;
    if (usage == "workload") return number == 0 ? std::optional(Type{.kind = TypeKind::workload}) : std::nullopt;
    return std::nullopt;
}

// Of what stands left of an operator, where its last word says it: a quantity, a call of the language's functions.
std::optional<Type> Context::type_of_operand(std::size_t end) const
{
    if (end == 0) return std::nullopt;
    if (w_.word(end - 1) == ")") {
        const std::size_t open = w_.open_before(end - 1);
        const auto builtin = open == CursorTokens::kNone ? std::nullopt : find_builtin(w_.dotted_before(open));
        return builtin ? type_of_builtin(*builtin) : std::nullopt;
    }
    if (w_.cls(end - 1) != TokenClass::literal) return std::nullopt;
    const auto quantity = parse_quantity(w_.word(end - 1));
    if (!quantity || quantity->dim == dimension::none) return std::nullopt;
    return Type{.kind = TypeKind::number, .dim = quantity->dim};
}

// Of `vary name in [...]` and `search name in a .. b`: the parameter's.
std::optional<Type> Context::factor_type(std::size_t bracket, std::size_t behind) const
{
    if (bracket == CursorTokens::kNone) return std::nullopt;
    for (std::size_t i = behind; i-- > bracket + 2;) {
        if (w_.word(i) != "in" || (w_.word(i - 2) != "vary" && w_.word(i - 2) != "search")) continue;
        const std::size_t body = body_around(bracket);
        if (body == CursorTokens::kNone) return std::nullopt;
        const SyntaxId model = find_declaration(s_, s_.sources.main, offset_, base_of(body));
        return type_of_named(s_, parameters_of(s_, model), w_.word(i - 1));
    }
    return std::nullopt;
}

bool Context::in_schema(std::size_t bracket) const { return attributes_around(bracket).first == "schema"; }

std::optional<Type> Context::expected_type(std::size_t behind) const
{
    while (behind >= 2 && w_.word(behind - 1) == "-" && w_.cls(behind - 2) == TokenClass::punctuation &&
           w_.word(behind - 2) != ")" && w_.word(behind - 2) != "]")
        --behind;
    if (behind == 0) return std::nullopt;
    const std::string_view before = w_.word(behind - 1);
    const std::size_t bracket = w_.open_before(behind);
    const std::string_view kind = w_.word(bracket);
    const std::size_t statement = w_.statement_of(behind);
    const std::string_view first = w_.word(statement);

    constexpr std::string_view kSums[] = {"+", "-", "\u00B1", "+/-"};
    if (is_comparison(before) || std::find(std::begin(kSums), std::end(kSums), before) != std::end(kSums))
        return type_of_operand(behind - 1);
    if (kind == "(" && bracket != CursorTokens::kNone) {
        if (declares_parameters(bracket)) {
            if (before == "=" || before == "in" || is_range(before)) return declared_type(bracket, behind);
            return std::nullopt;
        }
        return before == "=" || before == "," || before == "(" ? argument_type(bracket, behind) : std::nullopt;
    }
    if (kind == "[" && bracket != CursorTokens::kNone) {
        const bool subscript = bracket > 0 && (w_.cls(bracket - 1) == TokenClass::identifier ||
                                               w_.word(bracket - 1) == "]" || w_.word(bracket - 1) == ")");
        if (subscript) return kCount;
        if (before != "[" && before != ",") return std::nullopt;
        if (w_.word(bracket - 1) == "in") return factor_type(w_.open_before(bracket), bracket);
        auto list = expected_type(bracket);
        if (list) list->list = false;
        return list;
    }
    if (before == "at" || before == "every") return kTime;
    if ((before == "from" || before == "to") && (first == "every" || first == "from" || first == "ramp")) return kTime;
    if (bracket == CursorTokens::kNone || bracket == 0) return std::nullopt;
    if (first == "for") return before == "in" || is_range(before) ? std::optional(kCount) : std::nullopt;
    if (before == "in" || is_range(before)) {
        if (const auto factor = factor_type(bracket, behind)) return factor;
        if (is_range(before)) return type_of_operand(behind - 1);
        return in_schema(bracket) ? declared_type(bracket, behind) : std::nullopt;
    }
    if (before != "=") return std::nullopt;
    if (const auto type = attribute_type(bracket, w_.word(behind - 2))) return type;
    return in_schema(bracket) ? declared_type(bracket, behind) : std::nullopt;
}

}  // namespace anml::lsp

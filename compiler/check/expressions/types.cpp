// Types: from their names in the text, to their names in messages, and which fit where.
#include <fmt/format.h>

#include "base/foreign_words.h"
#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

struct PlainType {
    std::string_view name;
    TypeKind kind;
    Dimension dim;
    std::uint32_t ref = abi::kNone;
};
constexpr std::uint32_t of_kind(abi::NodeKind kind) { return static_cast<std::uint32_t>(kind); }
constexpr PlainType kPlainTypes[] = {
    {"bool", TypeKind::boolean, {}},
    {"int", TypeKind::integer, {}},
    {"number", TypeKind::number, {}},
    {"ratio", TypeKind::number, {}},
    {"time", TypeKind::number, dimension::time},
    {"size", TypeKind::number, dimension::size},
    {"rate", TypeKind::number, dimension::rate},
    {"length", TypeKind::number, dimension::length},
    {"quantity", TypeKind::number, {}},
    {"trace", TypeKind::trace, {}},
    {"string", TypeKind::string, {}},
    {"file", TypeKind::file, {}},
    {"address", TypeKind::address, {}},
    {"prefix", TypeKind::prefix, {}},
    {"node", TypeKind::node, {}},
    {"host", TypeKind::node, {}, of_kind(abi::NodeKind::host)},
    {"router", TypeKind::node, {}, of_kind(abi::NodeKind::router)},
    {"switch", TypeKind::node, {}, of_kind(abi::NodeKind::switch_)},
    {"endpoint", TypeKind::node, {}, of_kind(abi::NodeKind::endpoint)},
    {"link", TypeKind::link, {}},
    {"workload", TypeKind::workload, {}},
};

// "host", "array of hosts", "array of arrays of hosts", "selection of hosts"
std::string chosen(const Type& type, std::string one, std::string_view several)
{
    if (!type.array && !type.many) return one;
    std::string result = type.array ? "array of " : "selection of ";
    for (unsigned i = 1; i < type.array; ++i) result += "arrays of ";
    return result.append(several);
}

}  // namespace

std::string type_name(const CheckedProgram& program, const Type& type)
{
    if (type.list) {
        Type element = type;
        element.list = false;
        return fmt::format("list of {}", type_name(program, element));
    }
    switch (type.kind) {
        case TypeKind::error:
            return "error";
        case TypeKind::boolean:
            return type.random ? "random bool" : "bool";
        case TypeKind::integer:
            return type.random ? "random int" : "int";
        case TypeKind::number:
            if (type.any) return type.random ? "distribution of a quantity" : "quantity";
            if (type.tolerance) return fmt::format("{} with a tolerance", dimension_name(type.dim));
            if (type.random) return fmt::format("distribution of {}", dimension_name(type.dim));
            return dimension_name(type.dim);
        case TypeKind::trace:
            return "trace";
        case TypeKind::string:
            return "string";
        case TypeKind::file:
            return "file";
        case TypeKind::address:
            return "address";
        case TypeKind::prefix:
            return "prefix";
        case TypeKind::enumeration:
            return fmt::format("`{}`", program.enums[type.ref].name);
        case TypeKind::schema:
            return fmt::format("`{}`", program.schemas[type.ref].name);
        case TypeKind::link:
            return chosen(type, "link", "links");
        case TypeKind::workload:
            return chosen(type, "workload", "workloads");
        case TypeKind::component:
            return fmt::format("component `{}`", program.components[type.ref].name);
        case TypeKind::node:
        case TypeKind::instance: {
            const std::string one =
                type.kind == TypeKind::instance ? fmt::format("instance of `{}`", program.components[type.ref].name)
                : type.ref == abi::kNone        ? "node"
                                                : std::string(node_kind_name(static_cast<abi::NodeKind>(type.ref)));
            std::string plural = one == "switch" ? "switches" : type.kind == TypeKind::node ? one + "s" : one;
            if (type.kind == TypeKind::instance) plural.replace(0, 8, "instances");
            return chosen(type, one, plural);
        }
    }
    return "error";
}

std::string a_type(const CheckedProgram& program, const Type& type)
{
    const std::string name = type_name(program, type);
    if (type.kind == TypeKind::number && !type.random && !type.list && !type.any && type.dim == dimension::none)
        return "a plain number";
    const char sound = name[name.front() == '`'];
    return fmt::format("{} {}", std::string_view("aeioAEIO").find(sound) == std::string_view::npos ? "a" : "an", name);
}

std::vector<std::string_view> plain_type_names()
{
    std::vector<std::string_view> names;
    for (const PlainType& plain : kPlainTypes) names.push_back(plain.name);
    return names;
}

std::optional<Type> plain_type(std::string_view name)
{
    for (const PlainType& plain : kPlainTypes)
        if (plain.name == name)
            return Type{.kind = plain.kind, .dim = plain.dim, .ref = plain.ref, .any = name == "quantity"};
    return std::nullopt;
}

Type type_of_name(Checking& in, SyntaxId dotted_name, std::uint8_t flags, bool of_function)
{
    Type type;
    if (in.tree.node(dotted_name).flags & syntax_flag::like) {  // functions look that up themselves
        in.report(Diag::type_mismatch, in.span(dotted_name),
                  "only parameters of functions, and their results, have the dimension of another parameter");
        return type;
    }
    const auto parts = syntax::DottedName(in.tree, dotted_name).parts();
    if (flags & syntax_flag::component) {
        const auto component = component_named(in, dotted_name, false);
        if (component) type = {.kind = TypeKind::component, .ref = component->value};
        if (component && flags & (syntax_flag::list | syntax_flag::random)) {
            in.report(Diag::type_mismatch, in.span(dotted_name), "a component is passed by itself");
            type = {};
        }
        return type;
    }
    if (parts.size() == 1) type = plain_type(in.text(parts[0])).value_or(type);
    if (type.any && !of_function) {
        in.report(Diag::type_mismatch, in.span(dotted_name), "only a parameter of a function is of whatever dimension")
            .help("name one: `number`, `time`, `size`, `rate` or `length`");
        return {};
    }
    const bool named = type.kind == TypeKind::link || type.kind == TypeKind::workload;
    if (named && !of_function) {
        in.report(Diag::type_mismatch, in.span(dotted_name),
                  fmt::format("only a function takes a {}", in.text(dotted_name)))
            .help("links and workloads have their names in the body that declares them, and behind its instance");
        return {};
    }
    if (type.kind == TypeKind::error) {
        const Symbol* symbol = nullptr;
        if (parts.size() == 1) {
            symbol = find(in, in.text(parts[0]));
            if (!symbol) {
                std::vector<std::string_view> candidates;
                for (const PlainType& plain : kPlainTypes) candidates.push_back(plain.name);
                for (std::string_view name :
                     in.diagnostics.suggests() ? visible_names(in) : std::vector<std::string_view>())
                    if (const Symbol* s = find(in, name);
                        s && (s->kind == SymbolKind::schema || s->kind == SymbolKind::enumeration))
                        candidates.push_back(name);
                auto report = in.report(Diag::unknown_type, in.span(dotted_name),
                                        fmt::format("unknown type `{}`", in.text(dotted_name)));
                const std::string_view word = in.text(parts[0]);
                if (word == "list" || word == "List" || word == "array" || word == "vector")
                    report.help("of several values there is a list: `node[]`, `time[]`");
                else if (word == "like")
                    report.help("a parameter follows: `like x` has the dimension of x");
                else if (const auto similar = meant_name(in.text(parts[0]), candidates); !similar.empty())
                    report.suggest(in.span(parts[0]), similar, quoted_name(similar));
                return type;
            }
            in.means(parts[0], symbol->span);
        } else {
            symbol = find_dotted(in, dotted_name);
            if (!symbol) return type;
        }
        if (symbol->kind == SymbolKind::schema) {
            type.kind = TypeKind::schema;
            type.ref = symbol->index;
        } else if (symbol->kind == SymbolKind::enumeration) {
            type.kind = TypeKind::enumeration;
            type.ref = symbol->index;
        } else {
            auto report = in.report(Diag::unknown_type, in.span(dotted_name),
                                    fmt::format("`{}` is not a type", in.text(dotted_name)));
            if (symbol->kind == SymbolKind::component)
                report.help(fmt::format("a component that is passed is written `component {}`", in.text(dotted_name)))
                    .fix(in.span(dotted_name), fmt::format("component {}", in.text(dotted_name)));
            if (symbol->kind == SymbolKind::profile) {
                const std::string schema(
                    in.text(syntax::ProfileDeclaration(in.tree, in.profile_syntax[symbol->index]).schema()));
                report.help(fmt::format("a profile is a value; its type is `{}`", schema))
                    .fix(in.span(dotted_name), schema);
            }
            return type;
        }
    }
    if (flags & syntax_flag::random) {
        if (type.kind != TypeKind::number && type.kind != TypeKind::integer && type.kind != TypeKind::boolean) {
            in.report(Diag::type_mismatch, in.span(dotted_name),
                      fmt::format("only a number, a quantity or a bool can be random, found {}", in.a_named(type)));
            return {};
        }
        type.random = true;
    }
    // Several nodes are a selection.
    if (flags & syntax_flag::list) (named || type.kind == TypeKind::node ? type.many : type.list) = true;
    return type;
}

Type profile_type(const Profile& profile)
{
    if (!profile.schema) return {};
    return {.kind = TypeKind::schema, .ref = profile.schema.value};
}

bool assignable(const CheckedProgram& program, const Type& from, const Type& to)
{
    if (from.kind == TypeKind::error || to.kind == TypeKind::error) return true;
    if (from.list && !to.list) return false;
    if (from.array || (from.many && !to.many)) return false;
    if (from.random && !to.random) return false;
    if (to.or_trace && from.kind == TypeKind::trace) return true;
    if (to.kind == TypeKind::number) {
        const bool number = is_numeric(from);
        return number && (to.any || from.dim == to.dim);
    }
    if (from.kind != to.kind) return false;
    if (to.kind == TypeKind::schema) return program.derives(SchemaId{from.ref}, SchemaId{to.ref});
    if (to.kind == TypeKind::component) return program.extends(ComponentId{from.ref}, ComponentId{to.ref});
    if (to.kind == TypeKind::node) return to.ref == abi::kNone || to.ref == from.ref;
    return from.ref == to.ref;
}

}  // namespace anml

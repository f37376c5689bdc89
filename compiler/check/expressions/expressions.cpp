// Expressions: dispatch by syntax, names and members, conditionals and lists, and the check against a wanted type.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/foreign_words.h"
#include "check/statements/statements.h"
#include "common/ascii.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

// `eth0`, `ge3`: a word that an interface is called by, and its number.
bool names_interface(std::string_view name)
{
    const std::size_t number = name.find_last_not_of("0123456789") + 1;
    constexpr std::string_view kWords[] = {"eth", "en", "ens", "wlan", "gi", "ge", "fa", "lo", "if", "port", "swp"};
    return number > 0 && number < name.size() &&
           std::find(std::begin(kWords), std::end(kWords), name.substr(0, number)) != std::end(kWords);
}

bool is_numeric(const Type& t) { return t.kind == TypeKind::number || t.kind == TypeKind::integer; }

// `uniform(1, 3)` as "uniform(1 ms, 3 ms)"; "": it is no distribution of which all arguments are such values.
std::string with_units(std::string_view written, std::string_view unit)
{
    const std::size_t open = written.find('(');
    if (open == written.npos || !written.ends_with(')')) return {};
    const std::string_view name = written.substr(0, open);
    if (name != "uniform" && name != "exponential" && name != "normal" && name != "constant") return {};
    std::string result(written.substr(0, open + 1));
    for (std::size_t at = open + 1; at < written.size();) {
        const std::size_t end = written.find_first_of(",)", at);
        const std::string_view value = trimmed(written.substr(at, end - at));
        if (value.empty() || value.find_first_not_of("0123456789.") != value.npos) return {};
        result += fmt::format("{}{} {}", at == open + 1 ? "" : ", ", value, unit);
        at = end + 1;
    }
    return result + ")";
}

// A profile with which a value of type `found` makes one of the schema `wanted`: `droptail` of a size and a `Queue`.
std::string profile_from(const SourceText& source, const CheckedProgram& program, const Type& found, const Type& wanted)
{
    if (wanted.kind != TypeKind::schema) return {};
    for (const Profile& p : program.profiles) {
        if (p.owner || p.parameters.empty() || !program.derives(p.schema, SchemaId{wanted.ref})) continue;
        const Type& first = p.parameters.front().type;
        bool others = false;
        for (std::size_t i = 1; i < p.parameters.size(); ++i) others = others || p.parameters[i].required;
        if (!is_numeric(first) || first.kind != found.kind || first.dim != found.dim || others) continue;
        std::string_view module = source.sources.file(p.span.file).module;
        if (module.empty() || module == "std.prelude") return p.name;
        // An access line of the library is more than its rate.
        if (found.dim == dimension::rate && program.library_files[p.span.file.value]) continue;
        return fmt::format("{}.{}", module.substr(module.rfind('.') + 1), p.name);
    }
    return {};
}

// ", or `ether.fast`" where std.ether, if it is imported, has a link of that rate.
std::string ether_of(const SourceText& source, const CheckedProgram& program, std::optional<double> rate)
{
    for (const Profile& p : program.profiles) {
        if (p.owner || !p.parameters.empty() || source.sources.file(p.span.file).module != "std.ether") continue;
        for (const AttributeValue& given : p.attributes)
            if (rate && program.schema(p.schema).attributes[given.attribute].name == "rate" &&
                constant(program, given.value) == rate)
                return fmt::format(", or `ether.{}`", p.name);
    }
    return {};
}

// Whether a string says, without its quotes, what may be such a value.
bool means_value(const Checking& in, std::string_view bare, const Type& wanted)
{
    switch (wanted.kind) {
        case TypeKind::address:
        case TypeKind::prefix:
            return true;
        case TypeKind::boolean:
            return bare == "true" || bare == "false";
        case TypeKind::enumeration: {
            const auto& values = in.program.enums[wanted.ref].values;
            return std::find(values.begin(), values.end(), bare) != values.end();
        }
        case TypeKind::node:
        case TypeKind::link:
        case TypeKind::workload:
        case TypeKind::schema: {
            const std::string_view first = bare.substr(0, bare.find_first_of(".([ "));
            return find(in, first) || in.links.contains(first);
        }
        default:
            return false;
    }
}

// `site[0]` where hosts are wanted: `site[0].pc[*]`.
void help_with_instance(const SourceText& source, const CheckedProgram& program, Diagnostics::Builder& report,
                        const Expr& found, const Type& wanted)
{
    if (wanted.kind != TypeKind::node) return;
    for (const Member& m : program.component(ComponentId{found.type.ref}).members) {
        if (m.type.kind != TypeKind::node || (wanted.ref != abi::kNone && m.type.ref != wanted.ref)) continue;
        const std::string_view all = found.type.array ? "[*]" : "",
                               chosen = !m.type.array ? "" : wanted.many ? "[*]" : "[0]";
        const std::string inner = fmt::format("{}.{}{}", all, m.name, chosen);
        report.help(fmt::format("name what is in it: `{}{}`", source.sources.text(found.span), inner))
            .fix_when_asked({found.span.behind(), inner});
        return;
    }
}

// A link over the air and the radio that serves it are taken for each other.
void help_with_radio(const CheckedProgram& program, Diagnostics::Builder& report, const Type& found, const Type& wanted)
{
    if (program.schema(SchemaId{wanted.ref}).name == "Radio" && program.derives(SchemaId{found.ref}, program.link))
        report.help("the radio is the node's, `switch ap { radio = wifi.ac() }`, and what reaches it a link, `link "
                    "pc[*] -- ap : wifi.air(300 Mbps)`");
    else if (program.derives(SchemaId{wanted.ref}, program.link))
        report.help("a radio is the node's, `switch ap { radio = wifi.ac() }`; the link's profile is "
                    "`wifi.air(300 Mbps)`");
}

// Whether it is a radio, such as a cell.
bool derives_radio(const CheckedProgram& program, const Type& type)
{
    for (SchemaId base{type.ref}; base.valid(); base = program.schemas[base.value].base)
        if (program.schemas[base.value].name == "Radio") return true;
    return false;
}

// Whose key it is; "": of none.
std::string_view table_of(const Checking& in, const Type& key)
{
    const std::uint32_t keys = in.program.keys_index(key);
    if (keys == abi::kNone) return {};
    for (const Table& table : in.program.data_tables)
        if (table.keys == keys && find(in, table.name)) return table.name;
    return {};
}

ExprId name(Checking& in, SyntaxId id, const Type* wanted)
{
    const std::string_view written = in.text(id);
    if (wanted && wanted->kind == TypeKind::enumeration) {
        const Enum& e = in.program.enums[wanted->ref];
        for (std::size_t i = 0; i < e.values.size(); ++i)
            if (e.values[i] == written) {
                in.means(syntax::Name(in.tree, id).identifier(), e.value_spans[i]);
                return in.add(ExprKind::enum_value, *wanted, in.span(id), static_cast<std::uint32_t>(i));
            }
    }
    if (check_named(in, written, in.span(id))) return in.error(in.span(id));
    if (const Symbol* symbol = find(in, written)) return use_symbol(in, *symbol, id);
    if (check_link_named(in, written, in.span(id))) return in.error(in.span(id));
    if (const auto link = in.links.find(written); link != in.links.end()) return use_link(in, link->second, id);
    if (wanted && wanted->kind == TypeKind::enumeration) {
        const Enum& e = in.program.enums[wanted->ref];
        auto report =
            in.report(Diag::unknown_name, in.span(id), fmt::format("`{}` has no value `{}`", e.name, written));
        if (in.diagnostics.suggests()) report.help(fmt::format("its values are `{}`", fmt::join(e.values, "`, `")));
        if (const std::string_view ours = foreign_name_help(written); !ours.empty()) report.help(std::string(ours));
        return in.error(in.span(id));
    }
    if (written == "all" && wanted && wanted->many) {
        in.report(Diag::type_mismatch, in.span(id), "`all` is a function, which is not a value")
            .help("all of an array are chosen by `[*]`: `pc[*]`");
        return in.error(in.span(id));
    }
    if (find_builtin(written)) {
        in.report(Diag::type_mismatch, in.span(id), fmt::format("`{}` is a function, which is not a value", written))
            .help(fmt::format("call it: `{}`", builtin_usage(*find_builtin(written))));
        return in.error(in.span(id));
    }
    report_unknown(in, in.span(id), written);
    return in.error(in.span(id));
}

ExprId let_computed(Checking& in, const Symbol& let, SyntaxId id)
{
    if (!in.in_require || (let.measures && in.in_moment)) {
        in.report(let.measures ? Diag::misplaced_measure : Diag::misplaced_path_function, in.span(id),
                  fmt::format("`{}` asks for {} and stands {}", in.text(id), let.measures ? "measures" : "paths",
                              in.in_require ? "in a `require` of a moment" : "outside `require`"))
            .also(let.span, "declared here")
            .help(let.measures
                      ? "it is known when the run ends: only a `require` of a model or component can ask for it"
                      : "routes exist once the network is complete: only a `require` of a model or component can ask "
                        "for them");
        return in.error(in.span(id));
    }
    in.asks_paths = in.asks_paths || !let.measures;
    in.asks_measures = in.asks_measures || let.measures;
    return let.computed;
}

// Nodes of a foreign graph are called as its file calls them, or numbered where it only numbers them.
ExprId unknown_in_graph(Checking& in, SyntaxId object, SyntaxId identifier, const std::string& message,
                        const Component& graph)
{
    constexpr std::size_t kMostNames = 3;
    std::vector<std::string> names;
    std::size_t nodes = 0;
    for (const Member& m : graph.members) {
        if (m.type.kind != TypeKind::node) continue;
        if (++nodes <= kMostNames)
            names.push_back(fmt::format("`{}.{}{}`", in.text(object), quoted_name(m.name), m.type.array ? "[0]" : ""));
    }
    std::string help = fmt::format("its nodes are named {}", fmt::join(names, ", "));
    if (nodes > kMostNames) help += fmt::format(" and {} more; `anmlc import` lists them", nodes - kMostNames);
    in.report(Diag::unknown_member, in.span(identifier), message).help(help);
    return in.error(in.span(identifier));
}

// What `instance.name` is, of one instance or of several.
ExprId member(Checking& in, const Member& found, const Type& instance, SyntaxId id, ExprId object)
{
    Type result = found.type;
    if (instance.many || instance.list) {
        if (!result.array) result.keys = is_part(result) && !result.many && is_flat(instance) ? instance.keys : 0;
        if (is_part(result)) {
            result.many = true;
        } else if (result.list) {
            const SyntaxId several = syntax::Member(in.tree, id).object();
            in.report(Diag::invalid_selection, in.span(several),
                      fmt::format("`{}` of several instances would be a list of lists", found.name))
                .help(fmt::format("ask one after the other: `for i, x in {} {{ ... x.{} ... }}`", in.text(several),
                                  found.name));
            return in.error(in.span(id));
        } else if (result.kind != TypeKind::error) {
            result.list = true;
        }
    }
    return in.add(ExprKind::member, result, in.span(id), found.slot, 0, {object});
}

ExprId member(Checking& in, SyntaxId id)
{
    const syntax::Member written(in.tree, id);
    const SyntaxId object_syntax = written.object(), identifier = written.name();
    const std::string_view wanted = in.text(identifier);
    const Span where = in.span(id);
    const auto unknown = [&](std::string message, const std::vector<std::string_view>& candidates,
                             std::string otherwise = "") {
        auto report = in.report(Diag::unknown_member, in.span(identifier), std::move(message));
        if (!in.diagnostics.suggests()) return in.error(where);
        if (const auto meant = meant_name(wanted, candidates); !meant.empty())
            report.suggest(in.span(identifier), meant, quoted_name(meant));
        else if (!otherwise.empty())
            report.help(std::move(otherwise));
        return in.error(where);
    };
    const auto attribute_of = [&](SchemaId schema_id, ExprKind kind, std::vector<ExprId> operands) {
        const Schema& schema = in.program.schema(schema_id);
        std::vector<std::string_view> candidates;
        for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
            const Attribute& attribute = schema.attributes[i];
            candidates.push_back(attribute.name);
            if (attribute.name != wanted) continue;
            in.means(identifier, attribute.span);
            in.read_attributes.insert(attribute.span);
            return in.add(kind, attribute.type, where, static_cast<std::uint32_t>(i), 0, std::move(operands));
        }
        if (kind == ExprKind::own_attribute && find(in, wanted) && similar_name(wanted, candidates).empty()) {
            in.report(Diag::unknown_member, in.span(identifier),
                      fmt::format("`{}` has no attribute `{}`", schema.name, wanted))
                .help(fmt::format("`self` has its own attributes alone; what is declared is known by its name: `{}`",
                                  wanted))
                .fix(where, std::string(wanted));
            return in.error(where);
        }
        return unknown(fmt::format("`{}` has no attribute `{}`", schema.name, wanted), candidates);
    };
    if (in.tree.kind(object_syntax) == SyntaxKind::self) {
        if (!in.self) {
            auto report = in.report(Diag::misplaced_self, in.span(object_syntax),
                                    in.in_change ? "`self` has no meaning in the timeline: a change says new values"
                                                 : "`self` stands outside a block of attributes");
            if (find(in, wanted))
                report.help(fmt::format("parameters and what a block declares are known by their names: `{}`", wanted))
                    .fix(where, std::string(wanted));
            else if (in.in_change)
                report.help(fmt::format("name the value beside what is declared: `let {} = ...`", wanted));
            else
                report.help(
                    fmt::format("`self.{}` is an attribute of the node, link, profile or workload in whose "
                                "braces it stands; elsewhere name the value: `let {} = ...`",
                                wanted, wanted));
            return in.error(where);
        }
        return attribute_of(in.self, ExprKind::own_attribute, {});
    }
    if (const Symbol* symbol = static_symbol(in, object_syntax)) {
        if (symbol->kind == SymbolKind::module) {
            const Symbol* inner = find_in_module(in, *symbol, identifier);
            return inner ? use_symbol(in, *inner, id) : in.error(where);
        }
        if (symbol->kind == SymbolKind::enumeration) {
            const Enum& e = in.program.enums[symbol->index];
            for (std::size_t i = 0; i < e.values.size(); ++i)
                if (e.values[i] == wanted) {
                    in.means(identifier, e.value_spans[i]);
                    return in.add(ExprKind::enum_value, {.kind = TypeKind::enumeration, .ref = symbol->index}, where,
                                  static_cast<std::uint32_t>(i));
                }
            const std::string message = fmt::format("`{}` has no value `{}`", e.name, wanted);
            if (!in.diagnostics.suggests()) return unknown(message, {});
            return unknown(message, {e.values.begin(), e.values.end()},
                           fmt::format("its values are `{}`", fmt::join(e.values, "`, `")));
        }
    }
    const ExprId object = expression(in, object_syntax);
    const Type type = in.program.expr(object).type;
    if (type.kind == TypeKind::error) return in.error(where);
    if (type.kind == TypeKind::schema && !type.list && (wanted == "up" || wanted == "down") &&
        in.program.derives(SchemaId{type.ref}, in.program.link))
        return in.add(ExprKind::direction, type, where, wanted == "down", 0, {object});
    if (type.kind == TypeKind::schema && !type.list)
        return attribute_of(SchemaId{type.ref}, ExprKind::attribute, {object});
    if (type.kind == TypeKind::instance) {
        const Component& component = in.program.components[type.ref];
        if (type.array) {
            in.report(Diag::invalid_selection, in.span(object_syntax),
                      fmt::format("`{}` is an array; `.{}` belongs to an element", in.text(object_syntax), wanted))
                .help(fmt::format("choose elements: `{}[*].{}` or `{}[0].{}`", in.text(object_syntax), wanted,
                                  in.text(object_syntax), wanted))
                .fix(in.span(object_syntax).behind(), "[*]")
                .fix(in.span(object_syntax).behind(), "[0]");
            return in.error(where);
        }
        if (const auto found = member_named(in, ComponentId{type.ref}, wanted)) {
            in.means(identifier, found->span);
            return member(in, *found, type, id, object);
        }
        const std::string message =
            fmt::format("`{}` has no node, instance, link, workload, port or parameter `{}`", component.name, wanted);
        if (!in.diagnostics.suggests()) return unknown(message, {});
        std::vector<std::string_view> candidates;
        for (const Member& m : component.members) candidates.push_back(m.name);
        for (const Parameter& p : component.parameters) candidates.push_back(p.name);
        if (in.incomplete.contains(type.ref)) return in.error(where);
        if (in.sources.file(component.span.file).part_of.valid() && similar_name(wanted, candidates).empty())
            return unknown_in_graph(in, object_syntax, identifier, message, component);
        return unknown(message, candidates);
    }
    if (type.kind == TypeKind::link && (wanted == "rate" || wanted == "delay")) {
        in.report(Diag::unknown_member, in.span(identifier), "a link has no members")
            .help(fmt::format("{} between its ends; attributes are read of a profile: `ether.fast.{}`",
                              wanted == "rate" ? "`bottleneck(a, b)` is the rate" : "`rtt(a, b)` is twice the delay",
                              wanted));
        return in.error(where);
    }
    constexpr std::string_view kRows[] = {"items", "entries", "values", "keys", "rows", "iterrows", "each", "all"};
    if (type.list && std::ranges::find(kRows, wanted) != std::end(kRows)) {  // `for k, s in sites.items()`
        const bool called = in.sources.file(where.file).text.substr(where.end, 2) == "()";
        in.report(Diag::unknown_member, in.span(identifier), fmt::format("{} has no members", in.a_named(type)))
            .help(fmt::format("a loop runs over the list itself: `for {} in {}`", type.keys != 0 ? "key, row" : "x",
                              in.text(object_syntax)))
            .fix({where.file, in.span(object_syntax).end, where.end + (called ? 2 : 0)}, "");
        return in.error(where);
    }
    if ((type.list || type.array || type.many) && (wanted == "len" || foreign_word(wanted, {"len"}) == "len"))
        return unknown(fmt::format("{} has no members", in.a_named(type)), {},
                       fmt::format("how many there are says `len({})`", in.text(object_syntax)));
    if (const auto table = type.kind == TypeKind::string && !type.list ? table_of(in, type) : std::string_view();
        !table.empty())
    {
        const std::string row = fmt::format("{}[{}]", table, in.text(object_syntax));
        in.report(Diag::unknown_member, in.span(identifier),
                  fmt::format("`{}` is the key itself, a string, which has no members", in.text(object_syntax)))
            .help(fmt::format("its row is `{}`: `{}.{}`", row, row, wanted))
            .fix(in.span(object_syntax), row);
        return in.error(where);
    }
    constexpr std::string_view kFiles[] = {"http", "rest", "csv", "json", "txt", "pcap", "log", "gml"};
    if (type.kind == TypeKind::node && std::ranges::find(kFiles, wanted) != std::end(kFiles)) {
        in.report(Diag::unknown_member, in.span(identifier), fmt::format("{} has no members", in.a_named(type)))
            .help(fmt::format("a file's name is a string: `\"{}\"`", in.text(id)))
            .fix(where, fmt::format("\"{}\"", in.text(id)));
        return in.error(where);
    }
    if (type.kind == TypeKind::node && in.links.contains(wanted)) {
        in.report(Diag::unknown_member, in.span(identifier), fmt::format("{} has no members", in.a_named(type)))
            .help(fmt::format("links are no parts of nodes: `{0}`, of an array an element, `{0}[0]`", wanted));
        return in.error(where);
    }
    const bool interface = type.kind == TypeKind::node && names_interface(wanted);
    if (interface) {
        in.report(Diag::unknown_member, in.span(identifier), fmt::format("{} has no members", in.a_named(type)))
            .help(
                fmt::format("nodes have no interfaces that are named: `{}` alone is the node", in.text(object_syntax)))
            .fix(where, std::string(in.text(object_syntax)));
        return in.error(where);
    }
    return unknown(
        fmt::format("{} has no members", in.a_named(type)), {},
        type.keys != 0 ? fmt::format("an element is chosen by its key: `{}[\"{}\"]`", in.text(object_syntax), wanted)
        : type.kind == TypeKind::string
            ? (in.tree.kind(object_syntax) == SyntaxKind::literal_string || wanted == "format"
                   ? "strings are put together: `\"site \" + text(n)`"
                   : "of a table's rows the key comes first: `for key, row in table`")
        : type.kind == TypeKind::workload ? fmt::format("measures are functions: `{}({})`",
                                                        find_builtin(wanted) ? wanted : "p95", in.text(object_syntax))
        : type.kind == TypeKind::link
            ? "what a link has is read of its profile, `ether.fast.mtu`, or asked: `load(l)`, `bottleneck(a, b)`"
        : type.kind == TypeKind::node
            ? "what a graph's file says of its nodes has a table of that file: `table rows(\"file\") : Row`"
            : "");
}

ExprId conditional(Checking& in, SyntaxId id, const Type* wanted)
{
    const syntax::Conditional written(in.tree, id);
    const ExprId condition =
        value(in, written.condition(), {.kind = TypeKind::boolean, .random = true}, "the condition");
    const ExprId a = expression(in, written.then(), wanted), b = expression(in, written.otherwise(), wanted);
    const Type x = in.program.expr(a).type, y = in.program.expr(b).type;
    const bool random = in.program.expr(condition).type.random;
    const auto result = [&](Type type) {
        type.random = type.random || random;
        return in.add(ExprKind::conditional, type, in.span(id), 0, 0, {condition, a, b});
    };
    if (x.kind == TypeKind::error || y.kind == TypeKind::error) return in.error(in.span(id));
    const auto drawn = [](const Type& t) { return (is_numeric(t) || t.kind == TypeKind::boolean) && !t.list; };
    if (random && (!drawn(x) || !drawn(y))) {
        in.report(
              Diag::type_mismatch, in.span(drawn(x) ? written.otherwise() : written.then()),
              fmt::format("only numbers, quantities and bools can be random, found {}", in.a_named(drawn(x) ? y : x)))
            .also(in.span(written.condition()), "this is drawn anew each time");
        return in.error(in.span(id));
    }
    if (assignable(in.program, x, y)) return result(y);
    if (assignable(in.program, y, x)) return result(x);
    if (wanted && assignable(in.program, x, *wanted) && assignable(in.program, y, *wanted)) return result(*wanted);
    in.report(is_numeric(x) && is_numeric(y) ? Diag::unit_mismatch : Diag::type_mismatch, in.span(id),
              fmt::format("the two branches are {} and {}", in.a_named(x), in.a_named(y)))
        .also(in.span(written.then()), in.a_named(x))
        .also(in.span(written.otherwise()), in.a_named(y));
    return in.error(in.span(id));
}

ExprId list(Checking& in, SyntaxId id, const Type* wanted)
{
    Type element = wanted_element(wanted);
    const bool known = element.kind != TypeKind::error;
    const auto written = syntax::List(in.tree, id).elements();
    if (!known && written.empty()) {
        in.report(Diag::type_mismatch, in.span(id), "nothing says what this empty list would contain")
            .help("an empty list can be the value of an attribute or argument that is a list");
        return in.error(in.span(id));
    }
    std::vector<ExprId> elements;
    std::optional<Type> refused;
    for (SyntaxId element_syntax : written) {
        ExprId e = expression(in, element_syntax, known || !elements.empty() ? &element : nullptr);
        const Type type = in.program.expr(e).type;
        if (type.list && type.kind != TypeKind::error) {
            in.report(Diag::type_mismatch, in.program.expr(e).span,
                      fmt::format("a list cannot hold lists, found {}", in.a_named(type)))
                .help("lists are put together with `+`");
            return in.error(in.span(id));
        }
        const bool wider =
            elements.empty() || (!assignable(in.program, type, element) && assignable(in.program, element, type));
        if (!known && wider) element = type;
        // Of two where neither extends the other it is what both extend: `[queue.red(64 KB), queue.codel(64 KB)]`.
        if (!known && element.kind == TypeKind::schema && type.kind == TypeKind::schema &&
            !assignable(in.program, type, element))
            for (SchemaId base{element.ref}; base.valid(); base = in.program.schemas[base.value].base)
                if (in.program.derives(SchemaId{type.ref}, base)) {
                    element.ref = base.value;
                    break;
                }
        // After a node the others may be nodes of any kind.
        if (!known && elements.empty() && type.kind == TypeKind::node) element = {.kind = TypeKind::node, .many = true};
        // What is wrong with one is wrong with the next ones, too: `[20, 40]` where times are wanted.
        const bool again = refused && type.kind == refused->kind && type.dim == refused->dim;
        elements.push_back(again ? in.error(in.program.expr(e).span) : require_type(in, e, element, "the list"));
        if (!again && in.program.expr(elements.back()).kind == ExprKind::error && type.kind != TypeKind::error)
            refused = type;
    }
    // Nodes in brackets are a selection of them, in this order.
    if (element.kind == TypeKind::node) {
        for (std::size_t i = 0; i < elements.size(); ++i) {
            const std::uint32_t kind = in.program.expr(elements[i]).type.ref;
            element.ref = i == 0 || element.ref == kind ? kind : abi::kNone;
        }
        return in.add(ExprKind::list, element, in.span(id), 0, 0, std::move(elements));
    }
    element.list = element.kind != TypeKind::error;
    return in.add(ExprKind::list, element, in.span(id), 0, 0, std::move(elements));
}

// The name of an array that is declared `name[1]`, where the expression is one; an invalid span: it is none.
Span declared_as_one(Checking& in, const Expr& e)
{
    if (e.type.array != 1) return {};
    const std::string_view written = in.sources.text(e.span);
    const std::string_view name = written.substr(written.rfind('.') + 1);
    Span declared;
    if (const Symbol* symbol = e.kind == ExprKind::local ? find(in, name) : nullptr) declared = symbol->span;
    if (e.kind == ExprKind::member)
        if (const Type of = in.program.expr(in.program.operands_of(e)[0]).type; of.kind == TypeKind::instance)
            if (const auto member = member_named(in, ComponentId{of.ref}, name)) declared = member->span;
    const bool one = declared.valid() && in.sources.file(declared.file).text.compare(declared.end, 3, "[1]") == 0;
    return one ? declared : Span{};
}

// `let half = n / 2`, where an int is wanted: it is reported there, once.
bool fraction_of_let(Checking& in, const Expr& e, const Type& wanted)
{
    const bool fraction = e.kind == ExprKind::local && e.type.kind == TypeKind::number && !e.type.random &&
                          !e.type.list && e.type.dim == dimension::none && wanted.kind == TypeKind::integer;
    if (!fraction) return false;
    const auto let = in.lets.find({in.component.value, e.index});
    if (let == in.lets.end()) return false;
    const Span value = in.program.expr(let->second).span;
    if (in.program.expr(let->second).kind != ExprKind::binary) return false;
    if (!in.once.insert(value).second) return true;
    const std::string written(in.sources.text(value));
    in.report(Diag::type_mismatch, value,
              fmt::format("a quotient is no int, which `{}` has to be", in.sources.text(e.span)))
        .also(e.span, "an int is wanted here")
        .help(fmt::format("round it: `floor({})`", written))
        .fix(value, fmt::format("floor({})", written));
    return true;
}

}  // namespace

std::pair<std::string_view, std::string_view> usual_units(Dimension d, double value)
{
    if (d == dimension::rate && value >= 1e5) return {"bps", "Kbps"};
    if (d == dimension::time) return {"ms", "s"};
    if (d == dimension::size) return {"B", "KB"};
    if (d == dimension::rate) return {"Mbps", "Gbps"};
    if (d == dimension::length) return {"m", "km"};
    return {};
}

ExprId Checking::add(ExprKind kind, Type type, Span span, std::uint32_t index, double value,
                     std::vector<ExprId> operands)
{
    Expr e{kind,
           type,
           span,
           index,
           value,
           static_cast<std::uint32_t>(program.operands.size()),
           static_cast<std::uint32_t>(operands.size())};
    e.type.or_trace = false;  // of the place, not of what stands there
    const bool keyed = kind == ExprKind::local || kind == ExprKind::bound || kind == ExprKind::table ||
                       kind == ExprKind::member || kind == ExprKind::element || kind == ExprKind::every;
    if (!keyed) e.type.keys = 0;
    program.operands.insert(program.operands.end(), operands.begin(), operands.end());
    program.expressions.push_back(e);
    return ExprId{program.expressions.size() - 1};
}

ExprId expression(Checking& in, SyntaxId id, const Type* wanted)
{
    const Span where = in.span(id);
    if (wanted && wanted->kind == TypeKind::component) {
        const bool call = in.tree.kind(id) == SyntaxKind::call;
        const Symbol* symbol = static_symbol(in, call ? syntax::Call(in.tree, id).callee() : id);
        if (symbol && symbol->kind == SymbolKind::component)
            return passed_component(in, id, ComponentId{symbol->index},
                                    call ? syntax::Call(in.tree, id).arguments() : SyntaxId{}, *wanted);
    }
    switch (in.tree.kind(id)) {
        case SyntaxKind::literal_integer:
        case SyntaxKind::literal_number:
        case SyntaxKind::literal_quantity:
            return quantity(in, id, wanted);
        case SyntaxKind::literal_string:
            in.program.strings.push_back(string_value(in, in.diagnostics, id));
            find_placeholders(in, in.diagnostics, id);
            return in.add(ExprKind::string, {.kind = TypeKind::string}, where,
                          static_cast<std::uint32_t>(in.program.strings.size() - 1));
        case SyntaxKind::literal_boolean:
            return in.add(ExprKind::number, {.kind = TypeKind::boolean}, where, 0, in.text(id) == "true");
        case SyntaxKind::literal_address:
        case SyntaxKind::literal_prefix:
            return address(in, id, wanted);
        case SyntaxKind::name:
            return name(in, id, wanted);
        case SyntaxKind::self:
            in.report(Diag::misplaced_self, where, "`self` is not a value by itself")
                .help("name an attribute: `self.x`");
            return in.error(where);
        case SyntaxKind::member:
            return member(in, id);
        case SyntaxKind::subscript:
            return subscript(in, id);
        case SyntaxKind::call:
            return call(in, id);
        case SyntaxKind::unary:
            return unary(in, id, wanted);
        case SyntaxKind::binary:
            return binary(in, id, wanted);
        case SyntaxKind::conditional:
            return conditional(in, id, wanted);
        case SyntaxKind::list:
            return list(in, id, wanted);
        case SyntaxKind::comprehension:
            return comprehension(in, id, wanted);
        case SyntaxKind::adapted:
            return adapted(in, id);
        default:
            return in.error(where);
    }
}

ExprId value(Checking& in, SyntaxId id, const Type& wanted, std::string_view what)
{
    // Of whatever dimension: what stands there says which.
    return require_type(in, expression(in, id, wanted.any ? nullptr : &wanted), wanted, what);
}

ExprId require_type(Checking& in, ExprId expr, const Type& wanted, std::string_view what)
{
    const Expr e = in.program.expr(expr);
    const Type& found = e.type;
    if (assignable(in.program, found, wanted)) return expr;
    if (fraction_of_let(in, e, wanted)) return in.error(e.span);
    if (wanted.kind == TypeKind::file && !wanted.list && e.kind == ExprKind::string) return named_file(in, expr);
    const std::string written{in.sources.text(e.span)};
    Type one = wanted;
    one.many = false;
    if (one.dim == dimension::none) one.random = false;  // so much goes without saying
    const std::string place = wanted.many ? in.a_named(one) + " or several" : in.a_named(one);
    if ((found.array || (found.many && !wanted.many)) && wanted.kind == found.kind) {
        if (const Span one_of = declared_as_one(in, e); one_of.valid()) {
            if (!in.once.insert(one_of).second) return in.error(e.span);
            in.report(Diag::invalid_selection, e.span,
                      fmt::format("{} wants {}, found {}", what, place, in.a_named(found)))
                .also(one_of, "an array of one is declared here")
                .help(fmt::format("one alone is declared without brackets: `{}`", in.sources.text(one_of)))
                .fix({one_of.file, one_of.end, one_of.end + 3}, "");
            return in.error(e.span);
        }
        auto report = in.report(Diag::invalid_selection, e.span,
                                fmt::format("{} wants {}, found {}", what, place, in.a_named(found)));
        if (found.array && wanted.many)
            report.help(fmt::format("choose all its elements with `{}[*]`, or one with `{}[0]`", written, written))
                .fix(e.span.behind(), "[*]")
                .fix(e.span.behind(), "[0]");
        else if (found.array)
            report.help(fmt::format("choose an element: `{}[0]`", written)).fix_when_asked({e.span.behind(), "[0]"});
        else if (written.ends_with("[*]"))
            report.help(fmt::format("choose one of them: `{}[0]`", written.substr(0, written.size() - 3)))
                .fix_when_asked({{e.span.file, e.span.end - 3, e.span.end}, "[0]"});
        return in.error(e.span);
    }
    if (is_numeric(found) && is_numeric(wanted) && found.dim != wanted.dim && !found.list && !wanted.any) {
        auto report = in.report(Diag::unit_mismatch, e.span,
                                fmt::format("{} wants {}, found {}", what, place, in.a_named(found)));
        const bool plain = found.dim == dimension::none && e.kind == ExprKind::number;
        const auto [small, large] = usual_units(wanted.dim, plain ? e.value : 0);
        if (found.dim == dimension::none && !small.empty()) {
            const auto drawn = with_units(written, small), drawn_large = with_units(written, large);
            if (written.ends_with('%'))
                report.help(fmt::format("a share is none: {} is written in units such as `{}` and `{}`",
                                        in.a_named(Type{.kind = TypeKind::number, .dim = wanted.dim}), small, large));
            else if (e.kind == ExprKind::number)
                report.write_either(e.span, fmt::format("{} {}", written, small), fmt::format("{} {}", written, large));
            else if (!drawn.empty())
                report.write_either(e.span, drawn, drawn_large);
            else
                report
                    .help(
                        fmt::format("multiply it by a unit: `({0}) * 1 {1}` or `({0}) * 1 {2}`", written, small, large))
                    .fix(e.span, fmt::format("({}) * 1 {}", written, small))
                    .fix(e.span, fmt::format("({}) * 1 {}", written, large));
        } else if (wanted.dim == dimension::time && e.kind == ExprKind::number && written.ends_with("m")) {
            report.help("`m` is metres; minutes are `min`").fix({e.span.file, e.span.end - 1, e.span.end}, "min");
        } else if (wanted.dim == dimension::time && found.dim == dimension::length) {
            report.help(fmt::format("a length by a speed is a time: `{} / (200000 km / 1 s)`",
                                    written.substr(0, written.find(" / "))));
        } else if (!small.empty() && e.kind == ExprKind::number) {
            report.help(fmt::format("{} is written in units such as `{}` and `{}`", in.a_named(wanted), small, large));
        }
        return in.error(e.span);
    }
    // That nothing is filled in there is no second mistake.
    if (found.kind == TypeKind::string && in.diagnostics.suggests())
        in.diagnostics.remove_if([&](const Diagnostic& d) {
            return d.diag == Diag::literal_placeholder && d.span.file == e.span.file && e.span.begin <= d.span.begin &&
                   d.span.end <= e.span.end;
        });
    auto report =
        in.report(Diag::type_mismatch, e.span, fmt::format("{} wants {}, found {}", what, place, in.a_named(found)));
    if (wanted.kind == TypeKind::integer && found.kind == TypeKind::number && found.dim == dimension::none &&
        !found.random)
        report.help(fmt::format("round it: `floor({})`", written)).fix(e.span, fmt::format("floor({})", written));
    if (wanted.kind == TypeKind::schema && in.program.schema(SchemaId{wanted.ref}).name == "Queue" &&
        found.kind == TypeKind::integer)
        report.help(fmt::format("in packets it is `droptail(packets = {})`", written))
            .fix(e.span, fmt::format("droptail(packets = {})", written));
    if (found.kind == TypeKind::string && written.size() > 2) {
        std::string bare = written.substr(1, written.size() - 2);
        if (bare.starts_with("${") && bare.ends_with("}")) bare = bare.substr(2, bare.size() - 3);
        if (const auto q = parse_quantity(bare); q && q->dim == dimension::length && wanted.dim == dimension::time)
            report
                .help(fmt::format("minutes are `min`, and stand without quotes: `{} min`",
                                  bare.substr(0, bare.size() - 1)))
                .fix(e.span, bare.substr(0, bare.size() - 1) + " min");
        else if (is_numeric(wanted) ? parse_quantity(bare).has_value() : means_value(in, bare, wanted))
            report.help(fmt::format("write it without quotes: `{}`", bare)).fix(e.span, bare);
        else if (wanted.or_trace && (bare.find('.') != bare.npos || bare.find('/') != bare.npos))
            report.help(fmt::format("a file's values are a trace: `trace({})`", written))
                .fix(e.span, fmt::format("trace({})", written));
        else if (const std::string_view ours = foreign_name_help(bare); !ours.empty())
            report.help(std::string(ours));
        else if (wanted.kind == TypeKind::schema && in.program.schema(SchemaId{wanted.ref}).name == "Radio")
            report.help("a radio is a profile of `std.wifi`: `wifi.n()`, `wifi.ac()`");
        else if (wanted.kind == TypeKind::schema || wanted.kind == TypeKind::enumeration)
            help_with_library(in, report, e.span, bare);
        else if (e.kind == ExprKind::string &&
                 (wanted.kind == TypeKind::node || wanted.kind == TypeKind::link || wanted.kind == TypeKind::workload))
            report.help(bare.find('/') != bare.npos
                            ? "who is asked is a node, by its name: `endpoint s { address = 10.9.0.80 }`, and here `s`"
                            : "what is declared is named without quotes: `a`, `pc[0]`, `pc[*]`");
    }
    if (wanted.kind == TypeKind::address && found.kind == TypeKind::address && found.list)
        report.help("a node has one address; those of an array count on from it: `host pc[2] { address = 10.0.0.1 }`");
    if (const std::string profile = is_numeric(found) ? profile_from(in, in.program, found, wanted) : "";
        !profile.empty())
        report.help(fmt::format("a profile makes one of it: `{}({})`", profile, written))
            .fix(e.span, fmt::format("{}({})", profile, written));
    else if (is_numeric(found) && found.dim == dimension::rate && wanted.kind == TypeKind::schema &&
             in.program.derives(in.program.link, SchemaId{wanted.ref}))
        report.help(fmt::format("a profile says the rate: `profile wire : Link {{ rate = {} }}`{}", written,
                                ether_of(in, in.program, constant(in.program, expr))));
    if (wanted.kind == TypeKind::node && found.kind == TypeKind::address)
        report.help("nodes are known by their names, not by their addresses: `a`, `pc[0]`");
    if (wanted.kind == TypeKind::node && found.kind == TypeKind::string && e.kind != ExprKind::string)
        for (const Names& scope : in.scopes)
            for (const auto& [array, symbol] : scope)
                if (symbol.type.kind == TypeKind::node && symbol.type.array == 1 && symbol.type.keys != 0)
                    return report.help(
                               fmt::format("a string is a key, which chooses an element: `{}[{}]`", array, written)),
                           in.error(e.span);
    if (wanted.kind == TypeKind::node && found.kind == TypeKind::prefix)
        report.help("nodes are known by their names, not by their addresses: all of an array are `pc[*]`");
    if (wanted.kind == TypeKind::address && found.kind == TypeKind::boolean)
        report.help("it says the address itself, which all share: `10.9.9.9`");
    if (wanted.kind == TypeKind::enumeration)
        report.help(fmt::format("its values are `{}`", fmt::join(in.program.enums[wanted.ref].values, "`, `")));
    if (what == "`require`" && found.kind == TypeKind::string)
        report.help("a condition stands without quotes, and its figures have units: `p95(w) < 200 ms`");
    if (wanted.kind == TypeKind::number && found.kind == TypeKind::number && found.random && !wanted.random &&
        what == "`delay`")
        report.help(fmt::format("what is drawn is added to the delay: `delay = 5 ms, jitter = {}`", written));
    if (what == "`at`" && found.list)
        report.help(fmt::format("each has its moment: `for t in {} {{ at t {{ ... }} }}`", written));
    if (wanted.kind == TypeKind::workload && (found.kind == TypeKind::node || found.kind == TypeKind::instance))
        report.help("measures are of workloads, which have names: `workload w : web.ClosedLoop on pc[*] { ... }`");
    const SchemaId schema = wanted.kind == TypeKind::schema ? SchemaId{wanted.ref} : SchemaId{};
    if (schema && in.program.schema(schema).name == "BackEnd" && found.kind == TypeKind::node)
        report.help(fmt::format("what is behind it is said so: `middlebox.back_end({})`", written))
            .fix(e.span, fmt::format("middlebox.back_end({})", written));
    if (schema && in.program.schema(schema).name == "Document" && found.kind == TypeKind::string)
        report.help(fmt::format("a document has a size: `web.fixed(10 KB, {})`", written));
    if (found.kind == TypeKind::instance) help_with_instance(in, in.program, report, e, wanted);
    const bool radio = found.kind == TypeKind::schema && wanted.kind == TypeKind::schema && !found.list &&
                       (in.program.schema(SchemaId{wanted.ref}).name == "Radio" || derives_radio(in.program, found));
    if (radio)
        help_with_radio(in.program, report, found, wanted);
    else if (wanted.kind == TypeKind::schema && found.kind == TypeKind::schema &&
             in.program.derives(in.program.link, SchemaId{wanted.ref}))
        report.help(
            "a link has a profile of lines, such as `ether.fast`; what serves at an endpoint is its `simulated`");
    if (wanted.kind == TypeKind::schema && found.kind == TypeKind::schema)
        report.also(in.program.schemas[found.ref].span,
                    fmt::format("`{}` does not extend `{}`", in.program.schemas[found.ref].name,
                                in.program.schemas[wanted.ref].name));
    return in.error(e.span);
}

ExprId use_symbol(Checking& in, const Symbol& symbol, SyntaxId id)
{
    const Span where = in.span(id);
    const auto not_a_value = [&](std::string_view kind, std::string help) {
        auto report =
            in.report(Diag::type_mismatch, where, fmt::format("`{}` is {}, which is not a value", in.text(id), kind));
        if (!help.empty()) report.help(std::move(help));
        return in.error(where);
    };
    const auto needs_nothing = [&](const std::vector<Parameter>& parameters, Span declared) {  // else it is reported
        std::string required;
        for (const Parameter& p : parameters)
            if (p.required) required += fmt::format("{}{} = ...", required.empty() ? "" : ", ", p.name);
        if (required.empty()) return true;
        in.report(Diag::wrong_argument_count, where, fmt::format("`{}` needs arguments", in.text(id)))
            .also(declared, "declared here")
            .help(fmt::format("write `{}({})`", in.text(id), required));
        return false;
    };
    if (in.tree.kind(id) == SyntaxKind::name) in.means(syntax::Name(in.tree, id).identifier(), symbol.span);
    switch (symbol.kind) {
        case SymbolKind::local:
            if (symbol.computed) return let_computed(in, symbol, id);
            if (symbol.bound) return in.add(ExprKind::bound, symbol.type, where, in.bound - 1 - symbol.index);
            return in.add(ExprKind::local, symbol.type, where, symbol.index);
        case SymbolKind::profile: {
            const Profile& profile = in.program.profiles[symbol.index];
            in.use(SymbolKind::profile, symbol.index, where);
            if (std::vector<ExprId> given(profile.parameters.size());
                needs_nothing(profile.parameters, profile.span) &&
                !is_unbounded(in.program, in.diagnostics, profile, given, where))
                return in.add(ExprKind::profile, profile_type(profile), where, symbol.index, 0, std::move(given));
            return in.error(where);
        }
        case SymbolKind::process: {
            const Process& process = in.program.processes[symbol.index];
            in.use(SymbolKind::process, symbol.index, where);
            if (!needs_nothing(process.parameters, process.span)) return in.error(where);
            return in.add(ExprKind::process, process.type, where, symbol.index, 0,
                          std::vector<ExprId>(process.parameters.size()));
        }
        case SymbolKind::table: {
            const SchemaId schema = in.program.data_tables[symbol.index].schema;
            if (!schema) return in.error(where);
            const std::uint32_t keys = in.program.data_tables[symbol.index].keys;
            return in.add(
                ExprKind::table,
                {.kind = TypeKind::schema, .ref = schema.value, .list = true, .keys = keying(in.program, {keys})},
                where, symbol.index);
        }
        case SymbolKind::module:
            return not_a_value("a module", fmt::format("name something in it: `{}.x`", in.text(id)));
        case SymbolKind::schema:
            return not_a_value("a schema", "a schema is a type; a profile is a value of it");
        case SymbolKind::enumeration: {
            const Enum& e = in.program.enums[symbol.index];
            return not_a_value(
                "an enum", e.values.empty() ? "" : fmt::format("name a value: `{}.{}`", in.text(id), e.values.front()));
        }
        case SymbolKind::function: {
            std::string names;
            for (const Parameter& p : in.program.functions[symbol.index].parameters)
                names += fmt::format("{}{}", names.empty() ? "" : ", ", p.name);
            return not_a_value("a function", fmt::format("call it: `{}({})`", in.text(id), names));
        }
        case SymbolKind::component:
            return not_a_value("a component", fmt::format("make an instance of it: `{} name`", in.text(id)));
    }
    return in.error(where);
}

// Of the list, or the selection of nodes, that a place wants; an error: it wants neither.
Type wanted_element(const Type* wanted)
{
    if (!wanted) return {};
    Type element = *wanted;
    if (wanted->kind == TypeKind::node && wanted->many) return element;
    element.list = false;
    return wanted->list ? element : Type{};
}

}  // namespace anml

// Expressions: dispatch by syntax, names and members, conditionals and lists.
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

// Whose key it is; "": of none.
std::string_view table_of(const Checking& in, const Type& key)
{
    const std::uint32_t keys = in.program.keys_index(key);
    if (keys == abi::kNone) return {};
    for (const Table& table : in.program.data_tables)
        if (table.keys == keys && find(in, table.name)) return table.name;
    return {};
}

// Where a node is wanted one with a similar name comes before what the library has.
bool similar_node(Checking& in, SyntaxId id, std::string_view written)
{
    if (!in.diagnostics.suggests()) return false;
    for (const Level& level : in.levels)
        if (level.names.contains(written)) return false;
    std::vector<std::string_view> nodes;
    for (const Names& scope : in.scopes)
        for (const auto& [name, symbol] : scope)
            if (symbol.type.kind == TypeKind::node) nodes.push_back(name);
    const std::string_view similar = similar_name(written, nodes);
    if (similar.empty()) return false;
    in.report(Diag::unknown_name, in.span(id), fmt::format("unknown name `{}`", written))
        .also(find(in, similar)->span, fmt::format("`{}` is declared here", similar))
        .suggest(in.span(id), similar, quoted_name(similar));
    return true;
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
        const std::string_view meant =
            in.diagnostics.suggests() ? meant_name(written, {e.values.begin(), e.values.end()}) : "";
        if (!meant.empty()) return report.suggest(in.span(id), meant, quoted_name(meant)), in.error(in.span(id));
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
    if (wanted && wanted->kind == TypeKind::node && similar_node(in, id, written)) return in.error(in.span(id));
    const std::size_t errors = in.diagnostics.errors();
    report_unknown(in, in.span(id), written);
    if (wanted && wanted->kind == TypeKind::node && in.diagnostics.errors() == errors + 1 &&
        in.diagnostics.list().back().helps.empty() && in.diagnostics.list().back().diag == Diag::unknown_name)
    {
        const Type one{.kind = TypeKind::node, .ref = wanted->ref};
        in.diagnostics.amend(in.diagnostics.list().size() - 1)
            .help(fmt::format("nodes are declared: `{} {}`", wanted->ref == abi::kNone ? "host" : in.named(one),
                              written));
    }
    if (wanted && wanted->kind == TypeKind::string && in.diagnostics.errors() == errors + 1 &&
        in.diagnostics.list().back().helps.empty() && in.diagnostics.list().back().diag == Diag::unknown_name)
        in.diagnostics.amend(in.diagnostics.list().size() - 1)
            .help(fmt::format("a string stands in quotes: `\"{}\"`", written))
            .fix(in.span(id), fmt::format("\"{}\"", written));
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

// `office.pc`, where the hosts are in `level`: "it is in `level`: `office.level[0].pc`"; "": in none.
std::string part_within(const Checking& in, std::string_view object, const Component& component, std::string_view name)
{
    for (const Member& m : component.members) {
        if (m.type.kind != TypeKind::instance) continue;
        for (const Member& inner : in.program.component(ComponentId{m.type.ref}).members)
            if (inner.name == name)
                return fmt::format("it is in `{0}`: `{1}.{0}{2}.{3}`", m.name, object, m.type.array ? "[0]" : "", name);
    }
    return {};
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
        const auto keys = type.array ? in.program.keys_of(type) : nullptr;
        if (keys && keys->find(wanted)) {  // `branch.Bern`
            in.report(Diag::invalid_selection, in.span(identifier),
                      fmt::format("`{}` is a key of `{}`, and stands in brackets", wanted, in.text(object_syntax)))
                .help(fmt::format("an element is chosen by its key: `{}[\"{}\"]`", in.text(object_syntax), wanted))
                .fix({where.file, in.span(object_syntax).end, where.end}, fmt::format("[\"{}\"]", wanted));
            return in.error(where);
        }
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
        std::string otherwise = part_within(in, in.text(object_syntax), component, wanted);
        constexpr std::size_t kFew = 8;
        if (otherwise.empty() && !candidates.empty() && candidates.size() <= kFew)
            otherwise = fmt::format("it has `{}`", fmt::join(candidates, "`, `"));
        return unknown(message, candidates, std::move(otherwise));
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
    if ((is_numeric(type) || type.kind == TypeKind::boolean) && !type.list) {  // `sites[key].hosts.count`
        in.report(Diag::unknown_member, in.span(identifier), fmt::format("{} has no members", in.a_named(type)))
            .help(fmt::format("it is the value itself: `{}`", in.text(object_syntax)))
            .fix({where.file, in.span(object_syntax).end, where.end}, "");
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
    auto report = in.report(is_numeric(x) && is_numeric(y) ? Diag::unit_mismatch : Diag::type_mismatch, in.span(id),
                            fmt::format("the two branches are {} and {}", in.a_named(x), in.a_named(y)));
    report.also(in.span(written.then()), in.a_named(x)).also(in.span(written.otherwise()), in.a_named(y));
    // `100 Mbps else 20`
    const bool first = x.dim == dimension::none;
    const SyntaxId bare = first ? written.then() : written.otherwise(),
                   other = first ? written.otherwise() : written.then();
    const std::string_view unit = in.text(other).substr(std::min(unit_position(in.text(other)), in.text(other).size()));
    if (is_numeric(x) && is_numeric(y) && first != (y.dim == dimension::none) &&
        in.program.expr(first ? a : b).kind == ExprKind::number &&
        in.program.expr(first ? b : a).kind == ExprKind::number && !unit.empty())
        report.write(in.span(bare), fmt::format("{} {}", in.text(bare), unit));
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
        if (type.array && element.kind == TypeKind::instance && type.kind == element.kind &&
            type.ref == element.ref)
        {  // `[hq, branch]`
            const Span place = in.program.expr(e).span;
            in.report(Diag::invalid_selection, place,
                      fmt::format("`{}` is an array, and a list holds instances", in.sources.text(place)))
                .help(fmt::format("all its elements are `{}[*]`", in.sources.text(place)))
                .fix(place.behind(), "[*]");
            return in.error(in.span(id));
        }
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

}  // namespace

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

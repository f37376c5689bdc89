// Keys: what stands for the numbers of elements of what a table is the model of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/expressions/expressions.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

void report_key(Diagnostics& diagnostics, Span place, std::string_view key, const KeySet& keys)
{
    auto report = diagnostics.report(Diag::unknown_key, place, fmt::format("{} has no key \"{}\"", keys.of(), key));
    if (diagnostics.suggests()) suggest_key(report, key, keys, place);
}

// `host pc[["anna", "bert"]]`
ExprId listed_keys(Checking& in, ExprId list, std::uint32_t& keys)
{
    auto set = std::make_shared<KeySet>("this array");
    for (const ExprId operand : in.program.operands_of(in.program.expr(list))) {
        const Expr& e = in.program.expr(operand);
        if (e.kind == ExprKind::error) return in.error(e.span);
        const std::string key = e.kind == ExprKind::string ? in.program.strings[e.index] : "";
        if (key.empty()) {
            in.report(Diag::type_mismatch, e.span, "a key in brackets is a string with something in it")
                .help("keys that are computed are those of a table: `table rows(\"rows.csv\") : Row by name`");
            return in.error(e.span);
        }
        const auto same = set->add(key);
        if (!same) continue;
        in.report(Diag::duplicate_name, e.span,
                  (*set)[*same] == key ? fmt::format("the key \"{}\" stands here twice", key)
                                       : fmt::format("in names \"{}\" and \"{}\" are both written `{}`", (*set)[*same],
                                                     key, key_in_names(key)));
    }
    keys = static_cast<std::uint32_t>(in.program.key_sets.size());
    in.program.key_sets.push_back(std::move(set));
    in.program.expressions[list.value].type.keys = keying(in.program, {keys});
    return list;
}

bool is_string(const Attribute& a) { return a.type.kind == TypeKind::string && !a.type.list; }

// `for k in sites { host pc[k] }`: a loop with one name gives rows, and keys with two. It is reported, once.
bool row_as_index(Checking& in, const Expr& e)
{
    if (e.type.kind != TypeKind::schema || e.type.list || e.kind != ExprKind::local) return false;
    const std::string name(in.sources.text(e.span));
    const Symbol* const symbol = find(in, name);
    if (!symbol || !symbol->span.valid() || !in.loop_number.empty()) return false;
    if (!in.once.insert(symbol->span).second) return true;
    in.report(Diag::type_mismatch, symbol->span,
              fmt::format("`{}` is {}, a row, and stands in brackets as a key or number", name, in.a_named(e.type)))
        .also(e.span, "here")
        .help(fmt::format("a loop with two names has the key, or number, and the row: `for {}, row in ...`", name))
        .fix(symbol->span, fmt::format("{}, row", name));
    return true;
}

// The list of strings that a `let` is, once more.
std::optional<ExprId> listed_by_let(Checking& in, const Expr& name)
{
    if (name.kind != ExprKind::local || !name.type.list || name.type.kind != TypeKind::string) return std::nullopt;
    const auto let = in.lets.find({in.component.value, name.index});
    if (let == in.lets.end()) return std::nullopt;
    const Expr list = in.program.expr(let->second);
    if (list.kind != ExprKind::list) return std::nullopt;
    const auto operands = in.program.operands_of(list);
    return in.add(ExprKind::list, list.type, name.span, list.index, list.value, {operands.begin(), operands.end()});
}

}  // namespace

std::uint32_t keying(CheckedProgram& program, std::vector<std::uint32_t> keys)
{
    while (!keys.empty() && keys.back() == abi::kNone) keys.pop_back();
    auto& known = program.keyings;
    const auto at = std::find(known.begin(), known.end(), keys);
    if (at != known.end()) return static_cast<std::uint32_t>(at - known.begin());
    known.push_back(std::move(keys));
    return static_cast<std::uint32_t>(known.size() - 1);
}

std::uint32_t keying_of_rest(CheckedProgram& program, const Type& array)
{
    const auto& keys = program.keyings[array.keys];
    return keys.empty() ? 0 : keying(program, {keys.begin() + 1, keys.end()});
}

// `: Pop by name`. Of a table without the key that it wants nothing is known: what uses it is no second mistake.
void key_signature(Checking& in, TableId id)
{
    const syntax::TableDeclaration declared(in.tree, in.table_syntax[id.value]);
    Table& table = in.program.data_tables[id.value];
    if (!declared.has_key() || in.tree.is_hole(declared.key()) || !table.schema) return;
    const SyntaxId key = declared.key();
    const std::vector<Attribute>& attributes = in.program.schema(table.schema).attributes;
    const auto at =
        std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == in.text(key); });
    if (at == attributes.end()) {
        std::vector<std::string_view> names;
        if (in.diagnostics.suggests())
            for (const Attribute& a : attributes)
                if (is_string(a)) names.push_back(a.name);
        auto report =
            in.report(Diag::unknown_attribute, in.span(key),
                      fmt::format("`{}` has no attribute `{}`", in.program.schema(table.schema).name, in.text(key)));
        if (const auto similar = similar_name(in.text(key), names); !similar.empty())
            report.suggest(in.span(key), similar, quoted_name(similar));
        else if (names.size() == 1)
            report.write(in.span(key), std::string(names.front()));
        else if (!names.empty())
            report.help(fmt::format("a key is one of its strings: `{}`", fmt::join(names, "`, `")));
        table.schema = {};
        return;
    }
    in.means(key, at->span);
    in.read_attributes.insert(at->span);
    if (at->type.kind != TypeKind::string || at->type.list) {
        table.schema = {};
        if (at->type.kind == TypeKind::error) return;
        auto report =
            in.report(Diag::type_mismatch, in.span(key),
                      fmt::format("the key of a table is a string, and `{}` is {}", at->name, in.a_named(at->type)));
        report.also(at->span, "declared here");
        const auto string = std::ranges::find_if(attributes, is_string);
        if (string != attributes.end()) report.write(in.span(key), quoted_name(string->name));
        return;
    }
    table.keys = static_cast<std::uint32_t>(in.program.key_sets.size());
    in.program.key_sets.push_back(std::make_shared<KeySet>(fmt::format("the table `{}`", table.name)));
}

// What the row is called by. `place`: of the cell, or of a row without one.
void key_of_row(Checking& in, TableId id, const TableRow& row, std::string_view key, Span place)
{
    Table& table = in.program.data_tables[id.value];
    if (key.empty()) {
        const auto& attributes = in.program.schema(table.schema).attributes;
        const SyntaxId written = syntax::TableDeclaration(in.tree, in.table_syntax[id.value]).key();
        if (std::any_of(attributes.begin(), attributes.end(),
                        [&](const Attribute& a) { return a.name == in.text(written) && a.required; }))
            return;  // that it is missing is said, too
        in.report(Diag::invalid_table, place.valid() ? place : row.span, "this row has no key")
            .also(in.span(syntax::TableDeclaration(in.tree, in.table_syntax[id.value]).key()),
                  "rows are known by this column");
        return;
    }
    KeySet& keys = *in.program.key_sets[table.keys];
    const auto same = keys.add(key);
    if (!same) return;
    const std::string& other = keys[*same];
    in.report(Diag::invalid_table, place,
              other == key ? fmt::format("the key \"{}\" stands twice in {}", key, keys.of())
                           : fmt::format("in names the keys \"{}\" and \"{}\" are both written `{}`", other, key,
                                         key_in_names(key)))
        .also(table.rows[*same], "the first is here");
}

// Of a graph of another tool, whose text is being checked: `nodes` are the rows of a table of the same file.
std::uint32_t keys_of_graph(const Checking& in)
{
    const FileId parent = in.sources.file(in.program.component(in.component).span.file).part_of;
    if (!parent.valid()) return abi::kNone;
    const auto declarations = syntax::File(in.tree, in.tree.roots[parent.value]).declarations();
    std::string_view file;
    for (const SyntaxId id : declarations)
        if (in.tree.kind(id) == SyntaxKind::graph_decl)
            if (const syntax::GraphDeclaration graph(in.tree, id);
                in.text(graph.name()) == in.program.component(in.component).name)
                file = in.text(graph.file());
    for (std::size_t i = 0; i < in.table_syntax.size(); ++i)
        if (const SyntaxId id = in.table_syntax[i]; in.span(id).file == parent &&
                                                    in.text(syntax::TableDeclaration(in.tree, id).file()) == file &&
                                                    in.program.data_tables[i].keys != abi::kNone)
            return in.program.data_tables[i].keys;
    return abi::kNone;
}

// What stands in brackets behind an array or a list, and is one number or key.
ExprId index_of(Checking& in, SyntaxId id, const Type& array, SyntaxId object)
{
    const bool word = in.tree.kind(id) == SyntaxKind::name && !find(in, in.text(id)) && !in.links.contains(in.text(id));
    const auto known = array.kind == TypeKind::error ? nullptr : in.program.keys_of(array);
    if (word && known && known->find(in.text(id))) {  // `dear[Lyon]`
        in.report(Diag::unknown_name, in.span(id), fmt::format("unknown name `{}`", in.text(id)))
            .help(fmt::format("a key is a string: `{}[\"{}\"]`", in.text(object), in.text(id)))
            .fix(in.span(id), fmt::format("\"{}\"", in.text(id)));
        return in.error(in.span(id));
    }
    const ExprId index = expression(in, id);
    const Expr e = in.program.expr(index);
    if (e.type.kind == TypeKind::node && !e.type.many && !e.type.array) {
        if (!in.nodes_as_indices.emplace(in.component.value, in.text(id)).second) return in.error(e.span);
        in.report(Diag::type_mismatch, e.span,
                  fmt::format("an index is a number, and `{}` is {}", in.text(id), in.a_named(e.type)))
            .help(fmt::format("write `{0}` in place of `{1}[{0}]`; numbers come from a loop, `for i, x in {1}[*]`",
                              in.text(id), in.text(object)));
        return in.error(e.span);
    }
    if (array.kind == TypeKind::error) return index;
    if (row_as_index(in, e)) return in.error(e.span);
    if (e.type.kind != TypeKind::string || e.type.list)
        return require_type(in, index, {.kind = TypeKind::integer}, "an index");
    const auto keys = in.program.keys_of(array);
    if (!keys && in.keyless) return in.error(e.span);
    if (!keys) {
        in.report(Diag::type_mismatch, e.span,
                  fmt::format("the elements of `{}` have numbers, and no keys", in.text(object)))
            .help(
                "keys are those of a table, `table rows(\"rows.csv\") : Row by name`, and of what is declared for "
                "each of its rows, `host pc[rows]`");
        return in.error(e.span);
    }
    if (e.kind == ExprKind::string && keys->size() > 0 && !keys->find(in.program.strings[e.index])) {
        report_key(in.diagnostics, e.span, in.program.strings[e.index], *keys);
        return in.error(e.span);
    }
    return index;
}

// Behind the name of a declaration: a number, or a key in a loop over what has some; or what has keys, for all of them.
ExprId bracket(Checking& in, SyntaxId id, std::string_view what, std::vector<std::uint32_t>& keys)
{
    keys.push_back(abi::kNone);
    const ExprId written = expression(in, id);
    const Expr e = in.program.expr(written);
    if (e.kind == ExprKind::list && e.type.list && e.type.kind == TypeKind::string)
        return listed_keys(in, written, keys.back());
    if (const auto list = listed_by_let(in, e)) return listed_keys(in, *list, keys.back());
    const bool row = row_as_index(in, e);
    if (e.type.kind == TypeKind::error || row) {  // what would stand there has keys perhaps: whichever are asked for
        keys.back() = static_cast<std::uint32_t>(in.program.key_sets.size());
        in.program.key_sets.push_back(std::make_shared<KeySet>("this array"));
        return row ? in.error(e.span) : written;
    }
    keys.back() = in.program.keys_index(e.type);
    const bool all = e.type.list && e.type.kind == TypeKind::schema,
               one = e.type.kind == TypeKind::string && !e.type.list;
    if ((all || one) && keys.back() != abi::kNone) return written;
    keys.back() = abi::kNone;
    if (one || e.type.list) {
        Type row = e.type;
        row.list = false;
        if ((all || (one && e.kind == ExprKind::local)) && in.keyless) {  // that it has no keys was said
            keys.back() = static_cast<std::uint32_t>(in.program.key_sets.size());
            in.program.key_sets.push_back(std::make_shared<KeySet>("this array"));
            return in.error(e.span);
        }
        auto report = in.report(Diag::type_mismatch, e.span,
                                fmt::format("{} wants an int or keys, found {}", what, in.a_named(e.type)));
        if (one)
            report.help("a key is what a loop over a table of keys calls it: `for key, row in rows { host pc[key] }`");
        else if (e.kind == ExprKind::table)
            report.help(fmt::format("say which attribute is the key of a row: `table {}(...) : {} by name`",
                                    in.program.data_tables[e.index].name, in.program.schema(SchemaId{row.ref}).name));
        else
            report.help("keys are those of a table, `table rows(\"rows.csv\") : Row by name`, strings in brackets, "
                        "`host pc[[\"ann\", \"bob\"]]`, or a `let` of these; a parameter is no keys");
        keys.back() = static_cast<std::uint32_t>(in.program.key_sets.size());  // whichever are asked for
        in.program.key_sets.push_back(std::make_shared<KeySet>("this array"));
        in.keyless = in.keyless || e.type.list;
        return in.error(e.span);
    }
    return require_type(in, written, {.kind = TypeKind::integer}, what);
}

}  // namespace anml

// Keys: what stands for the numbers of elements of what a table is the model of.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

std::uint32_t Checker::keying(std::vector<std::uint32_t> keys)
{
    while (!keys.empty() && keys.back() == abi::kNone) keys.pop_back();
    auto& known = program_.keyings;
    const auto at = std::find(known.begin(), known.end(), keys);
    if (at != known.end()) return static_cast<std::uint32_t>(at - known.begin());
    known.push_back(std::move(keys));
    return static_cast<std::uint32_t>(known.size() - 1);
}

std::uint32_t Checker::keying_of_rest(const Type& array)
{
    const auto& keys = program_.keyings[array.keys];
    return keys.empty() ? 0 : keying({keys.begin() + 1, keys.end()});
}

// `: Pop by name`
void Checker::key_signature(TableId id)
{
    const syntax::TableDeclaration declared(tree_, table_syntax_[id.value]);
    Table& table = program_.data_tables[id.value];
    if (!declared.has_key() || tree_.is_hole(declared.key()) || !table.schema) return;
    const SyntaxId key = declared.key();
    const std::vector<Attribute>& attributes = program_.schema(table.schema).attributes;
    const auto at =
        std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) { return a.name == text(key); });
    if (at == attributes.end()) {
        std::vector<std::string_view> names;
        if (diagnostics_.suggests())
            for (const Attribute& a : attributes)
                if (a.type.kind == TypeKind::string && !a.type.list) names.push_back(a.name);
        auto report = diagnostics_.report(
            Diag::unknown_attribute, span(key),
            fmt::format("`{}` has no attribute `{}`", program_.schema(table.schema).name, text(key)));
        if (const auto similar = similar_name(text(key), names); !similar.empty())
            report.suggest(span(key), similar, quoted_name(similar));
        else if (names.size() == 1)
            report.write(span(key), std::string(names.front()));
        else if (!names.empty())
            report.help(fmt::format("a key is one of its strings: `{}`", fmt::join(names, "`, `")));
        table.schema = {};  // how its rows are asked for is no second mistake
        return;
    }
    means(key, at->span);
    read_attributes_.insert(at->span);
    if (at->type.kind != TypeKind::string || at->type.list) {
        if (at->type.kind != TypeKind::error)
            diagnostics_
                .report(Diag::type_mismatch, span(key),
                        fmt::format("the key of a table is a string, and `{}` is {}", at->name, a_named(at->type)))
                .also(at->span, "declared here");
        return;
    }
    table.keys = static_cast<std::uint32_t>(program_.key_sets.size());
    program_.key_sets.push_back(std::make_shared<KeySet>(fmt::format("the table `{}`", table.name)));
}

// What the row is called by. `place`: of the cell, or of a row without one.
void Checker::key_of_row(TableId id, const TableRow& row, std::string_view key, Span place)
{
    Table& table = program_.data_tables[id.value];
    if (key.empty()) {
        const auto& attributes = program_.schema(table.schema).attributes;
        const SyntaxId written = syntax::TableDeclaration(tree_, table_syntax_[id.value]).key();
        if (std::any_of(attributes.begin(), attributes.end(),
                        [&](const Attribute& a) { return a.name == text(written) && a.required; }))
            return;  // that it is missing is said, too
        diagnostics_
            .report(Diag::invalid_table, place.valid() ? place : row.span, "this row has no key")
            .also(span(syntax::TableDeclaration(tree_, table_syntax_[id.value]).key()),
                  "rows are known by this column");
        return;
    }
    KeySet& keys = *program_.key_sets[table.keys];
    const auto same = keys.add(key);
    if (!same) return;
    const std::string& other = keys[*same];
    diagnostics_
        .report(Diag::invalid_table, place,
                other == key ? fmt::format("the key \"{}\" stands twice in {}", key, keys.of())
                             : fmt::format("in names the keys \"{}\" and \"{}\" are both written `{}`", other, key,
                                           key_in_names(key)))
        .also(table.rows[*same], "the first is here");
}

// Of a graph of another tool, whose text is being checked: `nodes` are the rows of a table of the same file.
std::uint32_t Checker::keys_of_graph() const
{
    const FileId parent = sources_.file(program_.component(component_).span.file).part_of;
    if (!parent.valid()) return abi::kNone;
    const auto declarations = syntax::File(tree_, tree_.roots[parent.value]).declarations();
    std::string_view file;
    for (const SyntaxId id : declarations)
        if (tree_.kind(id) == SyntaxKind::graph_decl)
            if (const syntax::GraphDeclaration graph(tree_, id);
                text(graph.name()) == program_.component(component_).name)
                file = text(graph.file());
    for (std::size_t i = 0; i < table_syntax_.size(); ++i)
        if (const SyntaxId id = table_syntax_[i];
            span(id).file == parent && text(syntax::TableDeclaration(tree_, id).file()) == file &&
            program_.data_tables[i].keys != abi::kNone)
            return program_.data_tables[i].keys;
    return abi::kNone;
}

void Checker::report_key(Span place, std::string_view key, const KeySet& keys)
{
    auto report =
        diagnostics_.report(Diag::unknown_key, place, fmt::format("{} has no key \"{}\"", keys.of(), key));
    if (diagnostics_.suggests()) suggest_key(report, key, keys, place);
}

// `host pc[["anna", "bert"]]`
ExprId Checker::listed_keys(ExprId list, std::uint32_t& keys)
{
    auto set = std::make_shared<KeySet>("this array");
    for (const ExprId operand : program_.operands_of(program_.expr(list))) {
        const Expr& e = program_.expr(operand);
        if (e.kind == ExprKind::error) return error(e.span);
        const std::string key = e.kind == ExprKind::string ? program_.strings[e.index] : "";
        if (key.empty()) {
            diagnostics_.report(Diag::type_mismatch, e.span, "a key in brackets is a string with something in it")
                .help("keys that are computed are those of a table: `table rows(\"rows.csv\") : Row by name`");
            return error(e.span);
        }
        const auto same = set->add(key);
        if (!same) continue;
        diagnostics_
            .report(Diag::duplicate_name, e.span,
                    (*set)[*same] == key ? fmt::format("the key \"{}\" stands here twice", key)
                                         : fmt::format("in names \"{}\" and \"{}\" are both written `{}`",
                                                       (*set)[*same], key, key_in_names(key)));
    }
    keys = static_cast<std::uint32_t>(program_.key_sets.size());
    program_.key_sets.push_back(std::move(set));
    program_.expressions[list.value].type.keys = keying({keys});
    return list;
}

std::optional<ExprId> Checker::listed_by_let(const Expr& name)
{
    if (name.kind != ExprKind::local || !name.type.list || name.type.kind != TypeKind::string) return std::nullopt;
    const auto let = listed_lets_.find({component_.value, name.index});
    if (let == listed_lets_.end()) return std::nullopt;
    const Expr list = program_.expr(let->second);
    const auto operands = program_.operands_of(list);
    return add(ExprKind::list, list.type, name.span, list.index, list.value, {operands.begin(), operands.end()});
}

// What stands in brackets behind an array or a list, and is one number or key.
ExprId Checker::index_of(SyntaxId id, const Type& array, SyntaxId object)
{
    const ExprId index = expression(id);
    const Expr e = program_.expr(index);
    if (e.type.kind == TypeKind::node && !e.type.many && !e.type.array) {
        if (!nodes_as_indices_.emplace(component_.value, text(id)).second) return error(e.span);
        diagnostics_
            .report(Diag::type_mismatch, e.span,
                    fmt::format("an index is a number, and `{}` is {}", text(id), a_named(e.type)))
            .help(fmt::format("write `{0}` in place of `{1}[{0}]`; numbers come from a loop, `for i, x in {1}[*]`",
                              text(id), text(object)));
        return error(e.span);
    }
    if (array.kind == TypeKind::error) return index;
    if (e.type.kind != TypeKind::string || e.type.list)
        return require_type(index, {.kind = TypeKind::integer}, "an index");
    const auto keys = program_.keys_of(array);
    if (!keys) {
        diagnostics_
            .report(Diag::type_mismatch, e.span,
                    fmt::format("the elements of `{}` have numbers, and no keys", text(object)))
            .help("keys are those of a table, `table rows(\"rows.csv\") : Row by name`, and of what is declared for "
                  "each of its rows, `host pc[rows]`");
        return error(e.span);
    }
    if (e.kind == ExprKind::string && keys->size() > 0 && !keys->find(program_.strings[e.index])) {
        report_key(e.span, program_.strings[e.index], *keys);
        return error(e.span);
    }
    return index;
}

// Behind the name of a declaration: a number, or a key in a loop over what has some; or what has keys, for all of them.
ExprId Checker::bracket(SyntaxId id, std::string_view what, std::vector<std::uint32_t>& keys)
{
    keys.push_back(abi::kNone);
    const ExprId written = expression(id);
    const Expr e = program_.expr(written);
    if (e.kind == ExprKind::list && e.type.list && e.type.kind == TypeKind::string)
        return listed_keys(written, keys.back());
    if (const auto list = listed_by_let(e)) return listed_keys(*list, keys.back());
    if (e.kind == ExprKind::error) {  // what would stand there has keys perhaps: whichever are asked for
        keys.back() = static_cast<std::uint32_t>(program_.key_sets.size());
        program_.key_sets.push_back(std::make_shared<KeySet>("this array"));
        return written;
    }
    keys.back() = program_.keys_index(e.type);
    const bool all = e.type.list && e.type.kind == TypeKind::schema,
               one = e.type.kind == TypeKind::string && !e.type.list;
    if ((all || one) && keys.back() != abi::kNone) return written;
    keys.back() = abi::kNone;
    if (one || e.type.list) {
        Type row = e.type;
        row.list = false;
        auto report = diagnostics_.report(Diag::type_mismatch, e.span,
                                          fmt::format("{} wants an int or keys, found {}", what, a_named(e.type)));
        if (one)
            report.help("a key is what a loop over a table of keys calls it: `for key, row in rows { host pc[key] }`");
        else if (e.kind == ExprKind::table)
            report.help(fmt::format("say which attribute is the key of a row: `table {}(...) : {} by name`",
                                    program_.data_tables[e.index].name, program_.schema(SchemaId{row.ref}).name));
        else
            report.help("keys are those of a table, `table rows(\"rows.csv\") : Row by name`, or strings in brackets");
        return error(e.span);
    }
    return require_type(written, {.kind = TypeKind::integer}, what);
}

}  // namespace anml

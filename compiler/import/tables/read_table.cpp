// Finds the files that `table` declarations name, and reads them by their kind.
#include "import/tables/read_table.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/files/read_file.h"
#include "import/graphs/foreign_graph.h"
#include "import/graphs/read_graph.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

namespace tables = std::filesystem;

constexpr std::size_t kMostRows = 1'000'000;

// Beside the file that declares it, then in the folders of -I.
std::optional<FileId> find_table(const SourceOptions& options, Span literal, SourceSet& sources,
                                 Diagnostics& diagnostics)
{
    const std::string written{sources.text(literal)}, name = written.substr(1, written.size() - 2);
    std::vector<tables::path> tried{tables::path(sources.file(literal.file).path).parent_path() / name};
    for (const std::string& folder : options.include_dirs) tried.push_back(tables::path(folder) / name);
    for (const tables::path& path : tried) {
        std::error_code ignored;
        if (!tables::exists(path, ignored)) continue;
        for (std::size_t i = 0; i < sources.files.size(); ++i)  // two tables may be of one file
            if (sources.files[i].foreign && sources.files[i].path == path.string()) return FileId(i);
        return load_graph_file(path.string(), Readable::files, sources, diagnostics);
    }
    auto report = diagnostics.report(Diag::file_not_found, literal, fmt::format("there is no file `{}`", name));
    // `data/sites.csv`, which is beside the model.
    const std::string alone = tables::path(name).filename().string();
    std::error_code ignored;
    if (alone != name && tables::exists(tables::path(sources.file(literal.file).path).parent_path() / alone, ignored))
        report.write(literal, fmt::format("\"{}\"", alone));
    else if (const std::string beside = similar_file(tried.front().string()); !beside.empty())
        report.help(fmt::format("there is `{}`", beside))
            .fix(literal, fmt::format("\"{}\"", tables::path(name).replace_filename(beside).string()));
    else
        for (const tables::path& path : tried) report.note(fmt::format("looked for {}", path.string()));
    return std::nullopt;
}

}  // namespace

std::size_t column_named(TableFile& table, std::string_view header, Span span)
{
    std::string_view name = header, unit;
    for (const std::string_view brackets : {"[]", "()"}) {
        const std::size_t open = header.rfind(brackets[0]);
        if (open == std::string_view::npos || open == 0 || header.back() != brackets[1]) continue;
        name = header.substr(0, header.find_last_not_of(" \t", open - 1) + 1);
        unit = header.substr(open + 1, header.size() - open - 2);
    }
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].name == name) return i;
    table.columns.push_back({std::string(name), std::string(unit), span});
    return table.columns.size() - 1;
}

bool read_table(const SourceSet& sources, FileId file, TableFile& table, Diagnostics& diagnostics)
{
    const SourceFile& source = sources.file(file);
    std::string_view text = source.text;
    const std::string kind = tables::path(source.path).extension().string();
    TableError error;
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    const bool object = first != std::string_view::npos && text[first] == '{' && text.find("\"nodes\"") != text.npos;
    const bool records =
        kind == ".csv" || kind == ".tsv" || (kind == ".json" && !object) || kind == ".yaml" || kind == ".yml";
    if (const auto graph = records ? std::nullopt : guess_graph_format(source.path, text)) {
        const auto nodes = read_graph(sources, file, graph, diagnostics);
        if (nodes) read_graph_table(*nodes, table);
        return nodes.has_value();
    }
    if (kind == ".csv" || kind == ".tsv") {
        error = read_csv(text, kind == ".tsv" ? '\t' : ',', file, table);
    } else if (kind == ".json") {
        error = read_json_records(text, file, table);
    } else if (kind == ".yaml" || kind == ".yml") {
        error = read_yaml_records(text, file, table);
    } else {
        diagnostics
            .report(Diag::invalid_table, table.declared, fmt::format("`{}` is no table by its name", source.path))
            .help(
                "tables are files whose names end in .csv, .tsv, .json, .yaml or .yml, and graphs such as .graphml and "
                ".gml");
        return false;
    }
    if (error.message.empty() && table.rows.size() > kMostRows)
        error = {fmt::format("the table has more than {} rows", kMostRows), "", table.rows[kMostRows].span.begin,
                 table.rows[kMostRows].span.end};
    if (error.message.empty()) return true;
    const auto last = static_cast<std::uint32_t>(text.size());
    const Span place{file, std::min(static_cast<std::uint32_t>(error.begin), last),
                     std::min(static_cast<std::uint32_t>(error.end), last)};
    auto report = diagnostics.report(Diag::invalid_table, place, error.message);
    if (!error.help.empty()) report.help(error.help);
    report.also(table.declared, "the table is declared here");
    return false;
}

bool read_tables(const SourceOptions& options, const SyntaxTree& tree, SourceSet& sources, Diagnostics& diagnostics)
{
    const std::size_t before = diagnostics.errors();
    for (const SyntaxId root : tree.roots) {
        for (const SyntaxId id : syntax::File(tree, root).declarations()) {
            if (tree.kind(id) != SyntaxKind::table_decl) continue;
            TableFile table;
            table.declared = tree.node(syntax::TableDeclaration(tree, id).file()).span;
            const auto file = find_table(options, table.declared, sources, diagnostics);
            if (!file) continue;
            table.file = *file;
            if (read_table(sources, *file, table, diagnostics)) sources.tables.push_back(std::move(table));
        }
    }
    return diagnostics.errors() == before;
}

// The nodes of a foreign graph as a table's rows, in their order: that of the port `nodes` of its component.
void read_graph_table(const ForeignGraph& graph, TableFile& table)
{
    std::vector<std::size_t> columns(graph.names.size(), graph.names.size());  // by name; that many: none yet
    for (const ForeignNode& node : graph.nodes) {
        const Span place = graph.span(node.offset);
        table.rows.push_back({place, {}});
        auto& cells = table.rows.back().cells;
        const auto set = [&](std::size_t column, const std::string& text, bool nested) {
            if (cells.size() <= column) cells.resize(column + 1);
            cells[column] = {place.begin, place.end, text, nested};
        };
        set(column_named(table, "id", place), node.id, false);
        for (const ForeignAttribute& attribute : node.attributes) {
            std::size_t& column = columns[attribute.name];
            if (column == graph.names.size()) column = column_named(table, graph.names[attribute.name], place);
            set(column, attribute.value, attribute.kind == ForeignKind::list);
        }
    }
}

}  // namespace anml

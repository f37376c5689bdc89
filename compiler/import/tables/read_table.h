// `table name("file") : Schema`: the file's rows, from CSV, JSON or YAML, or the nodes of a foreign graph. What its
// cells mean says `check`.
#pragma once

#include "syntax/syntax_tree.h"

namespace anml {

// Reads the files of all `table` declarations into `sources.tables`. False: an error was reported.
bool read_tables(const SourceOptions& options, const SyntaxTree& tree, SourceSet& sources, Diagnostics& diagnostics);

// The rows of a file whose text is part of the sources; by its name `.csv`, `.tsv`, `.json`, `.yaml` or `.yml`, or a
// graph. False: an error was reported.
bool read_table(const SourceSet& sources, FileId file, TableFile& table, Diagnostics& diagnostics);

// read_csv.cpp, read_records.cpp: "" or what is wrong at `table_error.begin`.
struct TableError {
    std::string message, help;
    std::size_t begin = 0, end = 0;
};
TableError read_csv(std::string_view text, char separator, FileId file, TableFile& table);
TableError read_json_records(std::string_view text, FileId file, TableFile& table);
TableError read_yaml_records(std::string_view text, FileId file, TableFile& table);

// Of a foreign graph: a column for each attribute, and one for `id`.
struct ForeignGraph;
void read_graph_table(const ForeignGraph& graph, TableFile& table);

// The index of the column of this header, `name` or `name [unit]`, which is made if there is none yet.
std::size_t column_named(TableFile& table, std::string_view header, Span span);

}  // namespace anml

// Reads a foreign graph: finds out its format, makes its text UTF-8, and hands it to the format's reader.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/files/read_file.h"
#include "import/graphs/foreign_graph.h"

namespace anml {

// Appends the file ("-": standard input), as UTF-8, to `sources`. What is too large, no text or compressed is an error.
std::optional<FileId> load_graph_file(const std::string& path, Readable readable, SourceSet& sources,
                                      Diagnostics& diagnostics);

// By the file's name, and where that says nothing by its first bytes.
std::optional<GraphFormat> guess_graph_format(std::string_view path, std::string_view text);
std::optional<GraphFormat> find_graph_format(std::string_view name);  // "graphml", "gml", ... as --from takes them
std::string graph_format_words();                                     // all of them, for messages

// The graph, or nothing after an error was reported. `format`: nothing where it is to be guessed.
std::optional<ForeignGraph> read_graph(const SourceSet& sources, FileId file, std::optional<GraphFormat> format,
                                       Diagnostics& diagnostics);

// The readers. Each fills the builder, and returns false after an error was reported.
bool read_graphml(std::string_view text, GraphBuilder& builder);
bool read_gml(std::string_view text, GraphBuilder& builder);
bool read_node_link(std::string_view text, GraphBuilder& builder);
bool read_dot(std::string_view text, GraphBuilder& builder);
bool read_caida(std::string_view text, GraphBuilder& builder);
bool read_containerlab(std::string_view text, GraphBuilder& builder);
bool read_netlab(std::string_view text, GraphBuilder& builder);
bool read_mahimahi(std::string_view text, GraphBuilder& builder);  // no graph: refuses (import_trace.h)
bool read_har(std::string_view text, GraphBuilder& builder);       // the same (import_har.h)
bool read_openapi(std::string_view text, GraphBuilder& builder);   // the same (import_openapi.h)

// YAML with nodes or links at its top, where containerlab has `topology`.
bool is_netlab(std::string_view text);

// Any bytes as UTF-8: a byte order mark or an XML declaration says what they are; otherwise what is not UTF-8 is read
// as Windows-1252, which extends Latin-1. `assumed` tells that this was a guess.
std::string decode_text(std::string bytes, bool& assumed);
// The character set that an XML declaration names, or "".
std::string declared_encoding(std::string_view bytes);
// `&amp;`, `&#233;`, `&eacute;` as the characters that they stand for; what is no such entity stays.
std::string decode_entities(std::string_view text);
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace anml

// `anmlc import`: a foreign graph as the source of a model.
#pragma once

#include <optional>
#include <string>

#include "import/choose_part.h"
#include "import/graphs/read_graph.h"
#include "import/interpret.h"

namespace anml {

struct ImportOptions {
    std::string input;                  // a path, or "-" for standard input
    std::optional<GraphFormat> format;  // guessed where it is not given
    std::string model;                  // its name; "": made of the file's
    std::uint32_t hosts = 1;            // at each router; 0: neither hosts nor traffic
    double rate = 1e9;                  // bit/s, of links whose rate the file does not say
    double delay = 1e6;                 // ns, of links whose delay and length it does not say
    std::string output = "-";           // a path, or "-": names of files in the text count from its folder
    GraphPart part;                     // what of the graph is wanted
    std::vector<std::string> origins;   // of a session: hosts whose requests are wanted; none: all
    bool texts = true;                  // takes over what a graph of ours says in the language
};

// A second file, where there is one.
struct ImportedFile {
    std::string path, text;
};

// The text, in the formatter's style. What is dropped and what is guessed becomes warnings.
std::optional<std::string> import_model(const ImportOptions& options, SourceSet& sources, Diagnostics& diagnostics,
                                        ImportedFile& beside);

// The same of a graph that was read; `file` is named in the comment at the top.
std::optional<std::string> graph_model(const ForeignGraph& graph, const ImportOptions& options, const std::string& file,
                                       Diagnostics& diagnostics);
// Whether the text holds expressions and statements of the file, which only the compiler can judge.
bool takes_texts(const SourceSet& sources, const ImportOptions& options);

// A model's name from a file's: "sndlib-germany50.json" is SndlibGermany50.
std::string model_name(std::string_view path);

}  // namespace anml

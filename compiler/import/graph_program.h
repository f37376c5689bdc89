// The text in the language that `anmlc graph` puts into a graph's attributes: taken apart by the parser, so that
// nothing gets into an imported model but what may stand there.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace anml {

// Where files are that the text names: beside the graph, to be named from where the model will stand.
struct TextFolders {
    std::string from, to;
    std::string moved(const std::string& file) const;  // as seen from `to`
};

// The graph's attribute `anml`: what is neither node nor link.
struct GraphProgram {
    std::set<std::string> imports;    // lines: "import std.web"
    std::string declarations;         // processes and profiles, a line or more each
    std::string statements;           // of the model: addressing, routing, workloads ...
    std::set<std::string> processes;  // names that are declared
    std::set<std::string> profiles;
    std::uint64_t dropped = 0;  // what may not stand there
};
// Nothing where it is no program. `workloads`: whether they are wanted.
std::optional<GraphProgram> read_graph_program(std::string_view text, const TextFolders& folders, bool workloads);

// What a link draws, "exponential(2 ms)": an expression of numbers, functions and these processes. Whether its type is
// right only the compiler says.
std::optional<std::string> read_drawn(std::string_view text, const TextFolders& folders,
                                      const std::set<std::string>& processes);

}  // namespace anml

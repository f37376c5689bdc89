// A graph in somebody else's format: nodes, edges and attributes as the file has them, before anything is understood.
//
// The readers (read_*.cpp) fill it through GraphBuilder, one per format; interpret.h says what it means as a network.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "source/source_set.h"

namespace anml {

enum class GraphFormat : std::uint8_t { graphml, gml, json, dot, caida, containerlab, netlab, mahimahi, har, openapi };
std::string_view graph_format_name(GraphFormat format);  // "GraphML"

enum class ForeignKind : std::uint8_t { text, number, boolean, list };  // list: numbers or words, joined by commas

struct ForeignAttribute {
    std::uint32_t name = 0;  // index into ForeignGraph::names
    ForeignKind kind = ForeignKind::text;
    std::string value;
    std::uint32_t offset = 0;  // in the file
};
using ForeignAttributes = std::vector<ForeignAttribute>;

struct ForeignNode {
    std::string id;
    ForeignAttributes attributes;
    std::uint32_t offset = 0;  // where the file declares it; where it is first named if it is only named
    bool declared = false;     // false: only edges name it
};

struct ForeignEdge {
    std::uint32_t from = 0, to = 0;  // indices of nodes
    bool directed = false;
    ForeignAttributes attributes;
    std::uint32_t offset = 0;
};

struct ForeignGraph {
    FileId file;
    GraphFormat format{};
    std::vector<std::string> names;  // of attributes
    ForeignAttributes attributes;    // of the graph itself
    std::vector<ForeignNode> nodes;
    std::vector<ForeignEdge> edges;
    std::map<std::string, std::uint64_t> left_out;  // what a network has no place for ("hyperedges"), and how often

    // The text of an attribute by its name; nullptr where there is none.
    const ForeignAttribute* find(const ForeignAttributes& attributes, std::string_view name) const;
    Span span(std::uint32_t offset) const { return {file, offset, offset + 1}; }
};

// What is left out of containerlab's labs.
inline constexpr std::string_view kLinksOutside = "links to the machine or to networks outside of the lab";

// What a file may hold at most: a hostile one ends in an error, not in the machine's memory.
inline constexpr std::size_t kLargestGraphFile = 64u << 20;  // bytes
inline constexpr std::size_t kMostGraphNodes = 400'000, kMostGraphEdges = 500'000, kMostGraphValues = 8'000'000;
inline constexpr std::size_t kMostRelations = 1'000'000;     // between autonomous systems: edges with one attribute
inline constexpr std::size_t kMostGraphAttributes = 1000;    // of one node, edge or graph
inline constexpr std::size_t kLongestGraphValue = 4096;      // bytes; what is longer is cut
inline constexpr std::size_t kLongestGraphText = 16u << 20;  // of attributes of the graph itself
inline constexpr unsigned kDeepestGraph = 64;                // brackets, elements or aliases in each other

// Collects what a reader finds, and stops it at the first error.
class GraphBuilder {
  public:
    GraphBuilder(FileId file, GraphFormat format, Diagnostics& diagnostics) : diagnostics_(diagnostics)
    {
        graph_.file = file;
        graph_.format = format;
    }

    // Each returns false after an error was reported; the reader then ends.
    bool fail(std::size_t offset, std::string message, std::string help = "");
    bool failed() const { return failed_; }
    bool declare(std::string_view id, std::size_t offset, std::uint32_t& index);
    bool edge(std::string_view from, std::string_view to, bool directed, std::size_t offset, std::uint32_t& index);
    bool set(ForeignAttributes& attributes, std::string_view name, ForeignKind kind, std::string_view value,
             std::size_t offset);
    void leave_out(std::string_view what, std::uint64_t count = 1) { graph_.left_out[std::string(what)] += count; }

    ForeignGraph& graph() { return graph_; }
    std::optional<std::uint32_t> find(std::string_view id) const;

  private:
    bool node(std::string_view id, std::size_t offset, std::uint32_t& index);

    Diagnostics& diagnostics_;
    ForeignGraph graph_;
    std::map<std::string, std::uint32_t, std::less<>> by_id_, name_index_;
    std::size_t values_ = 0;
    bool failed_ = false;
};

}  // namespace anml

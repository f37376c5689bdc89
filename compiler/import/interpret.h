// What a foreign graph means as a network: kinds, places and names of nodes, rates, lengths and delays of links.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/position.h"
#include "base/relation.h"
#include "import/graphs/foreign_graph.h"
#include "import/links/link_details.h"
#include "runtime/abi/image.h"

namespace anml {

struct ImportedNode {
    std::string name;   // in ANML
    std::string label;  // in the file
    abi::NodeKind kind = abi::NodeKind::router;
    std::optional<NodePosition> position;
    std::uint32_t degree = 0;     // links
    std::uint32_t component = 0;  // nodes that links join, directly or not, have one number; 0 is the first node's
    std::uint32_t offset = 0;     // in the file
    NodeDetails details;
    std::optional<double> host_up, host_down;  // bit/s, of hosts that are put there
    std::string key;                           // of the array that it is an element of, where that has keys
    bool alone = false;                        // its name only looks like an element's
    bool in_array = false;
    std::uint32_t array = 1;  // elements of the array that it is the first of; 0: a later one's
    std::vector<std::string> keys;        // of these
    std::vector<NodePosition> positions;  // of these, where they differ
};

struct ImportedLink {
    std::uint32_t from = 0, to = 0;
    std::optional<double> rate;                  // bit/s
    std::optional<double> length;                // m
    std::optional<double> delay;                 // s
    std::optional<double> mtu, queue, overhead;  // B
    std::string exact_delay, exact_delay_back;   // of a graph of ours, as the language writes them
    // The other way, where the file says it apart.
    std::optional<double> rate_back, delay_back, length_back, queue_back;
    LinkDetails details, details_back;
#define ANML_LINK_TRUTH(name, ...) bool name = false;
#include "base/link_attributes.def"
    bool one_way = false;
    std::string name;        // of a graph of ours
    AsRelation relation{};   // of `from`, an autonomous system, to `to`
    std::uint32_t edge = 0;  // of the graph
    std::optional<std::uint32_t> edge_back;  // the other way, where that is an edge of its own
    std::uint32_t offset = 0;
};

struct ImportedNetwork {
    std::string title;      // "GEANT, 2012", as the file calls itself; may be empty
    bool ours = false;      // `anmlc graph` wrote it: names are names of ours
    bool numbered = false;  // nodes are called node[0], node[1] ...: their names would say nothing
    std::uint32_t components = 0;
    std::vector<ImportedNode> nodes;
    std::vector<ImportedLink> links;
};

// Values of an attribute that means something, which themselves don't.
struct UnreadValues {
    struct One {
        std::string value;
        Span place;
    };
    std::vector<One> first;
    std::uint64_t count = 0;
};

// What is dropped or guessed. Counts become one warning each.
struct ImportLosses {
    std::map<std::string, std::uint64_t> node_attributes, edge_attributes, graph_attributes;
    std::map<std::string, std::uint64_t> elements, guesses;
    std::map<std::string, Span> guessed_at;      // where the first stands, if it stands somewhere
    std::map<std::string, UnreadValues> unread;  // by attribute

    void unreadable(const std::string& name, std::string_view value, Span place)
    {
        UnreadValues& values = unread[name];
        if (++values.count <= 5) values.first.push_back({std::string(value.substr(0, 60)), place});
    }
};

// Nothing after an error, such as a latitude of 100 degrees. Names are given later, by name_nodes.
// `texts`: what a graph of ours says in the language, and may therefore be used; none where there is no place for it.
std::optional<ImportedNetwork> interpret_graph(const ForeignGraph& graph, ImportLosses& losses,
                                               Diagnostics& diagnostics, const GraphTexts* texts = nullptr);
// What an attribute of an edge is about, by its name; nothing where that says nothing.
enum class EdgeMeaning : std::uint8_t { nothing, rate, delay, length, other };
EdgeMeaning edge_meaning(std::string_view name);
// Whether `anmlc graph` wrote it.
bool is_graph_of_ours(const ForeignGraph& graph);
// Warnings at `place`, which may be none.
void report_losses(const ImportLosses& losses, Span place, Diagnostics& diagnostics);

// A node as a statement: "host pc[8] { address = 10.0.0.5 }". `digits`: of coordinates.
std::string declaration(const ImportedNode& node, int digits);
// Names for all nodes: letters, digits and `_` of their labels, without accents; unlike each other, keywords and
// `reserved`. In a graph of ours nodes keep their names, and links too.
void name_nodes(ImportedNetwork& network, const ForeignGraph& graph, const std::vector<std::string>& reserved);

}  // namespace anml

// anmlc diff: what distinguishes two elaborated networks, and their routes and requirements. Nothing is said of the
// texts that they come from: order, comments, components and the names of profiles are no difference.
//
// Values are texts of the language, quantities in its units. Nodes are found again by their names; links by their ends,
// parallel ones by their names, else by their order.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/network_marks.h"
#include "analysis/routes/route_tables.h"
#include "base/diagnostics.h"
#include "elaborate/network.h"

namespace anml {

struct BuiltNetwork {
    Network network;
    RouteTables routes;           // to every address, before the timeline begins
    std::vector<double> answers;  // of network.queries, with tunables at their defaults
    std::string name;             // of the file
    std::string folder;           // in which it is: files are named from there
};

enum class Change : std::uint8_t { added, removed, changed, renamed };
inline constexpr std::size_t kChanges = 4;
const char* change_name(Change change);  // "added"

struct AttributeChange {
    std::string name, before, after;  // ""; of what is added or removed one of the values is ""
    friend bool operator==(const AttributeChange&, const AttributeChange&) = default;
};

struct DifferenceEntry {
    Change change{};
    std::string name;         // "net[3].client[4 .. 9]", as the second network has it, or the first where it is removed
    std::string before_name;  // of what is renamed
    std::string what;         // "host"; of a link with a name its ends
    std::uint64_t count = 1;  // nodes or links that it stands for; of routes those that change
    std::uint64_t of = 0;     // of routes: how many there are, one for each node and destination
    std::uint64_t nodes = 1;  // of routes: how many nodes have them
    std::vector<AttributeChange> attributes;
    std::uint32_t row = abi::kNone;  // of addresses, routes and requirements: a node of the second network to look at
    std::uint32_t element = 0;
};

enum class Part : std::uint8_t {
    parameters,
    settings,
    nodes,
    addresses,
    links,
    workloads,
    timeline,
    stated_routes,
    routes,
    requirements
};
inline constexpr std::size_t kParts = 10;
const char* part_name(Part part);  // "nodes"; a key of the JSON, too

// Elements of a row, of the second network, or of the first one where they are removed.
struct MarkedElements {
    std::uint32_t row = 0, first = 0, count = 0;
    Change change{};
    std::string text;
};

struct NetworkDifference {
    std::array<std::vector<DifferenceEntry>, kParts> parts;
    std::vector<MarkedElements> nodes, links;  // what pictures show
    std::vector<std::uint32_t> after_row;      // by row of nodes of the first network; abi::kNone: it is gone
    std::uint64_t routes = 0;                  // that both have, from each router to each node that has an address

    std::vector<DifferenceEntry>& part(Part p) { return parts[static_cast<std::size_t>(p)]; }
    const std::vector<DifferenceEntry>& part(Part p) const { return parts[static_cast<std::size_t>(p)]; }
    std::uint64_t count(Part p, Change change) const;  // elements
    bool empty() const;
};

// Nodes of the first network that have another name in the second one get that. Nothing, and a diagnostic, where a
// value has no text.
std::optional<NetworkDifference> diff_networks(BuiltNetwork& before, const BuiltNetwork& after,
                                               Diagnostics& diagnostics);

struct DifferenceText {
    bool all = false;  // everything, and not a dozen entries of each part
    bool colour = false;
};
std::string write_difference(const NetworkDifference& difference, const BuiltNetwork& before, const BuiltNetwork& after,
                             const DifferenceText& options);
std::string write_difference_json(const NetworkDifference& difference, const BuiltNetwork& before,
                                  const BuiltNetwork& after);

// Both networks in one, for pictures: the nodes and links of the second one, and what of the first one is gone. Values
// of the latter are numbers, tunables at their defaults. Without what refers to ids: routes, workloads, the timeline.
struct UnitedNetwork {
    Network network;
    NetworkMarks marks;
};
UnitedNetwork unite_networks(const BuiltNetwork& before, const BuiltNetwork& after,
                             const NetworkDifference& difference);

}  // namespace anml

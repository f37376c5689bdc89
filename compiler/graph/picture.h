// A picture: the network with its arrays and component instances folded as far as was asked for, before it is laid out.
//
// A picture's node is a node, a stack (elements of an array that are shown as one), or a folded instance or array of
// instances. Its edges are single links between single nodes, or all links between two nodes of which one stands for
// several. Quantities are canonical, with tunables at their defaults.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/network_marks.h"
#include "analysis/routes/route_tables.h"
#include "analysis/tasks/task_graph.h"
#include "analysis/timeline/network_moment.h"
#include "elaborate/network.h"

namespace anml {

// What a node is drawn as; the first four are abi::NodeKind's.
enum class Role : std::uint8_t { host, router, switch_, endpoint, component };
std::string_view role_name(Role role);

struct GeoPosition {
    double latitude = 0, longitude = 0;  // degrees
};

struct PictureNode {
    std::string name;     // "net[3].client[17]", of a stack "net[3].client" or "net[3].client[0 .. 7]"
    std::string label;    // its last part: "client[17]", "client[4096]", "client[0 .. 7]"
    std::string given{};  // the name that the model gives it; "": none
    Role role{};
    std::string_view middlebox{};                 // what it does to packets besides: "load_balancer"
    std::uint32_t row = abi::kNone;               // of Network::nodes; none: an instance, or an array of them
    std::uint32_t first = 0;                      // element of the row
    std::uint32_t count = 1;                      // nodes that it stands for
    bool stacked = false;                         // several alike: elements, or instances
    std::uint32_t group = abi::kNone;             // the innermost instance around it that is drawn
    std::uint32_t address = 0, last_address = 0;  // of IPv4
    bool has_ipv6 = false;
    AddressBits ipv6 = 0, last_ipv6 = 0;
    std::uint32_t task = abi::kNone;  // of its first node; none: no tasks were asked for
    bool several_tasks = false;
    std::uint32_t inner_links = 0;         // links that both begin and end in it
    std::uint32_t positioned = 0;          // how many of a folded instance's nodes have one
    std::optional<NodePosition> position;  // of a folded instance: the middle of its nodes'
    MarkSum mark{};                        // where networks are compared
};

struct Extent {
    double low = 0, high = 0;
    void add(double value)
    {
        low = std::min(low, value);
        high = std::max(high, value);
    }
};

struct PictureEdge {
    std::uint32_t a = 0, b = 0;  // nodes
    std::string name;            // "hop[2]", of several links "edge[4096]" or "3 links"
    std::string given{};         // the name that the model gives it, if it is one link; "": none
    std::uint32_t links = 1;
    bool one_way = false;                            // carries nothing from b to a
    bool reversed = false;                           // a is the right end
    std::array<Extent, 2> rate{}, delay{}, queue{};  // [0] a to b
    Extent mtu, overhead;
    std::uint32_t down = 0;          // links that carry nothing in one direction or both
    std::string calls{};             // where it is no link: the workloads that ask along it
    std::array<double, 2> load{};    // the greatest share of its rate that is expected to be in use, see PictureInput
    std::uint32_t row = abi::kNone;  // of Network::links; none: links of several rows
    std::uint32_t parallel = 0, parallels = 1;  // which of the edges between its two nodes
    MarkSum mark{};                             // where networks are compared
};

// An instance that is drawn as a box around its nodes.
struct PictureGroup {
    std::string name, label;  // "net[3].rack[1]", "rack[1]"
    std::uint32_t parent = abi::kNone;
    std::string given{};  // as PictureNode's
};

// What stands at it: the name that the model gives it, else its own.
template <class Drawn>
const std::string& shown_label(const Drawn& drawn)
{
    return drawn.given.empty() ? drawn.label : drawn.given;
}
// Both: "net[3].client[17] (Library)".
template <class Drawn>
std::string full_name(const Drawn& drawn)
{
    return drawn.given.empty() ? drawn.name : drawn.name + " (" + drawn.given + ")";
}

// What the shares on links are: expected of demands, or measured in a run.
struct LoadMeaning {
    std::string title = "Expected load";
    double top = 1;  // the scale goes at least so far
};

struct Picture {
    std::string title, doc;
    std::vector<PictureNode> nodes;
    std::vector<PictureEdge> edges;
    std::vector<PictureGroup> groups;  // parents first
    std::uint32_t tasks = 0;
    std::vector<std::string> task_names;  // by task, "" where it has none
    bool has_load = false;
    LoadMeaning load_meaning;
    bool has_one_way = false;
    bool has_calls = false;  // edges are who asks whom, and no links
    bool has_marks = false;

    bool has_positions(bool geographic) const;  // at least two nodes have one
};

struct PictureInput {
    const Network& network;
    const TaskGraph* tasks = nullptr;                                 // where tasks are wanted
    const std::unordered_map<std::uint32_t, double>* load = nullptr;  // by directed link: share of its rate in use
    NetworkMoment* moment = nullptr;                                  // where one of the timeline is wanted
    const RouteTables* routes = nullptr;                              // of the moment; pages show them
    LoadMeaning load_meaning{};
    bool calls = false;                   // draw who asks whom in place of links
    const NetworkMarks* marks = nullptr;  // where it is two networks in one, what distinguishes them
};

class FoldPlan;  // fold_plan.h
Picture make_picture(const PictureInput& input, const FoldPlan& plan);

}  // namespace anml

// What `anmlc graph` writes of a link besides its rate and delay, and of nodes; see docs/graph.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "import/foreign_graph.h"

namespace anml {

inline constexpr double kUsualQueue = 512 * 1024;  // B, the default of the schema Link

// An attribute of an edge or node by its name, without a unit; what is looked up counts as read.
using TakeAttribute = std::function<const ForeignAttribute*(std::string_view name)>;

// Attributes of one direction of a link in ANML, by their names. `suffix` is "" or "_back"; `queue`: the bytes of its
// queue.
using LinkDetails = std::map<std::string, std::string>;
LinkDetails read_link_details(const TakeAttribute& take, const std::string& suffix, double queue);
// "loss = 1 %, down { loss = 0 }"
std::string link_details(const LinkDetails& up, const LinkDetails& down);

// The attributes of a node besides its place: "address = 10.0.0.5, simulated = web.server()".
struct NodeDetails {
    std::optional<std::uint32_t> address;  // that its author set
    std::string simulated;                 // arguments of `web.server`, where it has one
    bool has_server = false;
};
NodeDetails read_node_details(const TakeAttribute& take);

}  // namespace anml

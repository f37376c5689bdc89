// What requirements ask of paths besides their length: nodes that they pass, links that they share, and how many ways
// there are. Paths are as trace_paths gives them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "analysis/routes/route_tables.h"
#include "analysis/routes/row_graph.h"

namespace anml {

using PathSteps = std::vector<std::vector<PathLink>>;

// Whether every packet that sets out at `from` passes a node.
bool passes(const Network& network, const PathSteps& steps, std::uint32_t from, std::uint32_t to,
            std::uint32_t through);

// Whether every packet passes these nodes between the two ends, in this order and no others.
bool leads_by(const Network& network, const PathSteps& steps, std::span<const std::uint32_t> between);

// The nodes on the way, "a - r - b"; of several ways the first one.
std::string show_path(const Network& network, const PathSteps& steps, std::uint32_t from);

// A directed link of the second path whose link the first may cross too, either way round; kNoLink: there is none.
inline constexpr std::uint32_t kNoLink = 0xffffffffu;
std::uint32_t shared_link(const PathSteps& first, const PathSteps& second);

// How many paths there are from one node to the other of which no two share a link, whatever the routes are: so many
// links have to fail before the two are apart (Menger). 0 from a node to itself. By edge of the row graph, what weighs
// kDown counts for nothing.
std::uint32_t count_disjoint_paths(const Network& network, const RowGraph& graph, std::span<const std::int64_t> weights,
                                   std::uint32_t from, std::uint32_t to);

}  // namespace anml

#include "route/search/path_lengths.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace anml {
namespace {

// Of the sum of some weights along a path: there are `links` of them in the graph, and no path has more than `most`.
unsigned width_of_sum(const PathGraph::Weights& weights, std::uint32_t most)
{
    if (weights.greatest == 0) return 0;
    const double longest = std::min(weights.sum, static_cast<double>(most) * static_cast<double>(weights.greatest));
    return static_cast<unsigned>(std::ilogb(longest + 1)) + 2;
}

}  // namespace

TieredWidths::TieredWidths(const PathGraph& graph)
{
    // No path visits a vertex twice.
    const auto count = static_cast<unsigned>(std::bit_width(graph.size()));
    hops = count;
    inside = width_of_sum(graph.weights(LinkRole::inside), graph.size());
    crossings = graph.weights(LinkRole::between).links != 0 ? count : 0;
    between = width_of_sum(graph.weights(LinkRole::between), graph.size());
    systems = graph.weights(LinkRole::to_provider).links != 0 ? count : 0;
    for (; sum() > 128; ++coarser) {
        inside -= inside != 0;
        between -= between != 0;
    }
}

}  // namespace anml

// Paths without a common link: a maximal flow over links of capacity one (Ford and Fulkerson), on the row graph. A run
// of elements is one vertex, and its bundle of links one edge with their number as its capacity: what flows in over
// several bundles and out over several others can always be spread evenly over the elements. The two ends are taken out
// of theirs.
#include <algorithm>
#include <queue>

#include "analysis/network_queries.h"
#include "analysis/routes/row_graph.h"
#include "route/search/path_figures.h"

namespace anml {
namespace {

struct Arc {
    std::uint32_t to;
    std::uint32_t room;     // what may still flow
    std::uint32_t reverse;  // index of the arc back, in arcs of `to`
};

class FlowGraph {
  public:
    FlowGraph(const Network& network, const RowGraph& rows, std::span<const std::int64_t> weights, std::uint32_t from,
              std::uint32_t to)
        : rows_(rows), weights_(weights)
    {
        const auto vertices = static_cast<std::uint32_t>(rows_.vertices().size());
        end_[0] = vertex_of(network, rows, from);
        end_[1] = vertex_of(network, rows, to);
        arcs_.resize(vertices + 2);
        source_ = vertices;
        target_ = vertices + 1;
        for (std::uint32_t e = 0; e < rows_.edges().size(); ++e) add(e);
    }

    std::uint32_t flow()
    {
        std::uint32_t total = 0;
        while (const std::uint32_t more = augment()) total += more;
        return total;
    }

  private:
    bool transit(std::uint32_t v) const { return v < source_ && rows_.vertices()[v].transit; }
    // Elements of the vertex that are neither end.
    std::uint32_t rest(std::uint32_t v) const
    {
        const std::uint32_t ends = (v == end_[0]) + (v == end_[1]);
        return rows_.vertices()[v].count - std::min(ends, rows_.vertices()[v].count);
    }

    void arc(std::uint32_t from, std::uint32_t to, std::uint32_t room)
    {
        if (room == 0) return;
        arcs_[from].push_back({to, room, static_cast<std::uint32_t>(arcs_[to].size())});
        arcs_[to].push_back({from, 0, static_cast<std::uint32_t>(arcs_[from].size() - 1)});
    }

    // One of the two vertices has a single element, since paired rows are cut into elements.
    void add(std::uint32_t e)
    {
        const RouteEdge& edge = rows_.edges()[e];
        if (edge.closed || weights_[e] == kDown) return;
        const std::uint32_t from = rows_.source(e), to = edge.to;
        const bool run_from = rows_.vertices()[from].count > 1, run_to = rows_.vertices()[to].count > 1;
        const auto leaves = [&](std::uint32_t v, bool run) { return v == end_[0] && !run ? source_ : v; };
        const auto enters = [&](std::uint32_t v, bool run) { return v == end_[1] && !run ? target_ : v; };
        const std::uint32_t a = leaves(from, run_from), b = enters(to, run_to);
        arc(a, b, run_from ? rest(from) : run_to ? rest(to) : 1);
        if (run_from && from == end_[0]) arc(source_, b, 1);
        if (run_to && to == end_[1]) arc(a, target_, 1);
    }

    std::uint32_t augment()
    {
        constexpr std::uint32_t kNone = 0xffffffffu;
        struct Step {
            std::uint32_t from = kNone, arc = 0;
        };
        std::vector<Step> steps(arcs_.size());
        std::queue<std::uint32_t> open;
        open.push(source_);
        steps[source_].from = source_;
        while (!open.empty() && steps[target_].from == kNone) {
            const std::uint32_t at = open.front();
            open.pop();
            if (at != source_ && !transit(at)) continue;
            for (std::uint32_t i = 0; i < arcs_[at].size(); ++i) {
                const Arc& a = arcs_[at][i];
                if (a.room == 0 || steps[a.to].from != kNone) continue;
                steps[a.to] = {at, i};
                open.push(a.to);
            }
        }
        if (steps[target_].from == kNone) return 0;
        std::uint32_t least = kNone;
        for (std::uint32_t v = target_; v != source_; v = steps[v].from)
            least = std::min(least, arcs_[steps[v].from][steps[v].arc].room);
        for (std::uint32_t v = target_; v != source_; v = steps[v].from) {
            Arc& a = arcs_[steps[v].from][steps[v].arc];
            a.room -= least;
            arcs_[v][a.reverse].room += least;
        }
        return least;
    }

    const RowGraph& rows_;
    std::span<const std::int64_t> weights_;
    std::uint32_t end_[2];
    std::uint32_t source_ = 0, target_ = 0;
    std::vector<std::vector<Arc>> arcs_;
};

}  // namespace

std::uint32_t count_disjoint_paths(const Network& network, const RowGraph& graph, std::span<const std::int64_t> weights,
                                   std::uint32_t from, std::uint32_t to)
{
    return from == to ? 0 : FlowGraph(network, graph, weights, from, to).flow();
}

}  // namespace anml

// From pieces to tasks: the division's parts as ranges of elements, and the channels between them.
#include "partition/partition.h"

#include <algorithm>
#include <map>

#include "analysis/network_queries.h"
#include "analysis/tasks/task_graph_walk.h"
#include "partition/division.h"

namespace anml {
namespace {

// The shares of a piece that fall to one task become one range, whichever elements they were.
std::vector<Task> make_tasks(const Network& network, const PieceGraph& pieces, const DivisionGraph& graph,
                             const std::vector<std::uint32_t>& part)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> counts;  // (piece, task) to elements
    std::vector<Task> tasks(1 + *std::max_element(part.begin(), part.end()));
    for (std::size_t v = 0; v < part.size(); ++v) {
        tasks[part[v]].weight += graph.vertices[v].weight;
        if (const std::uint32_t name = graph.vertices[v].name; name != abi::kNone)
            tasks[part[v]].name = network.task_names[name];
        for (const Share& share : graph.vertices[v].shares) counts[{share.piece, part[v]}] += share.count;
    }
    std::uint32_t piece = 0xffffffffu, first = 0;
    for (const auto& [place, count] : counts) {
        const Piece& run = pieces.pieces[place.first];
        if (place.first != piece) first = run.first;
        piece = place.first;
        std::vector<TargetRange>& nodes = tasks[place.second].nodes;
        if (!nodes.empty() && nodes.back().row == run.row && nodes.back().first + nodes.back().count == first) {
            nodes.back().count += count;
        } else {
            nodes.push_back({run.row, first, count});
        }
        first += count;
    }
    const TaskMap map(network, tasks);
    for (std::uint32_t i = 0; i < network.endpoints.size(); ++i) {
        const std::uint32_t node = network.nodes[network.endpoints[i].node.value].first_node;
        tasks[map.run_of(node).task].endpoints.push_back(i);
    }
    return tasks;
}

void make_channels(const Network& network, TaskGraph& graph)
{
    struct Draft {
        std::vector<LinkRange> links;
        std::vector<ValueExprId> delays;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Draft> drafts;  // by (from, to)
    const TaskMap map(network, graph.tasks);
    const std::vector<std::vector<ValueExprId>> changed = timeline_delays(network);
    for (std::uint32_t row = 0; row < network.links.size(); ++row) {
        const LinkArray& link = network.links[row];
        map.each_run(network, link, [&](std::uint32_t first, std::uint32_t count, std::uint32_t a, std::uint32_t b) {
            if (a == b) return;
            for (std::uint32_t direction = 0; direction < (link.one_way ? 1u : 2u); ++direction) {
                Draft& draft = drafts[direction == 0 ? std::pair(a, b) : std::pair(b, a)];
                draft.links.push_back({row, direction, first, count});
                draft.delays.push_back(link.delay[direction]);
                draft.delays.insert(draft.delays.end(), changed[row].begin(), changed[row].end());
            }
        });
    }
    for (auto& [tasks, draft] : drafts) {
        // Constants first: their minimum is one constant, however many there are.
        const auto key = [&](ValueExprId delay) { return std::pair(!graph.values.as_constant(delay), delay); };
        std::sort(draft.delays.begin(), draft.delays.end(),
                  [&](ValueExprId x, ValueExprId y) { return key(x) < key(y); });
        draft.delays.erase(std::unique(draft.delays.begin(), draft.delays.end()), draft.delays.end());
        ValueExprId lookahead = draft.delays[0];
        for (std::size_t i = 1; i < draft.delays.size(); ++i)
            lookahead = graph.values.make(ValueOp::min, lookahead, draft.delays[i]);
        graph.channels.push_back({tasks.first, tasks.second, lookahead, std::move(draft.links)});
    }
}

}  // namespace

TaskGraph partition(const Network& network, const RouteTables& routes, const PartitionOptions& options)
{
    TaskGraph graph;
    graph.values = network.values;
    if (network.node_count == 0) return graph;
    PieceGraph pieces = make_pieces(network);
    expect_traffic(network, routes, pieces);
    const DivisionGraph division = group_pieces(network, pieces, options, graph.notes);
    const std::vector<std::uint32_t> part = divide_beside_named(division, options.tasks != 0);
    graph.tasks = make_tasks(network, pieces, division, part);
    make_channels(network, graph);
    return graph;
}

}  // namespace anml

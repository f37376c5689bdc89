// Routes of every vertex towards every destination, and what must hold of them: no tunable may change one, and
// workloads reach their servers.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "route/core_tables.h"
#include "route/network_queries.h"
#include "route/route_tables.h"
#include "route/tunable_dependence.h"
#include "route/workload_pairs.h"

namespace anml {
namespace {

// Tables by vertex, and what they refer to.
struct Drafts {
    std::vector<TableDraft> tables;
    std::vector<abi::RouteColumn> columns;
    std::vector<std::uint32_t> alternatives;
};

Drafts draft_tables(const Network& network, const RowGraph& graph)
{
    Drafts drafts;
    const std::vector<std::int64_t> weights = route_weights(network, default_tunables(network));
    const HangingTrees trees(graph);
    const Destinations destinations(network, graph, trees);
    NextHops next_hops(network, graph);

    HangingRoutes hanging(graph, weights, trees, destinations, next_hops);
    std::vector<char> in_core(graph.vertices().size());
    for (std::uint32_t v = 0; v < in_core.size(); ++v) in_core[v] = trees.parent[v] == HangingTrees::kCore;
    const PathGraph core(graph, weights, in_core);
    const CoreRoutes routes(network, graph, core, destinations, next_hops);

    drafts.tables.resize(graph.vertices().size());
    for (const std::uint32_t v : trees.order) drafts.tables[v] = hanging.take_table(v);
    make_core_tables(graph, core, destinations, routes, hanging, drafts.tables);
    drafts.alternatives = next_hops.take_alternatives();
    const bool by_columns = std::any_of(drafts.tables.begin(), drafts.tables.end(),
                                        [](const TableDraft& table) { return !table.hops.empty(); });
    if (by_columns) drafts.columns = destinations.columns();
    return drafts;
}

// Gives tables their places in the image; equal ones share theirs.
class TableStore {
  public:
    explicit TableStore(RouteTables& routes) : routes_(routes) {}

    abi::RouteTable place(TableDraft&& draft)
    {
        const std::size_t hash = hash_of(draft);
        const auto [begin, end] = known_.equal_range(hash);
        for (auto at = begin; at != end; ++at) {
            if (equal(at->second, draft)) return at->second;
        }
        abi::RouteTable table{};
        table.ranges = append(routes_.ranges, draft.ranges);
        table.hops = append(routes_.hops, draft.hops);
        table.first_code = append(routes_.codes, draft.codes).first;
        table.bits = draft.bits;
        known_.emplace(hash, table);
        draft = {};
        return table;
    }

  private:
    template <class Row>
    static abi::Slice append(std::vector<Row>& to, const std::vector<Row>& rows)
    {
        const abi::Slice slice{static_cast<std::uint32_t>(to.size()), static_cast<std::uint32_t>(rows.size())};
        to.insert(to.end(), rows.begin(), rows.end());
        return slice;
    }

    template <class Row>
    static std::string_view bytes(const Row* rows, std::size_t count)
    {
        static_assert(std::has_unique_object_representations_v<Row>);
        return {reinterpret_cast<const char*>(rows), count * sizeof(Row)};
    }

    static std::size_t hash_of(const TableDraft& draft)
    {
        const std::hash<std::string_view> hash;
        std::size_t result = hash(bytes(draft.ranges.data(), draft.ranges.size()));
        result = result * 31 + hash(bytes(draft.hops.data(), draft.hops.size()));
        return result * 31 + hash(bytes(draft.codes.data(), draft.codes.size()));
    }

    bool equal(const abi::RouteTable& table, const TableDraft& draft) const
    {
        return table.bits == draft.bits && table.ranges.count == draft.ranges.size() &&
               table.hops.count == draft.hops.size() &&
               bytes(routes_.ranges.data() + table.ranges.first, table.ranges.count) ==
                   bytes(draft.ranges.data(), draft.ranges.size()) &&
               bytes(routes_.hops.data() + table.hops.first, table.hops.count) ==
                   bytes(draft.hops.data(), draft.hops.size()) &&
               // As many codes as columns, in any table with as many bits.
               bytes(routes_.codes.data() + table.first_code, draft.codes.size()) ==
                   bytes(draft.codes.data(), draft.codes.size());
    }

    RouteTables& routes_;
    std::unordered_multimap<std::size_t, abi::RouteTable> known_;
};

// Lays the vertices' tables out by node row.
RouteTables lay_out(const RowGraph& graph, Drafts drafts)
{
    RouteTables routes;
    routes.columns = std::move(drafts.columns);
    routes.alternatives = std::move(drafts.alternatives);
    TableStore store(routes);
    for (std::size_t row = 0; graph.first_vertex(row) < graph.vertices().size(); ++row) {
        const std::uint32_t begin = graph.first_vertex(row), end = graph.first_vertex(row + 1);
        const auto first = static_cast<std::uint32_t>(routes.tables.size());
        bool uniform = true;
        for (std::uint32_t v = begin; v < end; ++v) {
            const abi::RouteTable table = store.place(std::move(drafts.tables[v]));
            if (v == begin) {
                routes.tables.push_back(table);
                continue;
            }
            const abi::RouteTable& other = routes.tables[first];
            if (uniform && std::memcmp(&table, &other, sizeof table) != 0) {
                uniform = false;
                const abi::RouteTable alike = other;
                routes.tables.resize(first + graph.vertices()[v].first, alike);
            }
            if (!uniform) routes.tables.insert(routes.tables.end(), graph.vertices()[v].count, table);
        }
        routes.table_of_row.push_back({first, uniform ? 0u : 1u});
    }
    if (!routes.codes.empty()) routes.codes.resize(routes.codes.size() + abi::kCodePadding);
    return routes;
}

void check_workloads(const Network& network, const RowGraph& graph, const RouteTables& routes, Diagnostics& diagnostics)
{
    const Alike alike = [&](NodeRowId row, std::uint32_t element) {
        const RouteVertex& run = graph.vertices()[graph.vertex_at(row, element)];
        return run.first + run.count - element;
    };
    for (const WorkloadInfo& workload : network.workloads) {
        for (const WorkloadPair& pair : workload_pairs(workload, alike)) {
            const std::uint32_t host = network.nodes[pair.host_row.value].first_node + pair.host;
            const std::uint32_t peer = network.nodes[pair.peer_row.value].first_node + pair.peer;
            std::vector<std::vector<PathLink>> steps;
            const bool both_ways = workload.kind != abi::WorkloadKind::cbr;  // of datagrams nothing comes back
            if (trace_paths(network, routes, host, peer, steps) &&
                (!both_ways || trace_paths(network, routes, peer, host, steps)))
                continue;
            const bool serves = workload.kind == abi::WorkloadKind::closed_loop;
            diagnostics
                .report(Diag::unreachable, workload.span,
                        fmt::format("`{}` cannot reach `{}`, {} workload `{}`", node_name(network, host),
                                    node_name(network, peer), serves ? "the server of" : "a peer in", workload.name))
                .also(network.nodes[pair.host_row.value].span,
                      fmt::format("this node has no path to the {}", serves ? "server" : "peer"))
                .help("join the two with links; only routers and switches pass packets on");
            return;
        }
    }
}

}  // namespace

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics)
{
    const std::size_t errors = diagnostics.errors();
    const RowGraph graph(network);
    check_tunable_dependence(network, graph, diagnostics);
    RouteTables routes = lay_out(graph, draft_tables(network, graph));
    check_workloads(network, graph, routes, diagnostics);
    if (diagnostics.errors() != errors) return std::nullopt;
    return routes;
}

}  // namespace anml

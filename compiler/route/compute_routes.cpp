// Routes of every vertex towards every destination in every epoch, and what must hold of them: no tunable may change
// one, and workloads reach their servers.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "route/core_tables.h"
#include "route/epochs.h"
#include "route/missing_path.h"
#include "route/network_queries.h"
#include "route/route_tables.h"
#include "route/static_routes.h"
#include "route/tunable_dependence.h"
#include "route/workload_pairs.h"

namespace anml {
namespace {

// What all epochs' tables are made from.
class RouteSolver {
  public:
    RouteSolver(const Network& network, const RowGraph& graph, const RoutingDomains& domains)
        : network_(network),
          graph_(graph),
          domains_(domains),
          trees_(graph, domains),
          destinations_(network, graph, trees_),
          next_hops_(network, graph, domains),
          in_core_(graph.vertices().size())
    {
        for (std::uint32_t v = 0; v < in_core_.size(); ++v) in_core_[v] = trees_.parent[v] == HangingTrees::kCore;
    }

    // Tables by vertex.
    std::vector<TableDraft> solve(const EdgeWeights& weights)
    {
        std::vector<TableDraft> tables(graph_.vertices().size());
        HangingRoutes hanging(network_, graph_, domains_, weights, trees_, destinations_, next_hops_);
        const PathGraph core(graph_, weights, domains_.roles(), in_core_);
        const CoreRoutes routes(graph_, domains_, core, destinations_, next_hops_);
        for (const std::uint32_t v : trees_.order) tables[v] = hanging.take_table(v);
        make_core_tables(graph_, core, destinations_, routes, hanging, tables);
        add_static_routes(network_, graph_, weights, next_hops_, tables);
        by_columns_ = by_columns_ || std::any_of(tables.begin(), tables.end(),
                                                 [](const TableDraft& table) { return !table.hops.empty(); });
        return tables;
    }

    std::vector<abi::RouteColumn> columns() const
    {
        return by_columns_ ? destinations_.columns() : std::vector<abi::RouteColumn>();
    }
    std::vector<std::uint32_t> take_alternatives() { return next_hops_.take_alternatives(); }

  private:
    const Network& network_;
    const RowGraph& graph_;
    const RoutingDomains& domains_;
    HangingTrees trees_;
    Destinations destinations_;
    NextHops next_hops_;
    std::vector<char> in_core_;
    bool by_columns_ = false;
};

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

// Tables by vertex, with their places: of the first epoch, and of those behind it where they differ from all before.
using Placed = std::vector<abi::RouteTable>;

bool same(const abi::RouteTable& a, const abi::RouteTable& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Lays the vertices' tables out by node row. A row is uniform if it is in every epoch.
void lay_out(const RowGraph& graph, const std::vector<const Placed*>& epochs, RouteTables& routes)
{
    std::vector<abi::RouteTable>& first = routes.tables;
    std::vector<std::vector<abi::RouteTable>> later(epochs.size() - 1);
    std::vector<char> ends_paths;  // by table: of hosts and endpoints
    for (std::size_t row = 0; graph.first_vertex(row) < graph.vertices().size(); ++row) {
        const std::uint32_t begin = graph.first_vertex(row), end = graph.first_vertex(row + 1);
        bool uniform = true;
        for (const Placed* placed : epochs)
            for (std::uint32_t v = begin; v < end && uniform; ++v) uniform = same((*placed)[v], (*placed)[begin]);
        routes.table_of_row.push_back({static_cast<std::uint32_t>(first.size()), uniform ? 0u : 1u});
        for (std::size_t e = 0; e < epochs.size(); ++e) {
            std::vector<abi::RouteTable>& tables = e == 0 ? first : later[e - 1];
            for (std::uint32_t v = begin; v < (uniform ? begin + 1 : end); ++v)
                tables.insert(tables.end(), uniform ? 1 : graph.vertices()[v].count, (*epochs[e])[v]);
        }
        ends_paths.resize(first.size(), begin < end && !graph.vertices()[begin].transit);
    }
    std::vector<abi::RouteTable> present = first;  // as the emulator has them
    for (std::size_t e = 0; e < later.size(); ++e) {
        for (std::uint32_t i = 0; i < first.size(); ++i) {
            const abi::RouteTable& next = later[e][i];
            if (ends_paths[i] && next.ranges.count == 0 && next.hops.count == 0) {
                routes.epochs[e].cut_off.push_back(i);
            } else if (!same(present[i], next)) {
                routes.epochs[e].changes.push_back({i, next});
                present[i] = next;
            }
        }
    }
}

void check_workloads(const Network& network, const RowGraph& graph, const EdgeWeights& weights, bool policy,
                     const RouteTables& routes, Diagnostics& diagnostics)
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
            // Of datagrams nothing comes back.
            const bool both_ways = abi::over_tcp(workload.kind) || workload.kind == abi::WorkloadKind::ping;
            const bool arrives = trace_paths(network, routes, host, peer, steps);
            if (arrives && (!both_ways || trace_paths(network, routes, peer, host, steps))) continue;
            const bool serves = abi::is_web(workload.kind);
            const std::string from = node_name(network, host), to = node_name(network, peer),
                              role = fmt::format("{} workload `{}`", serves ? "the server of" : "a peer in",
                                                 workload.name);
            auto report = diagnostics.report(Diag::unreachable, workload.span,
                                             arrives ? fmt::format("`{}`, {}, has no way back to `{}`", to, role, from)
                                                     : fmt::format("`{}` cannot reach `{}`, {}", from, to, role));
            report.also(network.nodes[(arrives ? pair.peer_row : pair.host_row).value].span,
                        arrives  ? fmt::format("`{}` reaches this node, which does not reach it", from)
                        : serves ? "this node has no path to the server"
                                 : "this node has no path to the peer");
            explain_missing_path(network, graph, weights, policy, arrives ? peer : host, arrives ? host : peer, report);
            return;
        }
    }
}

}  // namespace

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics)
{
    const std::size_t errors = diagnostics.errors();
    const RowGraph graph(network);
    const RoutingDomains domains(network, graph);
    check_relations(network, graph, domains, diagnostics);
    check_tunable_dependence(network, graph, domains, diagnostics);
    const EdgeWeights weights = edge_weights(network, graph, domains, default_tunables(network));
    const auto epochs = plan_epochs(network, graph, domains, weights, diagnostics);
    if (!epochs || diagnostics.errors() != errors) return std::nullopt;

    RouteTables routes;
    RouteSolver solver(network, graph, domains);
    TableStore store(routes);
    std::map<EdgeWeights, Placed> solved;  // epochs with equal weights have equal tables
    const auto solve = [&](const EdgeWeights& of) -> const Placed* {
        const auto [at, fresh] = solved.try_emplace(of);
        if (fresh)
            for (TableDraft& draft : solver.solve(of)) at->second.push_back(store.place(std::move(draft)));
        return &at->second;
    };
    std::vector<const Placed*> tables{solve(weights)};
    for (const Epoch& epoch : *epochs) {
        tables.push_back(solve(epoch.weights));
        routes.epochs.push_back({epoch.time, epoch.moment, {}, {}});
    }
    routes.columns = solver.columns();
    routes.alternatives = solver.take_alternatives();
    lay_out(graph, tables, routes);
    if (!routes.codes.empty()) routes.codes.resize(routes.codes.size() + abi::kCodePadding);

    check_static_routes(network, routes, diagnostics);
    if (diagnostics.errors() == errors) check_workloads(network, graph, weights, domains.policy(), routes, diagnostics);
    if (diagnostics.errors() != errors) return std::nullopt;
    return routes;
}

}  // namespace anml

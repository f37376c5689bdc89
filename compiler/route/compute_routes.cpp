// Routes of every vertex towards every destination in every epoch, and what must hold of them: no tunable may change
// one, and workloads reach their servers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <type_traits>
#include <unordered_map>

#include "queries/epochs.h"
#include "queries/network_queries.h"
#include "queries/workload_pairs.h"
#include "route/core_tables.h"
#include "route/missing_path.h"
#include "route/relations.h"
#include "route/route.h"
#include "route/static_routes.h"
#include "route/tunable_dependence.h"

namespace anml {
namespace {

std::string gibibytes(std::uint64_t bytes) { return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / 0x1p30); }

// What all epochs' tables are made from.
class RouteSolver {
  public:
    RouteSolver(const Network& network, const RowGraph& graph, const RoutingDomains& domains, RouteScope scope)
        : network_(network),
          graph_(graph),
          domains_(domains),
          trees_(graph, domains),
          destinations_(network, graph, trees_, scope),
          next_hops_(network, graph, domains),
          in_core_(graph.vertices().size())
    {
        for (std::uint32_t v = 0; v < in_core_.size(); ++v) in_core_[v] = trees_.parent[v] == HangingTrees::kCore;
    }

    // Tables by vertex. Nothing, and an error, where computing them would take too much memory.
    std::optional<std::vector<TableDraft>> solve(const EdgeWeights& weights, Diagnostics& diagnostics)
    {
        constexpr std::uint64_t kMost = std::uint64_t{8} << 30;  // bytes
        const PathGraph core(graph_, weights, domains_.roles(), in_core_);
        CoreRoutes routes(graph_, domains_, core, destinations_);
        if (routes.bytes() > kMost) {
            diagnostics
                .report(Diag::network_too_large, {},
                        fmt::format("routes from {} nodes to {} destinations take {} of memory, more than {}",
                                    core.size(), routes.columns(), gibibytes(routes.bytes()), gibibytes(kMost)))
                .help("nodes in a tree that hangs on the rest by one link, and what nothing sends to, take none");
            return std::nullopt;
        }
        std::vector<TableDraft> tables(graph_.vertices().size());
        HangingRoutes hanging(network_, graph_, domains_, weights, trees_, destinations_, next_hops_);
        routes.compute(next_hops_);
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

    // The number of the table.
    std::uint32_t place(TableDraft&& draft)
    {
        const std::size_t hash = hash_of(draft);
        const auto [begin, end] = known_.equal_range(hash);
        for (auto at = begin; at != end; ++at) {
            if (equal(tables_[at->second], draft)) return at->second;
        }
        abi::RouteTable table{};
        table.ranges = append(routes_.ranges, draft.ranges);
        table.hops = append(routes_.hops, draft.hops);
        table.first_code = append(routes_.codes, draft.codes).first;
        table.bits = draft.bits;
        const auto number = static_cast<std::uint32_t>(tables_.size());
        known_.emplace(hash, number);
        tables_.push_back(table);
        draft = {};
        return number;
    }
    const abi::RouteTable& table(std::uint32_t number) const { return tables_[number]; }
    // Whether an image has room for what was placed, which it finds by offsets of 32 bits.
    bool fits() const
    {
        constexpr std::size_t kMost = 0xffffffffu - abi::kCodePadding;
        return routes_.codes.size() <= kMost && routes_.ranges.size() <= kMost && routes_.hops.size() <= kMost;
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
    std::vector<abi::RouteTable> tables_;                        // distinct
    std::unordered_multimap<std::size_t, std::uint32_t> known_;  // their numbers, by their hashes
};

// Of an epoch: by vertex, numbers in the store.
using Placed = std::vector<std::uint32_t>;

// Lays the vertices' tables out by node row. A row is uniform if it is in every epoch.
void lay_out(const RowGraph& graph, const TableStore& store, const std::vector<const Placed*>& epochs,
             RouteTables& routes)
{
    std::size_t count = 0;
    for (std::size_t row = 0; graph.first_vertex(row) < graph.vertices().size(); ++row) {
        const std::uint32_t begin = graph.first_vertex(row), end = graph.first_vertex(row + 1);
        bool uniform = true;
        for (const Placed* placed : epochs)
            for (std::uint32_t v = begin; v < end && uniform; ++v) uniform = (*placed)[v] == (*placed)[begin];
        routes.table_of_row.push_back({static_cast<std::uint32_t>(count), uniform ? 0u : 1u});
        for (std::uint32_t v = begin; v < (uniform ? begin + 1 : end); ++v)
            count += uniform ? 1 : graph.vertices()[v].count;
    }
    // Of an epoch by table, and whether the table is a host's or an endpoint's.
    const auto each_table = [&](const Placed& placed, const auto& each) {
        std::uint32_t table = 0;
        for (std::size_t row = 0; row < routes.table_of_row.size(); ++row) {
            const bool uniform = routes.table_of_row[row].stride == 0;
            const std::uint32_t begin = graph.first_vertex(row);
            const std::uint32_t end = uniform ? begin + 1 : graph.first_vertex(row + 1);
            for (std::uint32_t v = begin; v < end; ++v)
                for (std::uint32_t i = 0; i < (uniform ? 1 : graph.vertices()[v].count); ++i)
                    each(table++, placed[v], !graph.vertices()[begin].transit);
        }
    };
    std::vector<std::uint32_t> present;  // as the emulator has them
    present.reserve(count);
    routes.tables.reserve(count);
    each_table(*epochs[0], [&](std::uint32_t, std::uint32_t number, bool) {
        present.push_back(number);
        routes.tables.push_back(store.table(number));
    });
    for (std::size_t e = 1; e < epochs.size(); ++e) {
        RouteEpoch& epoch = routes.epochs[e - 1];
        each_table(*epochs[e], [&](std::uint32_t table, std::uint32_t number, bool ends_paths) {
            const abi::RouteTable& next = store.table(number);
            if (ends_paths && next.ranges.count == 0 && next.hops.count == 0) {
                epoch.cut_off.push_back(table);
            } else if (present[table] != number) {
                epoch.changes.push_back({table, next});
                present[table] = number;
            }
        });
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
            const bool both_ways = workload.traits.comes_back();
            const bool arrives = trace_paths(network, routes, host, peer, steps);
            if (arrives && (!both_ways || trace_paths(network, routes, peer, host, steps))) continue;
            const bool serves = workload.traits.asks_server();
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

std::optional<RouteTables> compute_routes(const Network& network, Diagnostics& diagnostics, RouteScope scope)
{
    const std::size_t errors = diagnostics.errors();
    const RowGraph graph(network);
    const RoutingDomains domains(network, graph);
    check_relations(network, graph, domains, diagnostics);
    check_tunable_dependence(network, graph, domains, scope, diagnostics);
    const EdgeWeights weights = edge_weights(network, graph, domains, default_tunables(network));
    auto epochs = plan_epochs(network, graph, domains, weights, diagnostics);
    if (!epochs || diagnostics.errors() != errors) return std::nullopt;

    RouteTables routes;
    routes.scope = scope;
    RouteSolver solver(network, graph, domains, scope);
    TableStore store(routes);
    std::map<WeightChanges, Placed> solved;  // epochs with equal weights have equal tables
    const auto solve = [&](WeightChanges&& changes) -> const Placed* {
        const auto [at, fresh] = solved.try_emplace(std::move(changes));
        if (!fresh) return &at->second;
        auto drafts = solver.solve(changed_weights(weights, at->first), diagnostics);
        if (!drafts) return nullptr;
        for (TableDraft& draft : *drafts) at->second.push_back(store.place(std::move(draft)));
        if (store.fits()) return &at->second;
        diagnostics
            .report(Diag::network_too_large, {},
                    "the forwarding tables take more than 4 GiB, which an emulator has no room for")
            .help("nodes in a tree that hangs on the rest by one link, and what nothing sends to, take little of it");
        return nullptr;
    };
    std::vector<const Placed*> tables{solve({})};
    for (Epoch& epoch : *epochs) {
        if (!tables.back()) return std::nullopt;
        tables.push_back(solve(std::move(epoch.changes)));
        routes.epochs.push_back({epoch.time, epoch.moment, {}, {}});
    }
    if (!tables.back()) return std::nullopt;
    routes.columns = solver.columns();
    routes.alternatives = solver.take_alternatives();
    lay_out(graph, store, tables, routes);
    if (!routes.codes.empty()) routes.codes.resize(routes.codes.size() + abi::kCodePadding);

    check_static_routes(network, routes, diagnostics);
    if (diagnostics.errors() == errors) check_workloads(network, graph, weights, domains.policy(), routes, diagnostics);
    if (diagnostics.errors() != errors) return std::nullopt;
    return routes;
}

}  // namespace anml

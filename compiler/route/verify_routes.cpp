// What must hold of forwarding tables: well formed, no address routed that nobody has, no walk in a circle in any
// epoch, and every walk arrives that sets out by more than a default route.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/network_queries.h"
#include "analysis/routes/pendant_trees.h"
#include "analysis/routes/trace_outcome.h"
#include "analysis/timeline/route_epochs.h"
#include "route/core/destinations.h"
#include "route/route.h"

namespace anml {
namespace {

constexpr const char* kUnsound = "a next hop has no link, or other strides than 0 and 2";

bool sound(const RouteTables& routes, const abi::NextHop& hop)
{
    if ((hop.by_destination | hop.by_element | 2) != 2 || hop.paths == 0) return false;
    return hop.paths == 1 || std::size_t{hop.link} + hop.paths <= routes.alternatives.size();
}

bool assigned(const std::vector<AddressRun>& runs, std::uint32_t first, std::uint32_t last)
{
    const auto after =
        std::upper_bound(runs.begin(), runs.end(), first,
                         [](std::uint32_t address, const AddressRun& run) { return address < run.first; });
    return after != runs.begin() && last <= (after - 1)->last;
}

std::string check_shape(const Network& network, const RouteTables& routes)
{
    if (routes.table_of_row.size() != network.nodes.size()) return "not every row has a table";
    const std::vector<AddressRun> runs = assigned_addresses(network);
    std::size_t columns = 0;
    for (std::size_t i = 0; i < routes.columns.size(); ++i) {
        const abi::RouteColumn& column = routes.columns[i];
        columns = std::max<std::size_t>(columns, column.column + 1);
        if (column.last < column.first || (i > 0 && routes.columns[i - 1].last >= column.first))
            return "columns overlap or are out of order";
        if (!assigned(runs, column.first, column.last)) return "a column covers addresses that no node has";
    }
    for (std::size_t row = 0; row < network.nodes.size(); ++row) {
        const NodeArray& node = network.nodes[row];
        const RowTable& place = routes.table_of_row[row];
        if (place.table + (node.count - 1) * place.stride >= routes.tables.size())
            return fmt::format("{}: table out of bounds", node.name);
        for (std::uint32_t element = 0; element < node.count; element += place.stride != 0 ? 1 : node.count) {
            const abi::RouteTable& table = routes.tables[place.table + element * place.stride];
            if (std::size_t{table.ranges.first} + table.ranges.count > routes.ranges.size() ||
                std::size_t{table.hops.first} + table.hops.count > routes.hops.size())
                return fmt::format("{}: ranges or next hops out of bounds", node.name);
            const std::size_t codes = table.bits == 0 ? 0 : (columns * table.bits + 7) / 8 + abi::kCodePadding;
            if (table.bits > 32 || table.first_code + codes > routes.codes.size())
                return fmt::format("{}: codes out of bounds", node.name);
            for (std::uint32_t column = 0; table.bits != 0 && column < columns; ++column) {
                if (abi::code_at(routes.codes.data() + table.first_code, column, table.bits) > table.hops.count)
                    return fmt::format("{}: a code stands for no next hop", node.name);
            }
            for (std::uint32_t i = 0; i < table.hops.count; ++i) {
                if (!sound(routes, routes.hops[table.hops.first + i]))
                    return fmt::format("{}: {}", node.name, kUnsound);
            }
            for (std::uint32_t i = table.ranges.first; i < table.ranges.first + table.ranges.count; ++i) {
                const abi::RouteRange& r = routes.ranges[i];
                if (r.last < r.first || (i > table.ranges.first && routes.ranges[i - 1].last >= r.first))
                    return fmt::format("{}: ranges overlap or are out of order", node.name);
                if (!assigned(runs, r.first, r.last))
                    return fmt::format("{}: a route covers addresses that no node has", node.name);
                if (!sound(routes, r.hop)) return fmt::format("{}: {}", node.name, kUnsound);
            }
        }
    }
    return "";
}

// What becomes of packets from one node to another.
class Walks {
  public:
    Walks(const Network& network, const RouteTables& routes)
        : network_(network),
          routes_(routes),
          graph_(network),
          domains_(network, graph_),
          trees_(graph_, domains_),
          one_way_(
              std::any_of(network.links.begin(), network.links.end(), [](const LinkArray& l) { return l.one_way; })),
          seen_(network.node_count)
    {
    }

    const RowGraph& graph() const { return graph_; }
    std::string check(std::uint32_t from, std::uint32_t to, const RouteState& tables, bool first_epoch)
    {
        const NodeArray& target = network_.nodes[node_row_of(network_, to)];
        const std::uint32_t address = target.address + (to - target.first_node);
        if (from == to || lookup_routes(network_, routes_, from, address, &tables).empty()) return "";
        std::vector<std::vector<PathLink>> steps;
        if (trace_paths(network_, routes_, from, to, steps, &tables)) return "";
        // Tables of routers say nothing of lists of segments that cannot be followed.
        if (!routes_.segments.empty() && trace_outcome(network_, routes_, from, to, &tables, {}) == Outcome::dropped)
            return "";
        ended_ = false;
        std::string broken;
        if (circles(from, to, address, tables)) {
            broken = "goes in a circle";
        } else if (!ended_) {
            broken = "has ways of different lengths";
        } else if (first_epoch && !by_default(from, address, tables)) {
            broken = "does not arrive";
        }
        for (const std::uint32_t node : visited_) seen_[node] = State::untouched;
        visited_.clear();
        if (broken.empty()) return "";
        return fmt::format("the walk from {} to {} {}", node_name(network_, from), node_name(network_, to), broken);
    }

  private:
    enum class State : char { untouched, open, done };
    struct Visit {
        std::uint32_t node;
        std::vector<std::uint32_t> links;
        std::size_t next = 0;
    };

    // Sets ended_ where some way ends before its destination.
    bool circles(std::uint32_t from, std::uint32_t to, std::uint32_t address, const RouteState& tables)
    {
        std::vector<Visit> path;
        const auto enter = [&](std::uint32_t node) {
            seen_[node] = State::open;
            visited_.push_back(node);
            path.push_back({node, lookup_routes(network_, routes_, node, address, &tables), 0});
            ended_ |= path.back().links.empty();
        };
        enter(from);
        while (!path.empty()) {
            Visit& visit = path.back();
            if (visit.next == visit.links.size()) {
                seen_[visit.node] = State::done;
                path.pop_back();
                continue;
            }
            const std::uint32_t link = visit.links[visit.next++];
            if (link >= network_.directed_links || link_source(network_, link) != visit.node) return true;
            const std::uint32_t node = link_target(network_, link);
            if (!tables.down.empty() && tables.down[link] != 0) {
                ended_ = true;
                continue;
            }
            if (seen_[node] == State::open) return true;
            if (node != to && seen_[node] == State::untouched) enter(node);
        }
        return false;
    }

    // Whether nobody on the way promised anything: hosts and switches have a default route, and so has what hangs on
    // others where autonomous systems or one-way links decide further on.
    bool by_default(std::uint32_t at, std::uint32_t address, const RouteState& tables) const
    {
        for (;;) {
            const auto links = lookup_routes(network_, routes_, at, address, &tables);
            if (links.empty()) return true;
            const std::size_t row = node_row_of(network_, at);
            const std::uint32_t v = graph_.vertex_at(NodeRowId(row), at - network_.nodes[row].first_node);
            const bool hangs = trees_.parent[v] != PendantTrees::kCore;
            const bool router = network_.nodes[row].kind == abi::NodeKind::router;
            if (router && !(hangs && (domains_.policy() || one_way_))) return false;
            at = link_target(network_, links[0]);
        }
    }

    const Network& network_;
    const RouteTables& routes_;
    RowGraph graph_;
    RoutingDomains domains_;
    PendantTrees trees_;
    bool one_way_;
    std::vector<State> seen_;  // by node
    std::vector<std::uint32_t> visited_;
    bool ended_ = false;
};

}  // namespace

std::string verify_routes(const Network& network, const RouteTables& routes)
{
    if (std::string broken = check_shape(network, routes); !broken.empty()) return broken;
    // Every row to every destination, each by its first and last element; of very many an even sample.
    constexpr std::size_t kMostSources = 256, kMostWalks = 1'000'000, kMostEpochs = 2000;
    Walks walks(network, routes);
    const std::vector<std::uint32_t> destinations = route_destinations(network, walks.graph(), routes.scope);
    const std::size_t step = 1 + network.nodes.size() / kMostSources, epochs = 1 + routes.epochs.size();
    const std::size_t stride = 1 + network.nodes.size() / step * destinations.size() * epochs / kMostWalks;
    RouteEpochs states(network, routes);
    for (std::size_t epoch = 0; epoch < epochs; epoch += 1 + epochs / kMostEpochs) {
        const RouteState& tables = states.after(epoch);
        if (!tables.settled) continue;  // loops and dead ends belong there
        for (std::size_t row = 0; row < network.nodes.size(); row += step) {
            const NodeArray& source = network.nodes[row];
            for (std::size_t i = 0; i < destinations.size(); i += stride) {
                const RouteVertex& target = walks.graph().vertices()[destinations[i]];
                const std::uint32_t first = network.nodes[target.row.value].first_node + target.first;
                for (const std::uint32_t from : {0u, source.count - 1}) {
                    for (const std::uint32_t to : {0u, target.count - 1}) {
                        std::string broken = walks.check(source.first_node + from, first + to, tables, epoch == 0);
                        if (!broken.empty()) return broken;
                    }
                }
            }
        }
    }
    return "";
}

}  // namespace anml

// Following the tables, as the runtime's nodes do.
#include <algorithm>
#include <tuple>

#include "analysis/network_queries.h"
#include "analysis/routes/route_tables.h"
#include "analysis/routes/trace_outcome.h"

namespace anml {

std::vector<WeightedLink> weights_of(const abi::Forwarding& forwarding, const abi::NextHop& hop,
                                     std::uint32_t destination, std::uint32_t element)
{
    std::vector<WeightedLink> links;
    for (std::uint32_t path = 0; path < hop.paths; ++path) {
        const std::uint32_t link = abi::link_of(forwarding, hop, destination, element, path);
        if (!links.empty() && links.back().link == link)
            ++links.back().weight;
        else
            links.push_back({link, 1});
    }
    return links;
}

std::vector<WeightedLink> lookup_weights(const Network& network, const RouteTables& routes, std::uint32_t node,
                                         std::uint32_t address, const RouteState* state)
{
    const std::size_t row = node_row_of(network, node);
    const std::uint32_t element = node - network.nodes[row].first_node;
    const RowTable& place = routes.table_of_row[row];
    abi::Forwarding forwarding = routes.forwarding();
    if (state && !state->codes.empty()) forwarding.codes = state->codes.data();
    const std::vector<abi::RouteTable>& all = state ? state->tables : routes.tables;
    const abi::NextHop* hop = abi::next_hop(forwarding, all[place.table + element * place.stride], address);
    return hop ? weights_of(forwarding, *hop, address, element) : std::vector<WeightedLink>{};
}

std::vector<std::uint32_t> lookup_routes(const Network& network, const RouteTables& routes, std::uint32_t node,
                                         std::uint32_t address, const RouteState* state)
{
    std::vector<std::uint32_t> links;
    for (const WeightedLink& hop : lookup_weights(network, routes, node, address, state)) links.push_back(hop.link);
    return links;
}

namespace {

// Packets of one pair of nodes, step by step.
class Trace {
  public:
    Trace(const Network& network, const RouteTables& routes, const RouteState* state, bool by_segments,
          const PacketMarks& marks = {})
        : network_(network),
          routes_(routes),
          state_(state),
          by_segments_(by_segments && !routes.steering.empty()),
          down_(state ? state->down : routes.down),
          packet_{0, marks.dscp, marks.protocol, {marks.port, marks.port}}
    {
    }

    Outcome run(std::uint32_t from, std::uint32_t to, std::vector<std::vector<PathLink>>& steps)
    {
        steps.clear();
        const NodeArray& row = network_.nodes[node_row_of(network_, to)];
        if (row.address == 0) return Outcome::no_way;
        address_ = row.address + (to - row.first_node);
        to_ = to;
        std::vector<Reached> at;
        return follow(from, steps, at);
    }

    Outcome run_to_anycast(std::uint32_t from, std::uint32_t address, std::vector<ReachedNode>& ends)
    {
        address_ = anycast_ = address;
        std::vector<std::vector<PathLink>> steps;
        std::vector<Reached> at;
        const Outcome outcome = follow(from, steps, at);
        if (outcome == Outcome::arrives)
            for (const Reached& reached : at) ends.push_back({reached.node, reached.share});
        return outcome;
    }

  private:
    struct Reached {
        std::uint32_t node;
        std::uint32_t segment;  // row of RouteTables::segments
        double share;
    };
    bool is_end(std::uint32_t node) const
    {
        return anycast_ == 0 ? node == to_ : network_.nodes[node_row_of(network_, node)].anycast == anycast_;
    }
    bool is_there(const Reached& reached) const { return reached.segment == 0 && is_end(reached.node); }

    Outcome follow(std::uint32_t from, std::vector<std::vector<PathLink>>& steps, std::vector<Reached>& at)
    {
        const auto none = [&](Outcome why) { return steps.clear(), why; };
        const NodeArray& source = network_.nodes[node_row_of(network_, from)];
        packet_.source = source.address == 0 ? 0 : source.address + (from - source.first_node);
        at = {{from, 0, 1}};
        if (!take_segments(at)) return Outcome::dropped;
        // A path never visits a node twice before the same segment; a longer one is a loop, which verify_routes
        // reports.
        const std::size_t most = network_.node_count * (by_segments_ ? routes_.segments.size() : std::size_t{1});
        while (!is_there(at.front())) {
            if (steps.size() >= most) return none(Outcome::circles);
            std::vector<PathLink> step;
            std::vector<Reached> next;
            for (const Reached& reached : at)
                if (!leave(reached, step, next)) return none(Outcome::no_way);
            std::sort(step.begin(), step.end(), [](const PathLink& a, const PathLink& b) { return a.link < b.link; });
            steps.push_back(std::move(step));
            if (!take_segments(next)) return none(Outcome::dropped);
            // Paths of different lengths are as broken as loops, but while routes change, and by segments.
            const auto arrived = std::count_if(next.begin(), next.end(), [&](const Reached& r) { return is_there(r); });
            if (arrived != 0 && arrived != static_cast<std::ptrdiff_t>(next.size())) {
                if ((!state_ || state_->settled) && !by_segments_) return none(Outcome::no_way);
                std::erase_if(next, [&](const Reached& r) { return is_there(r); });
            }
            merge(next, at);
        }
        return Outcome::arrives;
    }

    bool leave(const Reached& reached, std::vector<PathLink>& step, std::vector<Reached>& next) const
    {
        const std::vector<WeightedLink> links = links_of(reached);
        double weights = 0;
        for (const WeightedLink& hop : links) weights += hop.weight;
        for (const auto& [link, weight] : links) {
            if (link >= network_.directed_links) return false;
            const LinkNodes nodes = link_nodes(network_, link);
            if (nodes.source != reached.node) return false;
            if (!down_.empty() && down_[link] != 0) return false;
            const double share = reached.share * weight / weights;
            step.push_back({link, share});
            next.push_back({nodes.target, behind(reached), share});
        }
        return !links.empty();
    }

    static void merge(std::vector<Reached>& next, std::vector<Reached>& at)
    {
        std::sort(next.begin(), next.end(), [](const Reached& a, const Reached& b) {
            return std::tuple(a.node, a.segment, a.share) < std::tuple(b.node, b.segment, b.share);
        });
        at.clear();
        for (const Reached& reached : next) {
            if (!at.empty() && at.back().node == reached.node && at.back().segment == reached.segment) {
                at.back().share += reached.share;
            } else {
                at.push_back(reached);
            }
        }
    }

    std::uint32_t end_segments(std::uint32_t node, std::uint32_t segment) const
    {
        while (segment != 0 && routes_.segments[segment].node == node && routes_.segments[segment].link == abi::kNone)
            segment = routes_.segments[segment].next;
        return segment;
    }

    // What packets have before them when they are at a node. False: they are dropped there.
    bool take_segments(std::vector<Reached>& at) const
    {
        if (!by_segments_) return true;
        std::vector<Reached> all;
        for (Reached reached : at) {
            reached.segment = end_segments(reached.node, reached.segment);
            const std::vector<WeightedLink> lists =
                reached.segment == 0 && !is_end(reached.node) ? lists_of(reached.node) : std::vector<WeightedLink>{};
            if (lists.empty()) {
                all.push_back(reached);
                continue;
            }
            double weights = 0;
            for (const WeightedLink& list : lists) weights += list.weight;
            for (const auto& [segment, weight] : lists) {
                if (segment == abi::kDropped) return false;
                all.push_back({reached.node, end_segments(reached.node, segment), reached.share * weight / weights});
            }
        }
        at = std::move(all);
        return true;
    }

    // The lists that a node gives the packets, by their first rows, with their weights; empty: none.
    std::vector<WeightedLink> lists_of(std::uint32_t node) const
    {
        const abi::Forwarding forwarding = routes_.forwarding();
        const std::vector<abi::RouteTable>& all = state_ ? state_->tables : routes_.tables;
        auto row = std::lower_bound(routes_.steering.begin(), routes_.steering.end(), node,
                                    [](const abi::SteeringRow& r, std::uint32_t n) { return r.node < n; });
        for (; row != routes_.steering.end() && row->node == node; ++row) {
            if (!abi::takes(*row, packet_)) continue;
            if (const abi::NextHop* hop = abi::next_hop(forwarding, all[row->table], address_))
                return weights_of(forwarding, *hop, address_, 0);
        }
        return {};
    }

    bool is_before_link(const Reached& reached) const
    {
        return reached.segment != 0 && routes_.segments[reached.segment].node == reached.node;
    }

    std::vector<WeightedLink> links_of(const Reached& reached) const
    {
        if (is_before_link(reached)) return {{routes_.segments[reached.segment].link, 1}};
        const std::uint32_t to = reached.segment == 0 ? address_ : routes_.segments[reached.segment].address;
        return lookup_weights(network_, routes_, reached.node, to, state_);
    }

    // What packets have before them on the link on which they leave.
    std::uint32_t behind(const Reached& reached) const
    {
        return is_before_link(reached) ? routes_.segments[reached.segment].next : reached.segment;
    }

    const Network& network_;
    const RouteTables& routes_;
    const RouteState* state_;
    bool by_segments_;
    const std::vector<char>& down_;
    abi::SteeredPacket packet_;
    std::uint32_t to_ = 0, address_ = 0;
    std::uint32_t anycast_ = 0;  // the address, where any node that has it is the end
};

}  // namespace

PacketMarks marks_of(const WorkloadInfo& workload)
{
    constexpr std::uint32_t kProtocols[] = {6, 17, 1};  // by Transport
    return {workload.dscp, kProtocols[static_cast<std::size_t>(workload.traits.transport)], workload.port};
}

bool trace_paths(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                 std::vector<std::vector<PathLink>>& steps, const RouteState* state, const PacketMarks& marks)
{
    return Trace(network, routes, state, true, marks).run(from, to, steps) == Outcome::arrives;
}

std::vector<ReachedNode> trace_anycast(const Network& network, const RouteTables& routes, std::uint32_t from,
                                       std::uint32_t address)
{
    std::vector<ReachedNode> ends;
    Trace(network, routes, nullptr, true).run_to_anycast(from, address, ends);
    return ends;
}

bool trace_shortest(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                    std::vector<std::vector<PathLink>>& steps, const RouteState* state)
{
    return Trace(network, routes, state, false).run(from, to, steps) == Outcome::arrives;
}

Outcome trace_outcome(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to,
                      const RouteState* state, const PacketMarks& marks)
{
    std::vector<std::vector<PathLink>> steps;
    return Trace(network, routes, state, true, marks).run(from, to, steps);
}

}  // namespace anml

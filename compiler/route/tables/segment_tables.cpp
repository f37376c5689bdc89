// A list can be followed (is valid, RFC 9256, 5.1) in a state of the network if each segment is reached from where the one before it
// ends, and each link is up.
#include "route/tables/segment_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/network_queries.h"
#include "analysis/timeline/route_epochs.h"
#include "route/tables/next_hops.h"
#include "route/tables/static_routes.h"

namespace anml {
namespace {

using AddressPair = std::pair<std::uint32_t, std::uint32_t>;  // first, last

// Rows of a router's steering: what is for the same packets.
struct Group {
    std::uint32_t head;
    std::vector<AddressPair> sources;
    std::uint32_t dscp = abi::kNone, protocol = abi::kNone, port = abi::kNone;  // of all
    std::vector<std::uint32_t> routes;  // of the network, in the order of the text
};

class SegmentTables {
  public:
    SegmentTables(const EpochInputs& inputs, RouteTables& routes, Diagnostics& diagnostics)
        : inputs_(inputs),
          network_(inputs.network),
          routes_(routes),
          diagnostics_(diagnostics),
          assigned_(assigned_addresses(inputs.network))
    {
    }

    bool run()
    {
        number_segments();
        if (routes_.segments.size() > abi::kMostSegments) return report_too_many();
        find_groups();
        const bool late = converges_late(network_) && !inputs_.epochs.empty();
        RouteTables at_once;
        if (late) {
            at_once.scope = routes_.scope;
            if (!solve_epochs(inputs_, at_once, diagnostics_, true)) return false;
        }
        find_followed(late ? at_once : routes_);
        if (!report_never()) return false;
        for (const Group& group : groups_) {
            const auto table = static_cast<std::uint32_t>(routes_.tables.size());
            for (const auto& [first, last] : group.sources)
                routes_.steering.push_back(
                    {group.head, first, last, table, group.dscp, group.protocol, group.port});
            routes_.tables.push_back(table_of(group, followed_[0]));
            std::uint32_t known = 0;
            for (std::uint32_t epoch = 0; epoch < routes_.epochs.size(); ++epoch) {
                const std::uint32_t before = known;
                if (!late) known = epoch + 1;
                for (const ToldHead& told : routes_.epochs[epoch].told)
                    if (told.node == group.head) known = told.state;
                const auto differs = [&](std::uint32_t r) { return followed_[known][r] != followed_[before][r]; };
                if (std::any_of(group.routes.begin(), group.routes.end(), differs))
                    routes_.epochs[epoch].changes.push_back({table, table_of(group, followed_[known])});
            }
        }
        return true;
    }

  private:
    // From the last one of each list, so that lists with equal ends share them.
    void number_segments()
    {
        routes_.segments.push_back({0, 0, abi::kNone, 0, 0});
        using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
        std::map<Key, std::uint32_t> known;  // node, link, next, bytes
        for (const SegmentRoute& route : network_.segment_routes) {
            std::uint32_t next = 0;
            for (auto segment = route.segments.rbegin(); segment != route.segments.rend(); ++segment) {
                const std::uint32_t bytes = routes_.segments[next].bytes + route.label_size;
                const auto [at, fresh] = known.try_emplace(Key{segment->node, segment->link, next, bytes},
                                                           static_cast<std::uint32_t>(routes_.segments.size()));
                if (fresh) {
                    const NodeArray& row = network_.nodes[node_row_of(network_, segment->node)];
                    const std::uint32_t address = row.address + (segment->node - row.first_node);
                    routes_.segments.push_back({segment->node, address, segment->link, next, bytes});
                }
                next = at->second;
            }
            first_.push_back(next);
        }
    }

    bool report_too_many()
    {
        diagnostics_
            .report(Diag::out_of_range, network_.segment_routes.back().to.span,
                    fmt::format("up to here lists of segments have {} different ends, and packets tell {} apart",
                                routes_.segments.size() - 1, abi::kMostSegments - 1))
            .help("lists that end alike share what they have in common");
        return false;
    }

    void find_groups()
    {
        using Marks = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
        std::map<std::tuple<std::uint32_t, std::vector<AddressPair>, Marks>, std::size_t> known;
        for (std::uint32_t r = 0; r < network_.segment_routes.size(); ++r) {
            const SegmentRoute& route = network_.segment_routes[r];
            std::vector<AddressPair> sources;
            for (const TargetRange& range : route.sources) {
                const NodeArray& row = network_.nodes[range.row.value];
                if (row.address != 0)
                    sources.emplace_back(row.address + range.first, row.address + range.first + range.count - 1);
            }
            if (route.sources.empty()) sources.emplace_back(0, ~0u);
            const auto or_all = [](const std::optional<std::uint32_t>& mark) { return mark.value_or(abi::kNone); };
            const Marks marks{or_all(route.dscp), or_all(route.protocol), or_all(route.port)};
            const auto [at, fresh] = known.try_emplace({route.to.source, sources, marks}, groups_.size());
            const auto& [dscp, protocol, port] = marks;
            if (fresh) groups_.push_back({route.to.source, std::move(sources), dscp, protocol, port, {}});
            groups_[at->second].routes.push_back(r);
        }
        // Those that say more of their packets are asked before those that say less.
        const auto unsaid = [](const Group& g) {
            const bool all = !g.sources.empty() && g.sources[0] == AddressPair(0, ~0u);
            return all + (g.dscp == abi::kNone) + (g.protocol == abi::kNone) + (g.port == abi::kNone);
        };
        std::stable_sort(groups_.begin(), groups_.end(), [&](const Group& a, const Group& b) {
            return std::pair(a.head, unsaid(a)) < std::pair(b.head, unsaid(b));
        });
    }

    // `states`: tables that change with the network, before there are any of segments.
    void find_followed(const RouteTables& states)
    {
        RouteEpochs epochs(network_, states);
        EdgeWeights weights = inputs_.first;
        begins_ = has_time(states, 0) ? 0 : 1;
        for (std::size_t number = 0; number <= states.epochs.size(); ++number) {
            const RouteState& state = epochs.after(number);
            if (number > 0) change_weights(weights, inputs_.epochs[number - 1].changes);
            std::vector<char>& now = followed_.emplace_back();
            for (const SegmentRoute& route : network_.segment_routes) {
                const Segment* missing = missing_segment(route, states, state, weights);
                now.push_back(missing == nullptr);
                if (number == begins_) missing_.push_back(missing);
            }
        }
    }

    bool up(std::uint32_t link, const EdgeWeights& weights) const
    {
        const std::size_t row = link_row_of(network_, link);
        const std::size_t lane = 2 * row + (link - network_.links[row].first_link) % 2;
        const std::uint32_t from = vertex_of(network_, inputs_.graph, link_source(network_, link));
        const std::uint32_t to = vertex_of(network_, inputs_.graph, link_target(network_, link));
        for (std::uint32_t e = inputs_.graph.first_edge(from); e < inputs_.graph.end_edge(from); ++e) {
            const RouteEdge& edge = inputs_.graph.edges()[e];
            if (edge.lane == lane && edge.to == to && !edge.closed && weights[e] != kDown) return true;
        }
        return false;
    }

    // The first that is not reached; null: the list can be followed.
    const Segment* missing_segment(const SegmentRoute& route, const RouteTables& states, const RouteState& state,
                                   const EdgeWeights& weights) const
    {
        std::uint32_t at = route.to.source;
        std::vector<std::vector<PathLink>> steps;
        for (const Segment& segment : route.segments) {
            if (segment.node != at && !trace_shortest(network_, states, at, segment.node, steps, &state))
                return &segment;
            at = segment.node;
            if (segment.link == abi::kNone) continue;
            if (!up(segment.link, weights)) return &segment;
            at = link_target(network_, segment.link);
        }
        return nullptr;
    }

    // A list that can be followed at no time is a mistake.
    bool report_never()
    {
        std::vector<Span> reported;
        for (std::uint32_t r = 0; r < network_.segment_routes.size(); ++r) {
            const SegmentRoute& route = network_.segment_routes[r];
            const auto now = [&](const std::vector<char>& epoch) { return epoch[r] != 0; };
            if (std::any_of(followed_.begin() + static_cast<std::ptrdiff_t>(begins_), followed_.end(), now)) continue;
            if (std::find(reported.begin(), reported.end(), route.to.span) != reported.end()) continue;
            reported.push_back(route.to.span);
            const Segment* segment = missing_[r];
            const Segment* before = segment == route.segments.data() ? nullptr : segment - 1;
            const std::uint32_t at = !before                      ? route.to.source
                                     : before->link == abi::kNone ? before->node
                                                                  : link_target(network_, before->link);
            diagnostics_
                .report(Diag::unreachable, route.to.span,
                        segment->node == at
                            ? fmt::format("the link `{}` of this list of segments is never up",
                                          link_name(network_, segment->link))
                            : fmt::format("`{}` has no way to `{}`, the next one of this list of segments",
                                          node_name(network_, at), node_name(network_, segment->node)))
                .help("the list can be followed at no time");
        }
        return reported.empty();
    }

    // The longest prefix on top, and of lists for the same those that can be followed.
    abi::RouteTable table_of(const Group& group, const std::vector<char>& followed)
    {
        std::map<AddressPair, std::vector<std::uint32_t>> by_destination;
        for (const std::uint32_t r : group.routes) {
            const StaticRoute& to = network_.segment_routes[r].to;
            by_destination[{to.first, to.last}].push_back(r);
        }
        std::vector<std::pair<AddressPair, abi::NextHop>> order;
        for (const auto& [to, lists] : by_destination) order.emplace_back(to, hop_of(lists, followed));
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
            return a.first.second - a.first.first > b.first.second - b.first.first;
        });
        std::vector<abi::RouteRange> table, ranges;
        for (const auto& [to, hop] : order) {
            ranges.clear();
            for (const AddressRun& run : assigned_)
                if (run.last >= to.first && run.first <= to.second)
                    ranges.push_back({std::max(run.first, to.first), std::min(run.last, to.second), hop});
            StaticRoutes::put(ranges, table);
        }
        const abi::RouteTable result{
            {static_cast<std::uint32_t>(routes_.ranges.size()), static_cast<std::uint32_t>(table.size())},
            {0, 0},
            0,
            0};
        routes_.ranges.insert(routes_.ranges.end(), table.begin(), table.end());
        return result;
    }

    abi::NextHop hop_of(const std::vector<std::uint32_t>& lists, const std::vector<char>& followed)
    {
        std::vector<std::uint32_t> firsts, weights;
        bool drop = false;
        for (const std::uint32_t r : lists) {
            drop = drop || network_.segment_routes[r].drop;
            if (!followed[r]) continue;
            firsts.push_back(first_[r]);
            weights.push_back(network_.segment_routes[r].weight);
        }
        if (firsts.empty()) return {drop ? abi::kDropped : 0, 1, 0, 0};
        std::vector<std::uint32_t> places = weighted_places(firsts, weights);
        if (places.size() == 1) return {places[0], 1, 0, 0};
        const auto paths = static_cast<std::uint16_t>(places.size());
        const auto [at, fresh] =
            places_.try_emplace(std::move(places), static_cast<std::uint32_t>(routes_.alternatives.size()));
        if (fresh) routes_.alternatives.insert(routes_.alternatives.end(), at->first.begin(), at->first.end());
        return {at->second, paths, 0, 0};
    }

    const EpochInputs& inputs_;
    const Network& network_;
    RouteTables& routes_;
    Diagnostics& diagnostics_;
    std::vector<AddressRun> assigned_;
    std::vector<Group> groups_;
    std::vector<std::uint32_t> first_;         // by route of the network: row of its first segment
    std::vector<std::vector<char>> followed_;  // by state of the network and route: it can be
    std::size_t begins_ = 0;                   // the first state that has time
    std::vector<const Segment*> missing_;      // by route: what is not reached in that one
    std::map<std::vector<std::uint32_t>, std::uint32_t> places_;
};

}  // namespace

bool has_time(const RouteTables& routes, std::size_t epoch)
{
    return epoch > 0 || routes.epochs.empty() || routes.epochs.front().time > 0;
}

bool add_segment_tables(const EpochInputs& inputs, RouteTables& routes, Diagnostics& diagnostics)
{
    return inputs.network.segment_routes.empty() || SegmentTables(inputs, routes, diagnostics).run();
}

}  // namespace anml

// Routes: those that models state, and the next hops that routers have for each destination, before the timeline
// begins.
//
// Destinations are elements of rows that both networks attach alike. A router's routes that change are told by how: "to
// these, by core2 instead of core1". Hosts with one link have no choice, so that nothing is said of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "analysis/network_queries.h"
#include "analysis/routes/row_graph.h"
#include "diff/parts.h"

namespace anml {

namespace {

struct RoutePoint {
    std::uint32_t before_row = 0, after_row = 0, element = 0, count = 1;
};

class RouteComparison {
  public:
    explicit RouteComparison(Comparison& c)
        : c_(c),
          before_(c.before.network),
          after_(c.after.network),
          first_(c.before.routes.forwarding()),
          second_(c.after.routes.forwarding()),
          graph_before_(before_),
          graph_after_(after_)
    {
    }

    void run()
    {
        for (std::uint32_t a = 0; a < after_.nodes.size(); ++a) add_points(a);
        for (const RoutePoint& to : destinations_) addresses_ += to.count;
        alike_ = same_columns();
        for (const RoutePoint& source : sources_) compare(source);
        auto& entries = c_.result.part(Part::routes);  // those where most changes first
        std::stable_sort(entries.begin(), entries.end(),
                         [](const DifferenceEntry& x, const DifferenceEntry& y) { return x.count > y.count; });
    }

  private:
    // Where either graph begins another vertex.
    void add_points(std::uint32_t a)
    {
        const std::uint32_t b = c_.before_row[a];
        if (b == abi::kNone) return;
        const std::uint32_t common = std::min(before_.nodes[b].count, after_.nodes[a].count);
        std::set<std::uint32_t> cuts;
        const auto add_cuts = [&](const RowGraph& graph, std::uint32_t row) {
            for (std::uint32_t v = graph.first_vertex(row); v < graph.first_vertex(row + 1); ++v)
                cuts.insert(graph.vertices()[v].first);
        };
        add_cuts(graph_before_, b);
        add_cuts(graph_after_, a);
        for (auto at = cuts.begin(); at != cuts.end() && *at < common; ++at) {
            const auto next = std::next(at);
            const std::uint32_t end = next == cuts.end() ? common : std::min(*next, common);
            const RoutePoint point{b, a, *at, end - *at};
            if (before_.nodes[b].address != 0 && after_.nodes[a].address != 0) destinations_.push_back(point);
            const auto chooses = [&](const RowGraph& graph, std::uint32_t row) {
                const std::uint32_t v = graph.vertex_at(NodeRowId{row}, point.element);
                return graph.vertices()[v].transit || graph.end_edge(v) - graph.first_edge(v) > 1;
            };
            if (chooses(graph_before_, b) || chooses(graph_after_, a)) sources_.push_back(point);
        }
    }

    // Whether links, addresses and the columns of tables are the same numbers in both networks: then equal tables say
    // the same.
    bool same_columns() const
    {
        const RouteTables &b = c_.before.routes, &a = c_.after.routes;
        const auto same = [](const auto& x, const auto& y) {
            return x.size() == y.size() && (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0);
        };
        if (!same(b.columns, a.columns) || !same(b.alternatives, a.alternatives)) return false;
        for (std::uint32_t link = 0; link < c_.after_link.size(); ++link)
            if (c_.after_link[link] != link) return false;
        return std::all_of(destinations_.begin(), destinations_.end(), [&](const RoutePoint& p) {
            return before_.nodes[p.before_row].address == after_.nodes[p.after_row].address;
        });
    }

    bool same_tables(const abi::RouteTable& b, const abi::RouteTable& a) const
    {
        const RouteTables &rb = c_.before.routes, &ra = c_.after.routes;
        if (b.ranges.count != a.ranges.count || b.hops.count != a.hops.count || b.bits != a.bits) return false;
        if (b.ranges.count != 0 && std::memcmp(&rb.ranges[b.ranges.first], &ra.ranges[a.ranges.first],
                                               b.ranges.count * sizeof rb.ranges[0]) != 0)
            return false;
        if (b.hops.count == 0) return true;
        if (std::memcmp(&rb.hops[b.hops.first], &ra.hops[a.hops.first], b.hops.count * sizeof rb.hops[0]) != 0)
            return false;
        for (const abi::RouteColumn& column : rb.columns)
            if (b.bits != 0 && abi::code_at(rb.codes.data() + b.first_code, column.column, b.bits) !=
                                   abi::code_at(ra.codes.data() + a.first_code, column.column, a.bits))
                return false;
        return true;
    }

    struct Ways {
        std::vector<WeightedLink> before, after;  // the first with links as the second network numbers them
        bool same = true;
    };

    void compare(const RoutePoint& source)
    {
        const auto table = [&](const RouteTables& routes, std::uint32_t row) -> const abi::RouteTable& {
            const RowTable& place = routes.table_of_row[row];
            return routes.tables[place.table + source.element * place.stride];
        };
        // None to itself.
        const bool own = before_.nodes[source.before_row].address != 0 && after_.nodes[source.after_row].address != 0;
        const std::uint64_t each = addresses_ - own;
        const abi::RouteTable &then = table(c_.before.routes, source.before_row),
                              &now = table(c_.after.routes, source.after_row);
        c_.result.routes += source.count * each;
        if (alike_ && same_tables(then, now)) return;
        std::map<std::pair<std::string, std::string>, std::vector<RoutePoint>> groups;
        std::uint64_t changed = 0;
        for (const RoutePoint& to : destinations_) {
            // Of alike elements one stands for all. To those alike itself: from the first to the second.
            const std::uint32_t self = to.after_row == source.after_row && to.element == source.element;
            if (self == to.count) continue;
            const std::uint32_t b = before_.nodes[to.before_row].address + to.element + self,
                                a = after_.nodes[to.after_row].address + to.element + self;
            const abi::NextHop *first = abi::next_hop(first_, then, b), *second = abi::next_hop(second_, now, a);
            if (same_way(source, first, b, second, a)) continue;
            changed += to.count - self;
            const auto old_way = ways(c_.before.routes, first, b, source.element),
                       new_way = ways(c_.after.routes, second, a, source.element);
            const Target old_target = target(before_, to.before_row, to), new_target = target(after_, to.after_row, to);
            std::string old_text = way_text(before_, old_way, old_target, false),
                        new_text = way_text(after_, new_way, new_target, false);
            if (old_text == new_text) {  // the same neighbours by other links
                old_text = way_text(before_, old_way, old_target, true);
                new_text = way_text(after_, new_way, new_target, true);
            }
            groups[{old_text, new_text}].push_back(to);
        }
        if (changed == 0) return;
        const NodeArray& row = after_.nodes[source.after_row];
        DifferenceEntry& entry = c_.add(Part::routes, Change::changed,
                                        run_name(row, source.element, source.count));
        entry.count = source.count * changed;
        entry.of = source.count * each;
        entry.nodes = source.count;
        entry.row = source.after_row;
        entry.element = source.element;
        for (const auto& [way, points] : groups)
            entry.attributes.push_back({"to " + destinations_text(points), way.first, way.second});
    }

    bool same_way(const RoutePoint& source, const abi::NextHop* b, std::uint32_t b_address, const abi::NextHop* a,
                  std::uint32_t a_address) const
    {
        if (!b || !a) return b == a;
        if (b->paths == 1 && a->paths == 1)
            return c_.after_link[abi::link_of(first_, *b, b_address, source.element, 0)] ==
                   abi::link_of(second_, *a, a_address, source.element, 0);
        auto then = ways(c_.before.routes, b, b_address, source.element),
             now = ways(c_.after.routes, a, a_address, source.element);
        for (WeightedLink& way : then) way.link = c_.after_link[way.link];
        const auto less = [](const WeightedLink& x, const WeightedLink& y) { return x.link < y.link; };
        std::sort(then.begin(), then.end(), less);
        std::sort(now.begin(), now.end(), less);
        return std::equal(then.begin(), then.end(), now.begin(), now.end(),
                          [](const auto& x, const auto& y) { return x.link == y.link && x.weight == y.weight; });
    }

    static std::vector<WeightedLink> ways(const RouteTables& routes, const abi::NextHop* hop, std::uint32_t address,
                                          std::uint32_t element)
    {
        return hop ? weights_of(routes.forwarding(), *hop, address, element) : std::vector<WeightedLink>();
    }

    // Alike destinations: the way to the first of them stands for the ways to all.
    struct Target {
        std::uint32_t first, count;  // nodes
        std::string name;
    };

    static Target target(const Network& network, std::uint32_t row_index, const RoutePoint& to)
    {
        const NodeArray& row = network.nodes[row_index];
        return {row.first_node + to.element, to.count,
                run_name(row, to.element, to.count)};
    }

    static std::string way_text(const Network& network, const std::vector<WeightedLink>& links, const Target& to,
                                bool by_link)
    {
        if (links.empty()) return "no route";
        const bool weighted = std::any_of(links.begin(), links.end(),
                                          [&](const WeightedLink& way) { return way.weight != links.front().weight; });
        std::set<std::string> parts;
        for (const WeightedLink& way : links) {
            const std::uint32_t next = link_target(network, way.link);
            const bool there = !by_link && next >= to.first && next - to.first < to.count;
            std::string text = there ? to.name : node_name(network, next);
            if (by_link) text += " over " + link_name(network, way.link);
            if (weighted) text += fmt::format(" ({})", way.weight);
            parts.insert(std::move(text));
        }
        return fmt::format("{}", fmt::join(parts, " and "));
    }

    // Neighbouring elements as one.
    std::string destinations_text(const std::vector<RoutePoint>& points) const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < points.size();) {
            std::uint32_t count = points[i].count;
            std::size_t next = i + 1;
            while (next < points.size() && points[next].after_row == points[i].after_row &&
                   points[next].element == points[i].element + count)
                count += points[next++].count;
            const NodeArray& row = after_.nodes[points[i].after_row];
            names.push_back(run_name(row, points[i].element, count));
            i = next;
        }
        return fmt::format("{}", fmt::join(names, ", "));
    }

    Comparison& c_;
    const Network &before_, &after_;
    const abi::Forwarding first_, second_;
    const RowGraph graph_before_, graph_after_;
    std::vector<RoutePoint> sources_, destinations_;
    std::uint64_t addresses_ = 0;  // of destinations
    bool alike_ = false;
};

std::string destination_of(const Network& network, const StaticRoute& route)
{
    if (!route.written.empty()) return route.written;
    if (route.first == 0 && route.last == ~0u) return "0.0.0.0/0";
    for (const NodeArray& row : network.nodes)  // by name, since addresses follow from what stands before
        if (row.address != 0 && route.first >= row.address && route.last - row.address < row.count)
            return run_name(row, route.first - row.address, route.last - route.first + 1);
    const std::string first = address_text(network, route.first);
    return route.first == route.last ? first : fmt::format("{} .. {}", first, address_text(network, route.last));
}

// By head and destination what is stated; several of one key are a list.
Attributes stated_routes(const NetworkTexts& texts)
{
    const Network& network = texts.network();
    Attributes list;
    std::map<std::string, std::size_t> known;
    const auto add = [&](std::string key, const std::string& value) {
        const auto [at, fresh] = known.try_emplace(key, list.size());
        if (fresh)
            list.emplace_back(std::move(key), value);
        else
            list[at->second].second += "; " + value;
    };
    for (const StaticRoute& route : network.static_routes)
        add(fmt::format("route {} to {}", texts.node(route.source), destination_of(network, route)),
            "via " + texts.node(route.via));
    for (const SegmentRoute& route : network.segment_routes) {
        std::vector<std::string> segments;
        for (const Segment& s : route.segments)
            segments.push_back(s.link == abi::kNone ? texts.node(s.node) : link_name(network, s.link));
        std::string value = fmt::format("via [{}]", fmt::join(segments, ", "));
        if (route.weight != 1) value += fmt::format(", weight {}", route.weight);
        if (route.label_size != 4) value += fmt::format(", labels of {} B", route.label_size);
        if (route.drop) value += ", without: drop";
        if (!route.sources.empty()) value += ", from " + texts.nodes(route.sources);
        if (route.dscp) value += fmt::format(", of DSCP {}", *route.dscp);
        if (route.protocol) value += fmt::format(", of {}", routed_protocol_name(*route.protocol));
        if (route.port) value += fmt::format(", of port {}", *route.port);
        add(fmt::format("route {} to {} by segments", texts.node(route.to.source), destination_of(network, route.to)),
            value);
    }
    return list;
}

}  // namespace

void compare_stated_routes(Comparison& c)
{
    c.add_all(Part::stated_routes, stated_routes(c.texts.before), stated_routes(c.texts.after));
}

void compare_routes(Comparison& c) { RouteComparison(c).run(); }

}  // namespace anml

// Routes of random networks with regions, autonomous systems, one-way links and failures, against the rules of
// docs/language/routes.md applied node by node to the expanded graph.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <optional>
#include <random>
#include <tuple>

#include "analysis/network_queries.h"
#include "analysis/timeline/route_epochs.h"
#include "network_builder.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

constexpr double kFails = 1e9;  // ns

struct Kind {
    bool regions, systems, one_way, failures;
};

class RandomDomains {
  public:
    RandomDomains(unsigned seed, Kind kind) : kind_(kind), random_(seed)
    {
        constexpr RouteMetric kMetrics[] = {RouteMetric::delay, RouteMetric::hops, RouteMetric::cost};
        b.endpoint("e");
        const unsigned rows = 4 + pick(7);
        for (unsigned i = 0; i < rows; ++i) {
            constexpr abi::NodeKind kKinds[] = {abi::NodeKind::host, abi::NodeKind::router, abi::NodeKind::router,
                                                abi::NodeKind::router, abi::NodeKind::switch_};
            b.node("n" + std::to_string(i), kKinds[pick(5)], pick(3) == 0 ? 2 + pick(3) : 0);
        }
        for (std::size_t i = 0; i < b.network.nodes.size(); ++i) system_.push_back(kind.systems ? pick(4) : 0);
        if (kind.regions) add_regions(kMetrics);
        const unsigned links = rows + pick(10);
        for (unsigned i = 0; i < links; ++i) add_link("l" + std::to_string(i));
        if (kind.failures) add_failures();
        b.network.metric = kMetrics[pick(3)];
        b.network.multipath = pick(2);
    }

    NetworkBuilder b;

  private:
    std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    std::uint32_t count(NodeRowId row) const { return b.network.nodes[row.value].count; }

    void add_regions(const RouteMetric (&metrics)[3])
    {
        for (int i = 0; i < 3; ++i) b.network.regions.push_back({"g", metrics[pick(3)], pick(2) != 0, {}, {}, {}, {}});
        for (std::uint32_t row = 0; row < b.network.nodes.size(); ++row) {
            const std::uint32_t n = count(NodeRowId(row)), region = pick(4);
            const std::uint32_t first = pick(3) == 0 ? pick(n) : 0;
            if (region < 3) b.network.regions[region].nodes.push_back({NodeRowId(row), first, n - first});
        }
    }

    void add_link(const std::string& name)
    {
        constexpr double kDelays[] = {0, 1e5, 1e5, 2e5, 3e5}, kCosts[] = {0, 1, 1, 2.5, 4};
        const auto rows = static_cast<std::uint32_t>(b.network.nodes.size());
        End x{NodeRowId(pick(rows))}, y{NodeRowId(pick(rows))};
        std::uint32_t n = 1 + (pick(5) == 0 ? 1 : 0);
        const std::uint32_t shape = pick(4);
        x.each = shape == 1 || shape == 3;
        y.each = shape == 2 || shape == 3;
        if (x.each && y.each)
            n = std::min(count(x.row), count(y.row));
        else if (x.each || y.each)
            n = count(x.each ? x.row : y.row);
        for (End* end : {&x, &y}) end->first = pick(count(end->row) - (end->each ? n - 1 : 0));
        for (std::uint32_t i = 0; i < n; ++i)
            if (x.row == y.row && x.first + i * x.each == y.first + i * y.each) return;  // a link to itself
        LinkArray& link =
            b.network.links[b.link(name, x, y, b.constant(kDelays[pick(5)]), n == 1 && !x.each && !y.each ? 0 : n)];
        for (int direction = 0; direction < 2; ++direction) {
            if (pick(4) == 0) link.delay[direction] = b.constant(kDelays[pick(5)]);
            link.cost[direction] = kCosts[pick(5)];
        }
        link.one_way = kind_.one_way && pick(4) == 0;
        // Systems with lower numbers are further up, so that no system is its own customer.
        const std::uint32_t a = system_[x.row.value], c = system_[y.row.value];
        if (a == c) return;
        link.relation = (a + c) % 3 == 0 ? AsRelation::peer : a < c ? AsRelation::provider : AsRelation::customer;
    }

    void add_failures()
    {
        for (std::uint32_t row = 0; row < b.network.links.size(); ++row) {
            if (pick(3) != 0) continue;
            TimelineInfo t;
            t.attribute = abi::TimelineAttribute::up;
            t.form = abi::TimelineForm::once;
            const std::uint32_t first = pick(b.network.links[row].count);
            t.links.push_back({LinkRowId(row), first, 1 + pick(b.network.links[row].count - first)});
            t.first = t.last = t.step = b.constant(kFails);
            t.value = t.value_to = b.constant(0);
            b.network.timeline.push_back(t);
        }
        if (b.network.timeline.empty()) return;
        TimelineInfo cost = b.network.timeline.back();  // and a new cost at the same time
        cost.attribute = abi::TimelineAttribute::cost;
        cost.links = {{LinkRowId(0), 0, b.network.links[0].count}};
        cost.value = cost.value_to = b.constant(7);
        b.network.timeline.push_back(cost);
    }

    Kind kind_;
    std::mt19937 random_;
    std::vector<std::uint32_t> system_;  // by row
};

// Class of the route, systems, weight and number of links between regions, weight inside, links.
using Label = std::tuple<int, int, std::int64_t, int, std::int64_t, int>;

class Reference {
  public:
    Reference(const Network& network, bool failed) : network_(network)
    {
        region_.assign(network.node_count, nullptr);
        for (const RoutingRegion& region : network.regions)
            for (const TargetRange& range : region.nodes)
                for (std::uint32_t i = 0; i < range.count; ++i)
                    region_[network.nodes[range.row.value].first_node + range.first + i] = &region;
        for (std::uint32_t link = 0; link < network.directed_links; ++link) {
            const std::uint32_t row = static_cast<std::uint32_t>(link_row_of(network, link));
            const LinkArray& group = network.links[row];
            const std::uint32_t direction = (link - group.first_link) % 2, element = (link - group.first_link) / 2;
            bool down = group.one_way && direction == 1;
            double cost = group.cost[direction];
            for (const TimelineInfo& t : network.timeline) {
                if (!failed || t.links[0].row.value != row || element - t.links[0].first >= t.links[0].count) continue;
                if (t.attribute == abi::TimelineAttribute::up) down = true;
                if (t.attribute == abi::TimelineAttribute::cost) cost = 7;
            }
            const double delay = network.values.evaluate(group.delay[direction], {});
            links_.push_back({link_source(network, link), link_target(network, link), group.relation, direction == 0,
                              down, std::llround(delay), std::llround(cost * 1000)});
        }
    }

    // Settles the nearest node, again and again.
    void find(std::uint32_t to)
    {
        to_ = to;
        label_.assign(network_.node_count, std::nullopt);
        label_[to] = Label{};
        for (;;) {
            std::optional<std::pair<Label, std::uint32_t>> nearest;
            for (const Link& link : links_) {
                if (label_[link.source]) continue;
                const auto through = offer(link);
                if (through && (!nearest || *through < nearest->first)) nearest = {*through, link.source};
            }
            if (!nearest) return;
            label_[nearest->second] = nearest->first;
        }
    }

    std::vector<std::uint32_t> next_links(std::uint32_t from) const
    {
        std::vector<std::uint32_t> list;
        const bool multipath = region_[from] ? region_[from]->multipath : network_.multipath;
        for (std::uint32_t link = 0; link < links_.size() && label_[from]; ++link) {
            if (links_[link].source != from || offer(links_[link]) != label_[from]) continue;
            list.push_back(link);
            if (!multipath) break;
        }
        return list;
    }
    bool arrives(std::uint32_t from) const { return label_[from].has_value(); }
    int links_to(std::uint32_t from) const { return std::get<5>(*label_[from]); }
    bool up(std::uint32_t link) const { return !links_[link].down; }

  private:
    struct Link {
        std::uint32_t source, target;
        AsRelation relation;
        bool from_left, down;
        std::int64_t delay, cost;
    };

    std::int64_t weight(const Link& link, RouteMetric metric, std::int64_t of_hop) const
    {
        return metric == RouteMetric::delay ? link.delay : metric == RouteMetric::cost ? link.cost : of_hop;
    }

    std::optional<Label> offer(const Link& link) const
    {
        const abi::NodeKind kind = network_.nodes[node_row_of(network_, link.target)].kind;
        const bool passes = kind == abi::NodeKind::router || kind == abi::NodeKind::switch_;
        if (link.down || !label_[link.target] || (link.target != to_ && !passes)) return std::nullopt;
        auto [rank, systems, between, crossings, inside, hops] = *label_[link.target];
        const RoutingRegion* region = region_[link.source];
        if (link.relation != AsRelation::none) {
            const bool target_sells = (link.relation == AsRelation::customer) == link.from_left;
            const bool peers = link.relation == AsRelation::peer;
            if ((peers || !target_sells) && rank != 0) return std::nullopt;
            return Label{peers ? 1 : target_sells ? 2 : 0, systems + 1, 0, 0, 0, hops + 1};
        }
        if (region && region == region_[link.target])
            return Label{rank, systems, between, crossings, inside + weight(link, region->metric, 1), hops + 1};
        return Label{rank, systems, between + weight(link, network_.metric, 0), crossings + 1, 0, hops + 1};
    }

    const Network& network_;
    std::vector<const RoutingRegion*> region_;  // by node
    std::vector<Link> links_;                   // by directed link
    std::vector<std::optional<Label>> label_;
    std::uint32_t to_ = 0;
};

struct Seen {
    std::size_t routed = 0, shared = 0, unreached = 0, later = 0;
};

// `later`: ns after which all are told of the failures.
void compare(const Network& network, Seen& seen, double later = 0)
{
    Diagnostics diagnostics;
    const auto routes = compute_routes(network, diagnostics);
    const auto of_switch = [](const Diagnostic& d) { return d.diag == Diag::relation_of_switch; };
    if (std::any_of(diagnostics.list().begin(), diagnostics.list().end(), of_switch)) return;
    REQUIRE(routes);
    REQUIRE(verify_routes(network, *routes) == "");
    for (const bool failed : {false, true}) {
        if (failed && network.timeline.empty()) continue;
        RouteEpochs epochs(network, *routes);
        const RouteState& tables = epochs.at(failed ? kFails + later : 0);
        Reference reference(network, failed);
        for (std::uint32_t to = 0; to < network.node_count; ++to) {
            const NodeArray& row = network.nodes[node_row_of(network, to)];
            if (row.address == 0) continue;
            reference.find(to);
            for (std::uint32_t from = 0; from < network.node_count; ++from) {
                if (from == to) continue;
                auto links = lookup_routes(network, *routes, from, row.address + to - row.first_node, &tables);
                std::sort(links.begin(), links.end());
                std::vector<std::vector<PathLink>> steps;
                const bool traced = trace_paths(network, *routes, from, to, steps, &tables);
                CAPTURE(failed, from, to, links);
                REQUIRE(traced == reference.arrives(from));
                if (!traced) {  // at most a default route
                    ++seen.unreached;
                    for (const std::uint32_t link : links) CHECK((later != 0 || reference.up(link)));
                    continue;
                }
                REQUIRE(links == reference.next_links(from));
                REQUIRE(static_cast<int>(steps.size()) == reference.links_to(from));
                ++seen.routed;
                seen.later += failed;
                seen.shared += links.size() > 1;
            }
        }
    }
}

}  // namespace

TEST_CASE("routes of regions and autonomous systems follow the rules node by node")
{
    Kind kind{};
    SECTION("regions") { kind = {true, false, false, false}; }
    SECTION("systems") { kind = {false, true, false, false}; }
    SECTION("both") { kind = {true, true, false, false}; }
    SECTION("one-way links") { kind = {false, false, true, false}; }
    SECTION("failures") { kind = {false, false, false, true}; }
    SECTION("all of it") { kind = {true, true, true, true}; }
    Seen seen;
    for (unsigned seed = 1; seed <= 150; ++seed) {
        RandomDomains random(seed, kind);
        INFO("seed " << seed);
        compare(random.b.network, seen);
    }
    CHECK(seen.routed > 3000);
    CHECK(seen.shared > 20);
    CHECK(seen.unreached > 100);
    CHECK((seen.later > 1000) == kind.failures);
}

TEST_CASE("routes that converge come to the same")
{
    const Kind kind{GENERATE(false, true), GENERATE(false, true), GENERATE(false, true), true};
    Seen seen;
    for (unsigned seed = 1; seed <= 100; ++seed) {
        RandomDomains random(seed, kind);
        Network& network = random.b.network;
        network.convergence = {3'000'000, seed % 4 * 1'000'000, 1'000'000};
        for (std::size_t i = 0; i < network.regions.size(); ++i)
            network.regions[i].convergence = {1'000'000, static_cast<std::int64_t>(i) * 1'000'000,
                                              seed % 2 * 5'000'000};
        INFO("seed " << seed);
        compare(network, seen, 1e9);
    }
    CHECK(seen.later > 1000);
}

TEST_CASE("lengths that need more than 128 bits lose precision, not their order")
{
    // A chain of 600 routers in two regions, one hour apart and a nanosecond more: weights have 42 bits, sums 52.
    NetworkBuilder b;
    b.endpoint("e");
    const NodeRowId r = b.router("r", 600);
    for (std::uint32_t i = 0; i + 1 < 600; ++i)
        b.link("l" + std::to_string(i), End{r, i}, End{r, i + 1}, b.constant(i % 3 == 0 ? 3.6e12 : 3.6e12 - 1));
    b.link("s", End{NodeRowId(0)}, End{r}, b.constant(1));
    b.link("x", End{r, 0}, End{r, 599}, b.constant(1));  // round: both ways are there
    b.network.links.back().relation = AsRelation::none;
    b.network.regions.push_back({"a", RouteMetric::delay, false, 0, {}, {{r, 0, 200}}, {}});
    b.network.regions.push_back({"b", RouteMetric::delay, false, 0, {}, {{r, 300, 200}}, {}});
    Diagnostics diagnostics;
    const auto routes = compute_routes(b.network, diagnostics);
    REQUIRE(routes);
    CHECK(verify_routes(b.network, *routes) == "");
    std::vector<std::vector<PathLink>> steps;
    REQUIRE(trace_paths(b.network, *routes, b.id(r, 0), b.id(r, 599), steps));
    CHECK(steps.size() == 1);
    REQUIRE(trace_paths(b.network, *routes, b.id(r, 0), b.id(r, 199), steps));
    CHECK(steps.size() == 199);  // in the region
    REQUIRE(trace_paths(b.network, *routes, b.id(r, 50), b.id(r, 550), steps));
    CHECK(steps.size() == 50 + 1 + 49);
}

}  // namespace ANML_UNIT_FILE

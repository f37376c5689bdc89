// Routes of random small networks against shortest paths between all pairs of the expanded graph, by brute force.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <random>

#include "../tier.h"
#include "analysis/network_queries.h"
#include "analysis/timeline/route_epochs.h"
#include "network_builder.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;
using anml::testing::everything;
using anml::testing::rounds;

namespace {

class RandomNetwork {
  public:
    explicit RandomNetwork(unsigned seed) : random_(seed)
    {
        b.endpoint("e");
        const unsigned rows = 3 + pick(6);
        for (unsigned i = 0; i < rows; ++i) {
            constexpr abi::NodeKind kKinds[] = {abi::NodeKind::host, abi::NodeKind::router, abi::NodeKind::router,
                                                abi::NodeKind::switch_};
            b.node("n" + std::to_string(i), kKinds[pick(4)], pick(2) ? 2 + pick(4) : 0);
        }
        const unsigned links = rows + pick(8);
        for (unsigned i = 0; i < links; ++i) add_link("l" + std::to_string(i));
    }

    NetworkBuilder b;

  private:
    std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
    std::uint32_t count(NodeRowId row) const { return b.network.nodes[row.value].count; }

    // Of each shape that the language makes: plain, bundle, fan-in from either side, pairs; whole arrays and slices.
    void add_link(const std::string& name)
    {
        constexpr double kDelays[] = {0, 1e5, 1e5, 2e5, 3e5};
        End x{NodeRowId(pick(static_cast<std::uint32_t>(b.network.nodes.size())))};
        End y{NodeRowId(pick(static_cast<std::uint32_t>(b.network.nodes.size())))};
        std::uint32_t n = 1 + (pick(5) == 0 ? 1 : 0);
        const std::uint32_t shape = pick(4);
        x.each = shape == 1 || shape == 3;
        y.each = shape == 2 || shape == 3;
        if (x.each && y.each) {
            n = std::min(count(x.row), count(y.row));
        } else if (x.each || y.each) {
            n = count(x.each ? x.row : y.row);
        }
        if ((x.each || y.each) && n > 1 && pick(3) == 0) n = 1 + pick(n);
        for (End* end : {&x, &y}) end->first = pick(count(end->row) - (end->each ? n - 1 : 0));
        for (std::uint32_t i = 0; i < n; ++i) {
            if (x.row == y.row && x.first + i * x.each == y.first + i * y.each) return;  // a link to itself
        }
        const std::size_t row = b.link(name, x, y, b.constant(kDelays[pick(5)]), n == 1 && !x.each && !y.each ? 0 : n);
        if (pick(4) == 0) b.network.links[row].delay[1] = b.constant(kDelays[pick(5)]);
    }

    std::mt19937 random_;
};

struct Reference {
    // By directed link, and whatever the links say, `delays` unless empty.
    Reference(const Network& network, const std::vector<char>& down, const std::vector<double>& delays = {})
        : network_(network), n_(network.node_count), distance_(n_ * n_, kFar)
    {
        auto weights = lane_weights(network, {});
        if (network.metric == RouteMetric::hops) std::fill(weights.begin(), weights.end(), 0);
        for (std::uint32_t link = 0; link < network.directed_links; ++link) {
            const std::size_t row = link_row_of(network, link);
            Distance d{weights[2 * row + (link - network.links[row].first_link) % 2], 1};
            if (!delays.empty() && delays[link] >= 0) d.first = static_cast<std::int64_t>(delays[link]);
            Distance& known = at(link_source(network, link), link_target(network, link));
            if (!down[link]) known = std::min(known, d);
            links_.push_back({link_source(network, link), link_target(network, link), d, down[link] != 0});
        }
        for (std::uint32_t v = 0; v < n_; ++v) at(v, v) = {0, 0};
        for (std::uint32_t via = 0; via < n_; ++via) {
            if (!transit(via)) continue;
            for (std::uint32_t from = 0; from < n_; ++from) {
                for (std::uint32_t to = 0; to < n_; ++to) {
                    if (at(from, via) == kFar || at(via, to) == kFar) continue;
                    at(from, to) = std::min(at(from, to), sum(at(from, via), at(via, to)));
                }
            }
        }
    }

    // The links that begin a shortest path; all of them, or the first.
    std::vector<std::uint32_t> next_links(std::uint32_t from, std::uint32_t to) const
    {
        std::vector<std::uint32_t> list;
        for (std::uint32_t link = 0; link < links_.size(); ++link) {
            const auto& [source, target, d, is_down] = links_[link];
            if (is_down || source != from || (target != to && !transit(target)) || at(target, to) == kFar) continue;
            if (sum(d, at(target, to)) != at(from, to)) continue;
            list.push_back(link);
            if (!network_.multipath) break;
        }
        return list;
    }

  private:
    using Distance = std::pair<std::int64_t, int>;
    static constexpr Distance kFar{INT64_MAX, 0};
    static Distance sum(Distance a, Distance b) { return {a.first + b.first, a.second + b.second}; }
    bool transit(std::uint32_t node) const
    {
        const abi::NodeKind kind = network_.nodes[node_row_of(network_, node)].kind;
        return kind == abi::NodeKind::router || kind == abi::NodeKind::switch_;
    }
    Distance& at(std::uint32_t from, std::uint32_t to) { return distance_[from * n_ + to]; }
    const Distance& at(std::uint32_t from, std::uint32_t to) const { return distance_[from * n_ + to]; }

    struct Link {
        std::uint32_t source, target;
        Distance distance;
        bool down;
    };
    const Network& network_;
    std::uint32_t n_;
    std::vector<Distance> distance_;
    std::vector<Link> links_;
};

struct Seen {
    std::size_t compared = 0, routed = 0, shared = 0, strided = 0, by_columns = 0;
};

// Links and nodes that go down and come up again, or, where routes follow delays, links that get another one; one
// statement at each time.
struct RandomFailures {
    RandomFailures(Network& network, unsigned seed)
    {
        std::mt19937 random(seed);
        const auto pick = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
        std::vector<char> link_down(network.directed_links, 0), node_down(network.node_count, 0);
        std::vector<double> delays(network.directed_links, -1);
        for (std::uint32_t time = 1; time <= 12; ++time) {
            TimelineInfo t;
            t.attribute = abi::TimelineAttribute::up;
            t.form = abi::TimelineForm::once;
            t.first = t.last = t.step = network.values.constant(time);
            const bool up = pick(3) == 0;
            t.value = t.value_to = network.values.constant(up);
            if (pick(4) != 0) {
                const std::uint32_t row = pick(network.links.size());
                const LinkArray& link = network.links[row];
                const std::uint32_t first = pick(link.count), count = 1 + pick(link.count - first);
                t.links.push_back({LinkRowId{row}, first, count});
                if (network.follow_delays != 0 && pick(2) == 0) {
                    const double delay = 1e5 * pick(5);
                    t.attribute = abi::TimelineAttribute::delay;
                    t.value = t.value_to = network.values.constant(delay);
                    for (std::uint32_t i = 0; i < 2 * count; ++i) delays[link.first_link + 2 * first + i] = delay;
                } else {
                    for (std::uint32_t i = 0; i < 2 * count; ++i) link_down[link.first_link + 2 * first + i] = !up;
                }
            } else {
                const std::uint32_t row = pick(network.nodes.size());
                const NodeArray& node = network.nodes[row];
                const std::uint32_t first = pick(node.count), count = 1 + pick(node.count - first);
                t.nodes.push_back({NodeRowId{row}, first, count});
                for (std::uint32_t i = 0; i < count; ++i) node_down[node.first_node + first + i] = !up;
            }
            network.timeline.push_back(t);
            delays_at.push_back(delays);
            std::vector<char>& down = down_at.emplace_back(link_down);
            for (std::uint32_t link = 0; link < network.directed_links; ++link)
                if (node_down[link_source(network, link)] || node_down[link_target(network, link)]) down[link] = 1;
        }
    }
    std::vector<std::vector<char>> down_at;      // from 1 ns on, by time; then by directed link
    std::vector<std::vector<double>> delays_at;  // the same; -1: as declared
};

void compare_with_reference(const Network& network, const RouteTables& routes, const RouteState& state,
                            const Reference& reference, Seen& counts)
{
    for (std::uint32_t to = 0; to < network.node_count; ++to) {
        const NodeArray& row = network.nodes[node_row_of(network, to)];
        if (row.address == 0) continue;
        for (std::uint32_t from = 0; from < network.node_count; ++from) {
            if (from == to) continue;
            auto seen = lookup_routes(network, routes, from, row.address + to - row.first_node, &state);
            std::sort(seen.begin(), seen.end());
            const auto expected = reference.next_links(from, to);
            ++counts.compared;
            counts.routed += !expected.empty();
            counts.shared += expected.size() > 1;
            if (seen == expected) continue;
            std::vector<std::vector<PathLink>> steps;
            // By default, or towards the router from which the only link to there is down.
            const bool router = network.nodes[node_row_of(network, from)].kind == abi::NodeKind::router;
            if (expected.empty() && (!router || !network.timeline.empty()) &&
                !trace_paths(network, routes, from, to, steps, &state))
                continue;
            CAPTURE(from, to, seen, expected, dump_routes(network, routes));
            FAIL("other next hops");
        }
    }
}

void compare_with_reference(const Network& network, Seen& counts)
{
    Diagnostics diagnostics;
    const auto routes = compute_routes(network, diagnostics);
    REQUIRE(routes);
    REQUIRE(verify_routes(network, *routes) == "");
    const Reference reference(network, std::vector<char>(network.directed_links, 0));
    compare_with_reference(network, *routes, {routes->tables, {}}, reference, counts);
    for (const abi::RouteRange& range : routes->ranges)
        counts.strided += range.hop.by_destination != 0 || range.hop.by_element != 0;
    for (const abi::RouteTable& table : routes->tables) counts.by_columns += table.hops.count != 0;
}

}  // namespace

TEST_CASE("routes of random networks are the expanded graph's shortest paths")
{
    const RouteMetric metric = GENERATE(RouteMetric::delay, RouteMetric::hops);
    const bool multipath = GENERATE(false, true);
    Seen counts;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        RandomNetwork random(seed);
        random.b.network.metric = metric;
        random.b.network.multipath = multipath;
        INFO("seed " << seed);
        compare_with_reference(random.b.network, counts);
    }
    CHECK(counts.compared > 25000);
    CHECK(counts.routed > counts.compared / 4);
    CHECK((counts.shared > 100) == multipath);
    CHECK(counts.strided > 50);
}

TEST_CASE("routes of every epoch are the shortest paths over what is up")
{
    const RouteMetric metric = GENERATE(RouteMetric::delay, RouteMetric::hops);
    const bool multipath = GENERATE(false, true), follow = GENERATE(false, true);
    if (follow && metric == RouteMetric::hops) return;
    Seen counts;
    std::size_t by_column = 0, replaced = 0;
    for (unsigned seed = 1; seed <= rounds(300); ++seed) {
        RandomNetwork random(seed);
        Network& network = random.b.network;
        network.metric = metric;
        network.multipath = multipath;
        network.follow_delays = follow ? 1 : 0;
        if (network.links.empty()) continue;
        const RandomFailures failures(network, seed);
        INFO("seed " << seed);
        Diagnostics diagnostics;
        const auto routes = compute_routes(network, diagnostics);
        REQUIRE(routes);
        REQUIRE(verify_routes(network, *routes) == "");
        RouteEpochs epochs(network, *routes);
        for (std::uint32_t time = 1; time <= failures.down_at.size(); ++time) {
            INFO("time " << time);
            const Reference reference(network, failures.down_at[time - 1], failures.delays_at[time - 1]);
            compare_with_reference(network, *routes, epochs.at(time), reference, counts);
        }
        for (const RouteEpoch& epoch : routes->epochs) {
            by_column += epoch.columns.size();
            replaced += epoch.changes.size();
        }
    }
    CHECK(counts.compared > rounds(300'000));
    CHECK(counts.routed > counts.compared / 8);
    CHECK((counts.shared > 100) == multipath);
    CHECK(by_column > rounds(500));
    CHECK(replaced > rounds(1000));
}

namespace {

// When each node has the routes of which time, by what the language says of it: on the expanded graph, link by link.
class Told {
  public:
    Told(const Network& network, const RandomFailures& failures) : network_(network), known_(network.node_count)
    {
        for (std::vector<Known>& known : known_) known.push_back({0, 0});
        for (std::uint32_t time = 1; time <= failures.down_at.size(); ++time) {
            const auto before = weights(failures, time - 1), now = weights(failures, time);
            std::vector<std::int64_t> heard(network.node_count, kFar);
            for (std::uint32_t link = 0; link < network.directed_links; ++link)
                if (before[link] != now[link])
                    heard[link_source(network, link)] = heard[link_target(network, link)] =
                        network.convergence.detection;
            for (bool more = true; more;) {
                more = false;
                for (std::uint32_t link = 0; link < network.directed_links; ++link) {
                    const std::uint32_t from = link_source(network, link), to = link_target(network, link);
                    if (now[link] == kFar || heard[from] == kFar || !passes_on(from)) continue;
                    const std::int64_t here = heard[from] + network.convergence.flooding;
                    if (here < heard[to]) heard[to] = here, more = true;
                }
            }
            for (std::uint32_t v = 0; v < network.node_count; ++v) {
                if (heard[v] == kFar) continue;
                const std::int64_t at = time + heard[v] + network.convergence.computation;
                known_[v].push_back({std::max(at, known_[v].back().since), time});
            }
        }
    }
    // Which time's routes a node has.
    std::uint32_t state(std::uint32_t node, std::int64_t time) const
    {
        std::uint32_t state = 0;
        for (const Known& known : known_[node])
            if (known.since <= time) state = known.state;
        return state;
    }

  private:
    static constexpr std::int64_t kFar = INT64_MAX;
    struct Known {
        std::int64_t since;
        std::uint32_t state;
    };
    bool passes_on(std::uint32_t node) const
    {
        const abi::NodeKind kind = network_.nodes[node_row_of(network_, node)].kind;
        return kind == abi::NodeKind::router || kind == abi::NodeKind::switch_;
    }
    // By directed link; kFar: down.
    std::vector<std::int64_t> weights(const RandomFailures& failures, std::uint32_t time) const
    {
        const auto declared = lane_weights(network_, {});
        std::vector<std::int64_t> list;
        for (std::uint32_t link = 0; link < network_.directed_links; ++link) {
            const std::size_t row = link_row_of(network_, link);
            std::int64_t weight = declared[2 * row + (link - network_.links[row].first_link) % 2];
            if (time > 0 && failures.delays_at[time - 1][link] >= 0)
                weight = static_cast<std::int64_t>(failures.delays_at[time - 1][link]);
            if (time > 0 && failures.down_at[time - 1][link]) weight = kFar;
            list.push_back(weight);
        }
        return list;
    }

    const Network& network_;
    std::vector<std::vector<Known>> known_;
};

}  // namespace

TEST_CASE("each node has the routes of the last state that it was told of")
{
    const bool multipath = GENERATE(false, true), follow = GENERATE(false, true);
    std::size_t routed = 0, late = 0, unsettled = 0;
    const unsigned seeds = everything() ? 150 : 60;  // 60: each convergence, below, once
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        RandomNetwork random(seed);
        Network& network = random.b.network;
        network.metric = follow ? RouteMetric::delay : RouteMetric::hops;
        network.multipath = multipath;
        network.follow_delays = follow ? 1 : 0;
        network.convergence = {seed % 4, seed / 4 % 3, seed / 12 % 5};
        if (network.links.empty() || network.convergence == Convergence{}) continue;
        const RandomFailures failures(network, seed);
        INFO("seed " << seed);
        Diagnostics diagnostics;
        const auto routes = compute_routes(network, diagnostics);
        REQUIRE(routes);
        REQUIRE(verify_routes(network, *routes) == "");
        const Told told(network, failures);
        std::vector<Reference> references{{network, std::vector<char>(network.directed_links, 0)}};
        for (std::size_t i = 0; i < failures.down_at.size(); ++i)
            references.emplace_back(network, failures.down_at[i], failures.delays_at[i]);
        RouteEpochs epochs(network, *routes);
        constexpr std::uint32_t kEnd = 60;
        for (std::uint32_t time = 0; time <= kEnd; ++time) {
            const RouteState& state = epochs.at(time);
            unsettled += !state.settled;
            for (std::uint32_t to = 0; to < network.node_count; ++to) {
                const NodeArray& row = network.nodes[node_row_of(network, to)];
                for (std::uint32_t from = 0; from < network.node_count && row.address != 0; ++from) {
                    const std::uint32_t known = told.state(from, time);
                    // Without a way: to the router that is told of it, or by default.
                    const auto expected =
                        from == to ? std::vector<std::uint32_t>{} : references[known].next_links(from, to);
                    if (expected.empty()) continue;
                    auto seen = lookup_routes(network, *routes, from, row.address + to - row.first_node, &state);
                    std::sort(seen.begin(), seen.end());
                    ++routed;
                    late += known < std::min<std::size_t>(time, failures.down_at.size());
                    if (seen == expected) continue;
                    CAPTURE(from, to, time, known, seen, expected);
                    FAIL("other next hops");
                }
            }
        }
        compare_with_reference(network, *routes, epochs.at(kEnd), references.back(), *std::make_unique<Seen>());
    }
    CHECK(routed > (everything() ? 150'000 : 50'000));
    CHECK(late > (everything() ? 30'000 : 10'000));
    CHECK(unsettled > (everything() ? 1000 : 400));
}

TEST_CASE("routes by columns are shortest paths too")
{
    // Routers in random order of their addresses, with gaps, so that ranges don't pay; trees hang on a meshed core.
    const bool multipath = GENERATE(false, true);
    const double spread = GENERATE(1e3, 3.0, 1.0);
    if (spread == 3 && rounds(2) == 1) return;
    Seen counts;
    std::mt19937 random(7);
    NetworkBuilder b;
    b.endpoint("e");
    std::vector<NodeRowId> routers;
    const std::uint32_t kRouters = everything() ? 90 : 51, kCore = kRouters * 2 / 3;
    for (std::uint32_t i = 0; i < kRouters; ++i) routers.push_back(b.router("r" + std::to_string(i)));
    const auto delay = [&] { return 1e3 * (1 + std::floor(spread * (random() % 1000) / 1000)); };
    for (std::uint32_t i = 1; i < kRouters; ++i)
        b.link("t" + std::to_string(i), routers[random() % i], routers[i], delay());
    for (std::uint32_t i = 0; i < kCore; ++i) {
        const std::uint32_t x = random() % kCore, y = random() % kCore;
        if (x != y) b.link("m" + std::to_string(i), routers[x], routers[y], delay());
    }
    b.link("s", NodeRowId(0), routers[3], 1e3);
    for (std::uint32_t i = 0; i < kRouters; ++i) {
        const NodeRowId host = b.host("h" + std::to_string(i), i % 3);
        b.link("a" + std::to_string(i), End{host, 0, i % 3 > 1}, End{routers[i]}, b.constant(1e3),
               i % 3 > 1 ? i % 3 : 0);
    }
    for (NodeArray& row : b.network.nodes) row.address = 0x0a000001 + (row.address - 0x0a000001) * 5;
    b.network.multipath = multipath;
    compare_with_reference(b.network, counts);
    CHECK(counts.by_columns > kRouters);
    CHECK((counts.shared > 0) == (multipath && spread < 1e3));
}

}  // namespace ANML_UNIT_FILE

// Forwarding tables on networks made by hand.
#include <catch2/catch.hpp>

#include "analysis/network_queries.h"
#include "network_builder.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

RouteTables routes_of(const Network& network)
{
    Diagnostics diagnostics;
    auto routes = compute_routes(network, diagnostics);
    for (const Diagnostic& d : diagnostics.list()) UNSCOPED_INFO(d.message);
    REQUIRE(routes);
    REQUIRE(verify_routes(network, *routes) == "");
    return *routes;
}

std::vector<std::string> path(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t to)
{
    std::vector<std::vector<PathLink>> steps;
    std::vector<std::string> names;
    if (!trace_paths(network, routes, from, to, steps)) return {"unreachable"};
    for (const std::vector<PathLink>& step : steps) {
        for (const PathLink& hop : step) names.push_back(link_name(network, hop.link));
    }
    return names;
}

bool routed(const Network& network, const RouteTables& routes, std::uint32_t from, std::uint32_t address)
{
    return !lookup_routes(network, routes, from, address).empty();
}

std::size_t table_size(const RouteTables& routes, NodeRowId row)
{
    return routes.tables[routes.table_of_row[row.value].table].ranges.count;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("the paper's chain: one range per direction for clients, by strides at the switches")
{
    Wan wan = make_wan(3, 4);
    const NetworkBuilder& b = wan.builder;
    const RouteTables routes = routes_of(b.network);
    CHECK(path(b.network, routes, b.id(wan.client[2], 3), b.id(wan.server)) ==
          Names{"net[2].edge[3]", "net[2].uplink", "hop[1]", "hop[0]", "entry"});
    CHECK(path(b.network, routes, b.id(wan.server), b.id(wan.client[2], 1)) ==
          Names{"entry", "hop[0]", "hop[1]", "net[2].uplink", "net[2].edge[1]"});
    CHECK(path(b.network, routes, b.id(wan.client[0], 0), b.id(wan.client[0], 2)) ==
          Names{"net[0].edge[0]", "net[0].edge[2]"});
    CHECK(path(b.network, routes, b.id(wan.server), b.id(wan.gateway[2])) == Names{"entry", "hop[0]", "hop[1]"});
    for (int i = 0; i < 3; ++i) CHECK(table_size(routes, wan.client[i]) == 1);
    CHECK(table_size(routes, wan.server) == 1);
    CHECK(table_size(routes, wan.lan[1]) == 3);      // below, its clients, above
    CHECK(table_size(routes, wan.gateway[1]) == 3);  // below, its lan, above
    const abi::RouteRange& down =
        routes.ranges[routes.tables[routes.table_of_row[wan.lan[1].value].table].ranges.first + 1];
    CHECK(down.hop.by_destination == 2);
    CHECK(down.last - down.first == 3);
    const abi::RouteRange& up =
        routes.ranges[routes.tables[routes.table_of_row[wan.client[1].value].table].ranges.first];
    CHECK(up.hop.by_element == 2);
}

TEST_CASE("tables do not grow with the hosts")
{
    const RouteTables small = routes_of(make_wan(32, 1).builder.network);
    const RouteTables large = routes_of(make_wan(32, 4096).builder.network);
    CHECK(small.ranges.size() == large.ranges.size());
    CHECK(small.tables.size() == large.tables.size());
}

TEST_CASE("an address that nobody has has no route, nor has one beyond a gap")
{
    NetworkBuilder b;
    const NodeRowId server = b.endpoint("server"), r = b.router("r"), a = b.host("a"), c = b.host("c");
    b.network.nodes[c.value].address += 2;
    b.link("s", r, server, 1e6);
    b.link("a", a, r, 1e6);
    b.link("c", c, r, 1e6);
    const RouteTables routes = routes_of(b.network);
    const std::uint32_t gap = b.address(a) + 1;
    for (std::uint32_t node = 0; node < b.network.node_count; ++node) {
        CHECK(!routed(b.network, routes, node, gap));
        CHECK(!routed(b.network, routes, node, b.address(c) + 1));
        CHECK(!routed(b.network, routes, node, b.address(server) - 1));
    }
}

TEST_CASE("ties go to fewer hops, then to the lowest link")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), r = b.router("r", 4), h = b.host("h");
    b.link("up", End{r, 0}, End{e}, b.constant(1e6));
    b.link("down", End{r, 2}, End{h}, b.constant(1e6));
    b.link("b", End{r, 0}, End{r, 3}, b.constant(1e6));  // lowest of the two ways round
    b.link("a", End{r, 0}, End{r, 1}, b.constant(1e6));
    b.link("c", End{r, 1}, End{r, 2}, b.constant(1e6));
    b.link("d", End{r, 3}, End{r, 2}, b.constant(1e6));
    CHECK(path(b.network, routes_of(b.network), b.id(e), b.id(h)) == Names{"up", "b", "d", "down"});
    b.link("direct", End{r, 0}, End{r, 2}, b.constant(2e6));  // as long, but one hop
    CHECK(path(b.network, routes_of(b.network), b.id(e), b.id(h)) == Names{"up", "direct", "down"});
}

TEST_CASE("of parallel links the faster is used, of equal ones the first")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), r = b.router("r");
    b.link("slow", r, e, 2e6);
    b.link("bundle", End{r}, End{e}, b.constant(1e6), 3);
    b.link("late", r, e, 1e6);
    const RouteTables routes = routes_of(b.network);
    CHECK(path(b.network, routes, b.id(e), b.id(r)) == Names{"bundle[0]"});
    CHECK(path(b.network, routes, b.id(r), b.id(e)) == Names{"bundle[0]"});
}

TEST_CASE("with multipath all links that are equally short are used, of bundles too")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), r = b.router("r", 4), h = b.host("h", 3);
    b.link("up", End{r, 0}, End{e}, b.constant(1e6));
    b.link("b", End{r, 0}, End{r, 3}, b.constant(1e6));
    b.link("a", End{r, 0}, End{r, 1}, b.constant(1e6), 2);
    b.link("c", End{r, 1}, End{r, 2}, b.constant(1e6));
    b.link("d", End{r, 3}, End{r, 2}, b.constant(1e6));
    b.link("slow", End{r, 3}, End{r, 2}, b.constant(2e6));
    b.link("x", End{h, 0, true}, End{r, 2}, b.constant(1e6), 3);  // each host has two links
    b.link("y", End{h, 0, true}, End{r, 2}, b.constant(1e6), 3);
    b.network.multipath = true;
    const RouteTables routes = routes_of(b.network);
    CHECK(path(b.network, routes, b.id(e), b.id(h, 1)) == Names{"up", "b", "a[0]", "a[1]", "c", "d", "x[1]", "y[1]"});
    CHECK(path(b.network, routes, b.id(h, 2), b.id(h, 0)) == Names{"x[2]", "y[2]", "x[0]", "y[0]"});
    std::vector<std::vector<PathLink>> steps;
    REQUIRE(trace_paths(b.network, routes, b.id(e), b.id(h, 1), steps));
    CHECK(steps[1][0].share == Approx(1.0 / 3));
    CHECK(steps[2][0].share == Approx(2.0 / 3));
    CHECK(steps[3][1].share == Approx(0.5));

    b.network.multipath = false;
    CHECK(path(b.network, routes_of(b.network), b.id(e), b.id(h, 1)) == Names{"up", "b", "d", "x[1]"});
    b.network.metric = RouteMetric::hops;
    b.link("far", End{r, 0}, End{r, 2}, b.constant(9e9));
    CHECK(path(b.network, routes_of(b.network), b.id(e), b.id(h, 1)) == Names{"up", "far", "x[1]"});
}

TEST_CASE("slices of an array have tables of their own")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), left = b.lan("left"), right = b.lan("right"), r = b.router("r"),
                    h = b.host("h", 8);
    b.link("x", End{h, 0, true}, End{left}, b.constant(1e5), 5);
    b.link("l", left, r, 1e5);
    b.link("y", End{h, 5, true}, End{right}, b.constant(1e5), 3);
    b.link("m", right, r, 1e5);
    b.link("entry", r, e, 1e6);
    const RouteTables routes = routes_of(b.network);
    CHECK(routes.table_of_row[h.value].stride == 1);
    CHECK(path(b.network, routes, b.id(h, 1), b.id(h, 6)) == Names{"x[1]", "l", "m", "y[1]"});
    CHECK(path(b.network, routes, b.id(h, 6), b.id(h, 5)) == Names{"y[1]", "y[0]"});
    CHECK(path(b.network, routes, b.id(e), b.id(h, 7)) == Names{"entry", "m", "y[2]"});
    INFO(dump_routes(b.network, routes));
    CHECK(dump_routes(b.network, routes).find("\"h[5..7]\"") != std::string::npos);
}

TEST_CASE("hosts do not forward; a workload whose client is cut off is an error")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), middle = b.host("middle"), c = b.host("c", 3);
    b.link("x", middle, e, 1e6);
    b.fan_in("y", c, middle, 1e6);
    CHECK(path(b.network, routes_of(b.network), b.id(c, 1), b.id(e)) == Names{"unreachable"});
    CHECK(path(b.network, routes_of(b.network), b.id(c, 1), b.id(middle)) == Names{"y[1]"});
    CHECK(path(b.network, routes_of(b.network), b.id(c, 1), b.id(c, 2)) == Names{"unreachable"});
    b.workload("w", {c}, e);
    Diagnostics diagnostics;
    CHECK(!compute_routes(b.network, diagnostics));
    REQUIRE(diagnostics.errors() == 1);
    CHECK(diagnostics.list()[0].diag == Diag::unreachable);
}

TEST_CASE("without endpoints only what the workloads need has routes")
{
    NetworkBuilder b;
    const NodeRowId server = b.host("server"), r = b.router("r"), used = b.host("used", 3), idle = b.host("idle", 3);
    b.link("s", r, server, 1e6);
    b.fan_in("u", used, r, 1e6);
    b.fan_in("i", idle, r, 1e6);
    b.workload("w", {used}, server);
    const RouteTables routes = routes_of(b.network);
    CHECK(routed(b.network, routes, b.id(server), b.address(used, 2)));
    CHECK(!routed(b.network, routes, b.id(server), b.address(idle, 2)));
    CHECK(!routed(b.network, routes, b.id(server), b.address(r)));
}

}  // namespace ANML_UNIT_FILE

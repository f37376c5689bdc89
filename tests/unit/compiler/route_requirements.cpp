// Requirements on paths.
#include <catch2/catch.hpp>

#include "network_builder.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

// The value of a path query, as elaboration writes it: a placeholder behind the tunables.
ValueExprId query(Network& network, PathFunction function, std::uint32_t from, std::uint32_t to)
{
    network.queries.push_back({.function = function, .from = from, .to = to, .time = 0, .span = {}});
    return network.values.tunable(static_cast<std::uint32_t>(network.tunables.size() + network.queries.size() - 1));
}

struct Outcome {
    std::optional<Requirements> result;
    Diagnostics diagnostics;
    std::string notes() const
    {
        std::string all;
        for (const std::string& note : diagnostics.list().at(0).notes) all += note + "\n";
        return all;
    }
};

Outcome resolve(const Network& network)
{
    Outcome outcome;
    const auto routes = compute_routes(network, outcome.diagnostics);
    REQUIRE(routes);
    outcome.result = resolve_requirements(network, *routes, outcome.diagnostics);
    return outcome;
}

Network wan_requiring(ValueOp op, double bound, PathFunction function = PathFunction::rtt)
{
    Wan wan = make_wan(32, 4);
    Network& network = wan.builder.network;
    const ValueExprId value = query(network, function, wan.builder.id(wan.client[31]), wan.builder.id(wan.server));
    network.requirements.push_back({network.values.make(op, value, network.values.constant(bound)), "too far", "", {}});
    return network;
}

}  // namespace

TEST_CASE("a round trip is the sum of delays both ways; what depends on a tunable stays")
{
    const Outcome outcome = resolve(wan_requiring(ValueOp::lt, 1e9));
    REQUIRE(outcome.result);
    REQUIRE(outcome.result->residual.size() == 1);
    const auto holds = [&](double d) {
        return outcome.result->values.evaluate(outcome.result->residual[0].holds, {d});
    };
    CHECK(holds(1e6) == 1);
    CHECK(holds(0.9996e9 / 64 - 1) == 1);
    CHECK(holds(0.9996e9 / 64 + 1) == 0);
}

TEST_CASE("a requirement that is false at the defaults is an error with the figure")
{
    const Outcome outcome = resolve(wan_requiring(ValueOp::lt, 64e6));
    REQUIRE(!outcome.result);
    CHECK(outcome.diagnostics.list()[0].diag == Diag::requirement_failed);
    CHECK(outcome.diagnostics.list()[0].message == "requirement failed: too far");
    CHECK(outcome.notes().find("rtt(net[31].client[0], server) is 64.4 ms") != std::string::npos);
    CHECK(outcome.notes().find("D = 1 ms") != std::string::npos);
}

TEST_CASE("a requirement that always holds is dropped, one that never does says so")
{
    const Outcome always = resolve(wan_requiring(ValueOp::lt, 65e9));
    REQUIRE(always.result);
    CHECK(always.result->residual.empty());
    const Outcome never = resolve(wan_requiring(ValueOp::lt, 1e6));
    REQUIRE(!never.result);
    CHECK(never.notes().find("whole range") != std::string::npos);
}

TEST_CASE("hops, reachable and bottleneck")
{
    CHECK(resolve(wan_requiring(ValueOp::eq, 34, PathFunction::hops)).result);
    CHECK(!resolve(wan_requiring(ValueOp::eq, 33, PathFunction::hops)).result);
    CHECK(resolve(wan_requiring(ValueOp::eq, 1, PathFunction::reachable)).result);
    CHECK(resolve(wan_requiring(ValueOp::eq, 1e9, PathFunction::bottleneck)).result);
    CHECK(resolve(wan_requiring(ValueOp::lt, 1e9, PathFunction::bottleneck)).notes().find("is 1 Gbps") !=
          std::string::npos);
}

TEST_CASE("a pair without a path has an infinite round trip")
{
    NetworkBuilder b;
    const NodeRowId a = b.router("a"), c = b.router("c"), d = b.router("d");
    b.link("ac", a, c, 1e6);
    const ValueExprId rtt = query(b.network, PathFunction::rtt, b.id(a), b.id(d));
    b.network.requirements.push_back({b.network.values.make(ValueOp::lt, rtt, b.constant(1e9)), "", "net[3]", {}});
    const Outcome outcome = resolve(b.network);
    REQUIRE(!outcome.result);
    CHECK(outcome.notes().find("no path") != std::string::npos);
    CHECK(outcome.diagnostics.list()[0].instance == "net[3]");
}

}  // namespace ANML_UNIT_FILE

// What bounds the memory and the time of routes.
#include <catch2/catch.hpp>

#include "analysis/timeline/epochs.h"
#include "network_builder.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

// Routers in a circle.
NetworkBuilder ring(std::uint32_t routers)
{
    NetworkBuilder b;
    const NodeRowId row = b.router("r", routers);
    b.link("hop", End{row, 0, true}, End{row, 1, true}, b.constant(1), routers - 1);
    b.link("last", End{row, routers - 1}, End{row, 0}, b.constant(1));
    return b;
}

TimelineInfo change(std::vector<LinkSlice> links, std::vector<TargetRange> nodes, ValueExprId time, ValueExprId value)
{
    TimelineInfo t;
    t.attribute = abi::TimelineAttribute::up;
    t.form = abi::TimelineForm::once;
    t.links = std::move(links);
    t.nodes = std::move(nodes);
    t.first = t.last = t.step = time;
    t.value = t.value_to = value;
    return t;
}

}  // namespace

TEST_CASE("routes that take too much memory are an error before they are computed")
{
    Diagnostics diagnostics;
    CHECK(!compute_routes(ring(200'000).network, diagnostics, RouteScope::everywhere));
    REQUIRE(diagnostics.list().size() == 1);
    CHECK(diagnostics.list()[0].diag == Diag::network_too_large);
    CHECK(diagnostics.list()[0].message ==
          "routes from 200000 nodes to 200000 destinations take 9.3 GiB of memory, more than 8.0 GiB");
}

TEST_CASE("an epoch has what weighs otherwise than before")
{
    NetworkBuilder b = ring(5);
    Network& n = b.network;
    const auto at = [&](double ns) { return n.values.constant(ns); };
    const ValueExprId down = at(0), up = at(1);
    const LinkSlice hops_down{LinkRowId{0}, 1, 2}, all_hops{LinkRowId{0}, 0, 4}, last{LinkRowId{1}, 0, 1};
    const TargetRange routers{NodeRowId{0}, 0, 2};
    n.timeline.push_back(change({hops_down}, {}, at(10), down));
    n.timeline.push_back(change({hops_down}, {}, at(20), down));  // again
    n.timeline.push_back(change({}, {routers}, at(30), down));
    n.timeline.push_back(change({}, {routers}, at(40), up));
    n.timeline.push_back(change({all_hops, last}, {}, at(50), up));
    const RowGraph graph(n);
    const RoutingDomains domains(n, graph);
    const EdgeWeights first = edge_weights(n, graph, domains, {});
    Diagnostics diagnostics;
    const auto epochs = plan_epochs(n, graph, domains, first, diagnostics);
    REQUIRE(epochs);
    REQUIRE(epochs->size() == 4);
    const std::size_t expected[] = {4, 8, 4, 0};  // directions that are down
    EdgeWeights weights = first;
    for (std::size_t i = 0; i < 4; ++i) {
        change_weights(weights, (*epochs)[i].changes);
        std::size_t count = 0;
        for (std::size_t e = 0; e < weights.size(); ++e) count += weights[e] == kDown;
        CHECK(count == expected[i]);
    }
    CHECK((*epochs)[0].time == 10);
    CHECK((*epochs)[1].time == 30);
    CHECK((*epochs)[3].time == 50);
}

}  // namespace ANML_UNIT_FILE

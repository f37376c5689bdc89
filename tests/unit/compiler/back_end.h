// The stages behind elaboration in one call, for tests that start from a network made by hand.
#pragma once

#include <catch2/catch.hpp>

#include "codegen/codegen.h"
#include "partition/partition.h"
#include "plan/plan.h"
#include "route/route.h"

namespace anml::test {

inline Plan plan_of(const Network& network)
{
    REQUIRE(verify_network(network) == "");
    Diagnostics diagnostics;
    const SourceSet sources;
    const auto routes = compute_routes(network, diagnostics);
    for (const Diagnostic& d : diagnostics.list()) UNSCOPED_INFO(d.message);
    REQUIRE(routes);
    const auto requirements = resolve_requirements(network, *routes, diagnostics);
    for (const Diagnostic& d : diagnostics.list()) UNSCOPED_INFO(d.message);
    REQUIRE(requirements);
    const TaskGraph tasks = partition(network, *routes);
    REQUIRE(verify_tasks(network, tasks) == "");
    Plan plan = make_plan({sources, network, *routes, *requirements, tasks});
    REQUIRE(verify_plan(plan) == "");
    return plan;
}

}  // namespace anml::test

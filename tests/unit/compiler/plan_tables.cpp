// The plan of networks made by hand.
#include "back_end.h"
#include "network_builder.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

TEST_CASE("a plan does not grow with the hosts")
{
    const Plan small = plan_of(make_wan(32, 1).builder.network), large = plan_of(make_wan(32, 4096).builder.network);
    CHECK(large.header.nodes > 32 * 4096);
    CHECK(small.strings.size() == large.strings.size());
    CHECK(small.node_rows.size() == large.node_rows.size());
    CHECK(small.link_rows.size() == large.link_rows.size());
    CHECK(small.tables.size() == large.tables.size());
    CHECK(small.ranges.size() == large.ranges.size());
    CHECK(small.targets.size() == large.targets.size());
    CHECK(small.values.size() == large.values.size());
}

TEST_CASE("equal expressions share a value, equal strings a place")
{
    const Plan plan = plan_of(make_wan(8, 2).builder.network);
    CHECK(plan.values.size() < 16);
    CHECK(plan.strings[0] == '\0');
    CHECK(plan.strings.c_str() + plan.node_rows[1].name == std::string("net[0].gateway"));
    CHECK(plan.link_rows[0].rate[0] == plan.link_rows[5].rate[1]);
    CHECK(plan.expressions.node(plan.values[plan.link_rows.back().delay[0]]).op == ValueOp::tunable);
}

TEST_CASE("the verifier of plans sees what is broken")
{
    const Plan good = plan_of(make_wan(2, 3).builder.network);
    const auto breaks = [&](auto change) {
        Plan plan = good;
        change(plan);
        return verify_plan(plan) != "";
    };
    CHECK(breaks([](Plan& p) { p.node_rows[1].first_node += 1; }));
    CHECK(breaks([](Plan& p) { p.node_rows[1].address = p.node_rows[0].address; }));
    CHECK(breaks([](Plan& p) { p.link_rows[0].node[1] = p.header.nodes; }));
    CHECK(breaks([](Plan& p) { p.link_rows[0].mtu = 1000; }));
    CHECK(breaks([](Plan& p) { p.ranges[0].hop.link = p.header.directed_links; }));
    CHECK(breaks([](Plan& p) { p.ranges[0].last = p.ranges[0].first - 1; }));
    CHECK(breaks([](Plan& p) { p.tables.pop_back(); }));
    CHECK(breaks([](Plan& p) { p.workloads[0].targets.count += 100; }));
    CHECK(breaks([](Plan& p) { p.strings.back() = 'x'; }));
    CHECK(breaks([](Plan& p) { p.parameters[0].tunable = abi::kNone; }));
    CHECK(breaks([](Plan& p) { p.header.range_count += 1; }));
    CHECK(breaks([](Plan& p) { p.header.task_count += 1; }));
    CHECK(breaks([](Plan& p) { p.header.trace_count += 1; }));
    CHECK(breaks([](Plan& p) { p.header.opportunity_count += 1; }));
    CHECK(breaks([](Plan& p) { p.task_rows.back().count -= 1; }));
    CHECK(breaks([](Plan& p) { p.task_rows[0].task = p.header.task_count; }));
}

TEST_CASE("the dump of a plan shows expressions by their tunables' names")
{
    const std::string text = dump_plan(plan_of(make_wan(2, 3).builder.network));
    CHECK(text.find("\"values\": [") != std::string::npos);
    CHECK(text.find("\"D\"") != std::string::npos);
}

}  // namespace ANML_UNIT_FILE

// Expressions that are deep, and expressions whose parts are shared: neither may cost more than their nodes do.
#include "base/values/value_walk.h"

#include <catch2/catch.hpp>

#include "analysis/routes/affine_delay.h"
#include "base/values/sample_tree.h"
#include "network_builder.h"
#include "plan/value_table.h"
#include "route/route.h"
#include "../tier.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

constexpr int kDeep = anml::testing::kSanitized ? 100'000 : 250'000;

// x + 1 + 2 + ... , each sum the left operand of the next.
ValueExprId deep_sum(ValuePool& pool, ValueExprId x)
{
    for (int i = 1; i < kDeep; ++i) x = pool.make(ValueOp::add, x, pool.constant(i));
    return x;
}

// The function of the value before, again and again.
template <class Function>
ValueExprId repeated(ValueExprId x, int times, const Function& function)
{
    for (int i = 0; i < times; ++i) x = function(x);
    return x;
}

}  // namespace

TEST_CASE("parts come before what they are parts of, the left ones first, each once")
{
    ValuePool pool;
    const ValueExprId a = pool.tunable(0), b = pool.tunable(1);
    const ValueExprId sum = pool.make(ValueOp::add, a, b), square = pool.make(ValueOp::mul, sum, sum);
    const ValueExprId root = pool.make(ValueOp::sub, square, a);
    std::vector<ValueExprId> seen;
    const auto known = [&](ValueExprId id) { return std::find(seen.begin(), seen.end(), id) != seen.end(); };
    visit_operands_first(pool, root, known, [&](ValueExprId id) { seen.push_back(id); });
    CHECK(seen == std::vector{a, b, sum, square, root});
}

TEST_CASE("an expression may be as deep as memory has room")
{
    ValuePool pool;
    const ValueExprId root = deep_sum(pool, pool.tunable(0));
    const double sum = double(kDeep) * (kDeep - 1) / 2;
    CHECK(pool.evaluate(root, {0.5}) == sum + 0.5);
    CHECK(pool.bounds(root, {{0, 2}}).high == sum + 2);
    ValueTable table(pool);
    const abi::ValueId id = table.add(root);
    CHECK(table.take_expressions().evaluate(table.take_values()[id], {0.5}) == sum + 0.5);
    ValuePool draws;
    CHECK(mentions(draws, deep_sum(draws, draws.unit())) == kTooManyMentions);
}

TEST_CASE("a requirement may be deep, and a delay in the timeline")
{
    NetworkBuilder b;
    const NodeRowId x = b.router("x"), y = b.router("y");
    const std::uint32_t t = b.tunable("t", dimension::time, 1, 1, 2);
    b.link("l", x, y, 5);
    ValuePool& pool = b.network.values;
    const ValueExprId root = deep_sum(pool, b.tunable_value(t));
    b.network.requirements.push_back({pool.make(ValueOp::lt, root, pool.constant(1e30)), "", "", {}});
    b.network.requirements.push_back({pool.make(ValueOp::gt, root, pool.constant(5e11)), "", "", {}});
    AffineForms forms(b.network);
    CHECK(forms.of(root).terms.size() == 1);
    Diagnostics diagnostics;
    const auto routes = compute_routes(b.network, diagnostics, RouteScope::everywhere);
    REQUIRE(routes);
    const auto requirements = resolve_requirements(b.network, *routes, diagnostics);
    CHECK(!requirements);  // the second one fails
    CHECK(diagnostics.list().size() == 1);
}

TEST_CASE("squares of squares of a tunable in a requirement are as many nodes as squares")
{
    NetworkBuilder b;
    b.link("l", b.router("x"), b.router("y"), 5);
    const std::uint32_t t = b.tunable("t", dimension::none, 0.5, 0, 0.9);
    ValuePool& pool = b.network.values;
    const ValueExprId root =
        repeated(b.tunable_value(t), 200, [&](ValueExprId x) { return pool.make(ValueOp::mul, x, x); });
    b.network.requirements.push_back({pool.make(ValueOp::lt, root, pool.constant(0.5)), "", "", {}});
    Diagnostics diagnostics;
    const auto routes = compute_routes(b.network, diagnostics, RouteScope::everywhere);
    REQUIRE(routes);
    CHECK(resolve_requirements(b.network, *routes, diagnostics));
}

TEST_CASE("processes that draw from the two before them are bounded in as many steps as there are processes")
{
    ValuePool pool;
    std::vector<ValueExprId> drawn{pool.unit(), pool.unit()};
    for (int i = 0; i < 200; ++i) {
        const std::uint32_t process = pool.declare_process();
        const ValueExprId sum = pool.make(ValueOp::add, drawn[drawn.size() - 1], drawn[drawn.size() - 2]);
        RandomProcess definition;
        definition.yield = pool.make(ValueOp::mul, pool.constant(0.5), sum);
        drawn.push_back(pool.define_process(process, std::move(definition)));
    }
    const ValuePool::Interval bounds = pool.bounds(drawn.back(), {});
    CHECK(bounds.low == 0);
    CHECK(bounds.high == 1);
    CHECK(mentions(pool, drawn.back()) == kTooManyMentions);
}

}  // namespace ANML_UNIT_FILE

// Which networks' routes depend on a tunable.
#include <catch2/catch.hpp>

#include "network_builder.h"
#include "route/route.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::test;

namespace {

struct Result {
    bool ok;
    Diagnostics diagnostics;
};

Result compute(const Network& network)
{
    Result result{false, {}};
    result.ok = compute_routes(network, result.diagnostics).has_value();
    return result;
}

struct Ring {
    NetworkBuilder b;
    NodeRowId e, r;
    std::uint32_t d;
    Ring()
    {
        d = b.tunable("D", dimension::time, 1e6, 1e5, 1e9);
        e = b.endpoint("e");
        r = b.router("r", 5);
        b.link("entry", End{r}, End{e}, b.tunable_value(d));
    }
    void close(ValueExprId (*delay)(NetworkBuilder&, std::uint32_t tunable, std::uint32_t i))
    {
        for (std::uint32_t i = 0; i < 5; ++i) {
            b.link("ring" + std::to_string(i), End{r, i}, End{r, (i + 1) % 5}, delay(b, d, i));
        }
    }
};

}  // namespace

TEST_CASE("chains and trees never depend on a tunable") { CHECK(compute(make_wan(8, 4).builder.network).ok); }

TEST_CASE("a ring whose delays scale together does not depend on their tunable")
{
    Ring ring;
    ring.close([](NetworkBuilder& b, std::uint32_t t, std::uint32_t) { return b.tunable_value(t); });
    CHECK(compute(ring.b.network).ok);
}

TEST_CASE("nor does one whose delays are all the same expression, whatever it is")
{
    Ring ring;
    ring.close([](NetworkBuilder& b, std::uint32_t t, std::uint32_t) {
        return b.network.values.make(ValueOp::max, b.tunable_value(t), b.constant(2e6));
    });
    CHECK(compute(ring.b.network).ok);
}

TEST_CASE("a ring with one tunable link depends on it")
{
    Ring ring;
    ring.close([](NetworkBuilder& b, std::uint32_t t, std::uint32_t i) {
        return i == 0 ? b.tunable_value(t) : b.constant(1e6);
    });
    const Result result = compute(ring.b.network);
    REQUIRE(!result.ok);
    REQUIRE(result.diagnostics.errors() == 1);
    const Diagnostic& d = result.diagnostics.list()[0];
    CHECK(d.diag == Diag::route_depends_on_tunable);
    CHECK(d.message.find("`D`") != std::string::npos);
    CHECK(d.message.find("`ring0`") != std::string::npos);
    INFO(d.notes[0]);
    CHECK(d.notes[0].find("D = 1 s") != std::string::npos);
}

TEST_CASE("a backup path that is longer over the whole range is fine")
{
    Ring ring;
    ring.close([](NetworkBuilder& b, std::uint32_t t, std::uint32_t i) {
        return i == 4 ? b.tunable_value(t) : b.constant(i == 0 ? 5e9 : 1e3);
    });
    CHECK(compute(ring.b.network).ok);
}

TEST_CASE("a tunable that cannot move is a constant")
{
    Ring ring;
    ring.b.network.tunables[ring.d].minimum = ring.b.network.tunables[ring.d].maximum = 1e6;
    ring.close([](NetworkBuilder& b, std::uint32_t t, std::uint32_t i) {
        return i == 0 ? b.tunable_value(t) : b.constant(1e6);
    });
    CHECK(compute(ring.b.network).ok);
}

TEST_CASE("an array with two uplinks per element is a choice")
{
    NetworkBuilder b;
    const std::uint32_t t = b.tunable("D", dimension::time, 1e6, 1e5, 1e9);
    const NodeRowId e = b.endpoint("e"), x = b.router("x"), y = b.router("y"), h = b.host("h", 4);
    b.link("ex", x, e, 1e6);
    b.link("xy", y, x, 1e6);
    b.link("hx", End{h, 0, true}, End{x}, b.tunable_value(t), 4);
    b.link("hy", End{h, 0, true}, End{y}, b.constant(1e6), 4);
    CHECK(!compute(b.network).ok);
}

TEST_CASE("independent parts are judged on their own, however many tunables there are")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e");
    NodeRowId at = e;
    for (int i = 0; i < 20; ++i) {
        const std::uint32_t t = b.tunable("T" + std::to_string(i), dimension::time, 1e6, 1e5, 1e9);
        const NodeRowId next = b.router("r" + std::to_string(i)), side = b.router("s" + std::to_string(i));
        b.link("direct" + std::to_string(i), End{at}, End{next}, b.tunable_value(t));
        b.link("in" + std::to_string(i), End{at}, End{side}, b.tunable_value(t));
        b.link("out" + std::to_string(i), End{side}, End{next}, b.tunable_value(t));
        at = next;
    }
    CHECK(compute(b.network).ok);
}

TEST_CASE("too many independent delays on one ring cannot be decided, which is an error of its own wording")
{
    NetworkBuilder b;
    const NodeRowId e = b.endpoint("e"), r = b.router("r", 9);
    b.link("entry", r, e, 1e6);
    for (std::uint32_t i = 0; i < 9; ++i) {
        const std::uint32_t t = b.tunable("T" + std::to_string(i), dimension::time, 1e6, 9e5, 1.1e6);
        b.link("ring" + std::to_string(i), End{r, i}, End{r, (i + 1) % 9}, b.tunable_value(t));
    }
    const Result result = compute(b.network);
    REQUIRE(!result.ok);
    REQUIRE(result.diagnostics.errors() == 1);
    CHECK(result.diagnostics.list()[0].message.find("cannot show that no route depends on tunables `T0`") == 0);
}

}  // namespace ANML_UNIT_FILE

// Dynamic thresholds of a buffer that ports share, without a network around it.
#include "net/link/shared_buffers.h"

#include <catch2/catch.hpp>

#include "middlebox_world.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

namespace {

// The gateway of a chain has a buffer.
struct World {
    World(double capacity, double alpha)
    {
        const std::uint32_t record =
            records.record(abi::record::buffer{.capacity = records.value(capacity), .alpha = records.value(alpha)});
        records.done();
        rows.assign(records.image.node_rows, records.image.node_rows + records.image.node_row_count);
        const NodeId gateway = records.built.gateway(0);
        for (abi::NodeRow& row : rows)
            if (row.first_node == gateway) row.buffer = record;
        records.image.node_rows = rows.data();
        model.emplace(records.image, records.values);
        buffers.emplace(*model);
        for (LinkId link = 0; link < records.image.directed_links; ++link) {
            const bool leaves = model->near_end(link) == gateway;
            CHECK(buffers->begin(link) == leaves);
            CHECK(buffers->shared(link) == leaves);
            if (leaves) ports.push_back(link);
        }
    }
    bool take(std::size_t port, std::uint32_t bytes, Time now)
    {
        if (!buffers->take(ports[port], bytes, now, window)) return false;
        buffers->keep(ports[port], now, window);
        return true;
    }
    std::uint64_t highest() const { return buffers->counters(window).at(0).highest_bytes; }
    std::uint64_t dropped() const { return buffers->counters(window).at(0).dropped; }

    test::RecordImage records;
    std::vector<abi::NodeRow> rows;
    std::optional<Model> model;
    std::optional<SharedBuffers> buffers;
    std::vector<LinkId> ports;
    NetCounters window{.begin = 0, .end = kNever, .dropped = {}};
};

}  // namespace

TEST_CASE("each of the ports that fill a buffer has alpha / (1 + M alpha) of it", "[buffer]")
{
    for (const double alpha : {0.25, 1.0, 4.0}) {
        const std::size_t ports = World(100'000, alpha).ports.size();
        REQUIRE(ports >= 2);
        for (std::size_t active = 1; active <= ports; ++active) {
            World fresh(100'000, alpha);
            std::vector<std::uint64_t> taken(active);
            for (bool any = true; any;) {
                any = false;
                for (std::size_t port = 0; port < active; ++port)
                    if (fresh.take(port, 100, 0)) {
                        taken[port] += 100;
                        any = true;
                    }
            }
            const double share = alpha * 100'000 / (1 + alpha * static_cast<double>(active));
            std::uint64_t together = 0;
            for (const std::uint64_t bytes : taken) {
                CHECK(static_cast<double>(bytes) == Approx(share).margin(101));
                together += bytes;
            }
            CHECK(fresh.highest() == together);
            CHECK(fresh.dropped() >= active);
        }
    }
}

TEST_CASE("a packet has its room until its transmission has ended", "[buffer]")
{
    World world(1000, 1000);
    CHECK(world.take(0, 600, 0));
    CHECK_FALSE(world.take(1, 600, 0));
    CHECK(world.take(1, 400, 0));
    world.buffers->leave(world.ports[0], 600, 50);
    CHECK_FALSE(world.take(1, 600, 49));
    CHECK(world.take(1, 600, 50));
    CHECK(world.highest() == 1000);

    // At half the rate the second port takes twice as long from 60 on; what it had given up it has no more.
    world.buffers->leave(world.ports[1], 400, 100);
    world.buffers->move(world.ports[1], 60, [](Time at) { return 60 + 2 * (at - 60); });
    world.buffers->move(world.ports[0], 60, [](Time) { return Time{0}; });
    CHECK_FALSE(world.take(0, 400, 139));
    CHECK(world.take(0, 400, 140));
    world.buffers->give_back(world.ports[0], 400);
    CHECK(world.take(0, 400, 140));

    // A failure takes what its port had, whether it was to leave or not.
    world.buffers->leave(world.ports[0], 400, 1000);
    world.buffers->clear(world.ports[1]);
    CHECK(world.take(1, 600, 141));
    CHECK_FALSE(world.take(1, 1, 141));
    world.buffers->clear(world.ports[0]);
    CHECK(world.take(1, 400, 142));
    CHECK(world.dropped() == 4);
}

TEST_CASE("the most that is in a buffer counts in the measured window, what was there at its beginning too", "[buffer]")
{
    World world(1000, 1000);
    world.window = {.begin = 100, .end = 200, .dropped = {}};
    CHECK(world.take(0, 900, 0));
    world.buffers->leave(world.ports[0], 500, 50);
    CHECK(world.highest() == 400);  // nothing came since
    world.buffers->leave(world.ports[0], 400, 150);
    CHECK(world.highest() == 400);
    CHECK(world.take(0, 100, 160));
    CHECK(world.highest() == 400);
    CHECK(world.take(0, 500, 160));
    CHECK(world.highest() == 600);
    CHECK(world.take(0, 300, 200));
    CHECK(world.highest() == 600);
    CHECK_FALSE(world.take(0, 300, 201));
    CHECK(world.dropped() == 0);
}

}  // namespace ANML_UNIT_FILE

// The event loop asks for memory while its pools grow, and then no more.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "app/http/html_attribute.h"
#include "app/http/json_pointer.h"
#include "common/regular_expression.h"
#include "image_builder.h"
#include "net/crossing.h"
#include "simulator/simulator.h"
#include "simulator/statistics.h"

using namespace anml;
using namespace anml::rt;

namespace {

thread_local std::uint64_t allocations = 0;

}  // namespace

// Sanitizers bring functions of their own, of which there can be no second: under them nothing is counted.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
void* operator new(std::size_t bytes)
{
    ++allocations;
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

TEST_CASE("a pool grows seldom, and not by what it gets back", "[memory]")
{
    constexpr std::uint32_t kMany = 100'000;
    Pool<Packet> pool;
    const std::uint64_t before = allocations;
    for (std::uint32_t i = 0; i < kMany; ++i) REQUIRE(pool.allocate() == i);
    CHECK(allocations - before < 40);
    CHECK(pool.in_use() == kMany);
    const std::uint64_t grown = allocations;
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t i = 0; i < kMany; ++i) pool.release(i);
        CHECK(pool.in_use() == 0);
        for (std::uint32_t i = 0; i < kMany; ++i) pool.allocate();
    }
    CHECK(allocations == grown);
}

TEST_CASE("looking at a response allocates nothing", "[memory]")
{
    const std::string page = std::string(5000, ' ') + R"(<input name=csrf value="a&amp;b"> id=123, {"a/b": {"c": ["x", "\u00e9y"]}})";
    const std::string_view json = std::string_view(page).substr(page.find('{'));
    RegularExpression expression("/id=(\\d+|x*)+/", 1);
    std::string room(100, ' ');
    const std::uint64_t before = allocations;
    const bool same_number = expression.find(page) == "123";
    const auto field = app::http::html_value(page, {"input", "value", "name", "csrf"}, room);
    const bool same_field = field == "a&b";
    const bool same_value = app::http::json_value(json, "/a~1b/c/1", room) == "\xc3\xa9y";
    const std::uint64_t after = allocations;
    CHECK(same_number);
    CHECK(same_field);
    CHECK(same_value);
    CHECK(after == before);
}

TEST_CASE("packets with bytes cross between tasks without a copy of their own", "[memory]")
{
    BufferPool from, to;
    std::vector<std::uint8_t> bytes(96);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i + 1);
    Packet packet;
    packet.buffer = from.store(bytes);
    to.release(to.store(bytes));
    bool held_back = false;
    auto outbox = std::make_unique<Outbox>(held_back);
    const std::uint64_t before = allocations;
    std::size_t arrived = 0;
    for (std::uint32_t i = 0; i < 3 * Outbox::kRoom; ++i) {
        outbox->send({i, 1, i, 0, 0}, packet, from);
        outbox->channel.advance(i + 1);
        outbox->drain([&](const Crossing& crossing, std::span<const std::uint8_t> got) {
            CHECK(crossing.sequence == i);
            REQUIRE(std::equal(got.begin(), got.end(), bytes.begin(), bytes.end()));
            to.release(to.store(got));
            ++arrived;
        });
    }
    CHECK(arrived == 3 * Outbox::kRoom);
    CHECK(allocations == before);
    CHECK_FALSE(held_back);

    // Those that find no room wait with their bytes.
    for (std::uint32_t i = 0; i < Outbox::kRoom + 10; ++i) outbox->send({i, 1, i, 0, 0}, packet, from);
    CHECK(held_back);
    CHECK_FALSE(outbox->flush());
    CHECK(outbox->earliest_waiting() == Outbox::kRoom);
    for (std::uint32_t next = 0; next < Outbox::kRoom + 10; outbox->flush()) {
        outbox->channel.advance(10 * Outbox::kRoom + next);
        outbox->drain([&](const Crossing& crossing, std::span<const std::uint8_t> got) {
            CHECK(crossing.sequence == next++);
            REQUIRE(std::equal(got.begin(), got.end(), bytes.begin(), bytes.end()));
        });
    }
}

TEST_CASE("a run in its steady state asks for no memory", "[memory]")
{
    test::Chain chain;
    chain.routers = 3;
    chain.hosts = 4;
    chain.documents = {1024, 20000};
    chain.think = {abi::DistributionKind::exponential, 5e6, 0};
    test::ChainModel built(chain);
    const Model model = built.model();
    Simulator simulator(model, 1);
    simulator.start_workloads(0, 0, 60 * kSecond);
    simulator.run_until(30 * kSecond);
    const std::uint64_t before = allocations;
    simulator.run_until(60 * kSecond);
    CHECK(allocations - before == 0);
    CHECK(simulator.statistics().workloads[0].completed > 10'000);
}

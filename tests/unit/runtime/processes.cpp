// What the processes of a live run agree on: the time, and who simulates what.
#include "processes/tcp_ranks.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <thread>

#include "image_builder.h"
#include "kernel/post.h"
#include "net/timeline/timeline.h"
#include "processes/clock_agreement.h"
#include "processes/connection.h"
#include "report/live/live_bytes.h"
#include "simulator/divide.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using anml::test::Chain;
using anml::test::ChainModel;
using processes::ClockAgreement;

TEST_CASE("bounds of another clock hold the truth, whatever the ways take", "[ranks]")
{
    std::mt19937 random(3);
    for (const double rate : {0.0, 90e-6, -90e-6}) {
        ClockAgreement agreement;
        Time offset = 123'456'789'000, worst = 0;
        Time now = 0;
        for (int i = 0; i < 3000; ++i) {
            now += 40 * kMillisecond;
            offset += static_cast<Time>(rate * 40e6);
            // One way usually takes longer than the other, and now and then either takes very long.
            const Time there = 60'000 + random() % 20'000 + (random() % 50 == 0 ? 5'000'000 : 0);
            const Time back = 150'000 + random() % 20'000 + (random() % 50 == 0 ? 5'000'000 : 0);
            agreement.observe(now, now + there + offset, now + there + back);
            now += there + back;
            const Time apart = std::abs(agreement.ahead() - offset);
            REQUIRE(agreement.error(now) >= std::abs(offset));
            if (i > 10) worst = std::max(worst, apart);
            if (i == 100) {  // it is set, and follows from then on
                const Time by = agreement.ahead();
                agreement.shift(by);
                offset -= by;
                now += by;
            }
        }
        CHECK(agreement.steps() == 0);
        CHECK(agreement.round_trip() >= 210'000);
        CHECK(agreement.round_trip() < 220'000);
        CHECK(worst < 130'000);  // half of a round trip, and a little of drift
    }
}

TEST_CASE("a clock that jumps contradicts its bounds once", "[ranks]")
{
    ClockAgreement agreement;
    for (Time t = kSecond; t < 2 * kSecond; t += 40 * kMillisecond) agreement.observe(t, t + 50'000, t + 100'000);
    CHECK(agreement.steps() == 0);
    CHECK(agreement.error(2 * kSecond) < 80'000);
    for (Time t = 2 * kSecond; t < 3 * kSecond; t += 40 * kMillisecond)
        agreement.observe(t, t + 50'000 + kSecond, t + 100'000);
    CHECK(agreement.steps() == 1);
    CHECK(std::abs(agreement.ahead() - kSecond) < 60'000);
    CHECK(agreement.error(3 * kSecond) > kSecond - 60'000);
}

namespace {

Parts divided(const Model& model, std::vector<std::pair<NodeId, std::uint32_t>> owned, std::uint32_t processes)
{
    Parts parts;
    std::string error;
    INFO(error);
    REQUIRE(divide_between(model, Timeline(model), owned, processes, parts, error));
    return parts;
}

}  // namespace

// Of all ways to divide a chain between two, cutting its slowest link is best; and of random ones too.
TEST_CASE("a model is cut where links are slowest", "[ranks]")
{
    Chain chain;
    chain.routers = 4;
    chain.hosts = 2;
    const ChainModel built(chain);
    const Model model = built.model();
    const abi::Image& image = model.image();
    const Timeline timeline(model);
    std::mt19937 random(9);
    for (int i = 0; i < 50; ++i) {
        const NodeId a = random() % image.nodes, b = random() % image.nodes;
        if (a == b) continue;
        const Parts parts = divided(model, {{a, 0}, {b, 1}}, 2);
        std::uint32_t covered = 0;
        for (const abi::TaskRow& row : parts.rows) {
            REQUIRE(row.first_node == covered);
            covered += row.count;
            REQUIRE(row.task < 2);
        }
        REQUIRE(covered == image.nodes);
        REQUIRE(parts.borders.size() == 1);
        // The widest way from a to b by its fastest link: no division cuts only slower ones.
        std::vector<Time> best(image.nodes, -1);
        best[a] = kNever;
        for (bool changed = true; changed;) {
            changed = false;
            for (std::uint32_t r = 0; r < image.link_row_count; ++r) {
                const abi::LinkRow& row = image.link_rows[r];
                const Time delay = std::min(timeline.bounds(r, 0).delay, timeline.bounds(r, 1).delay);
                for (std::uint32_t e = 0; e < row.count; ++e) {
                    NodeId ends[2] = {row.node[0] + e * row.stride[0], row.node[1] + e * row.stride[1]};
                    for (int side = 0; side < 2; ++side) {
                        // The greatest of the ways' least... of a cut: every way is cut at one of its links.
                        const Time here = best[ends[side]];
                        if (here < 0) continue;
                        const Time there = here == kNever ? delay : std::max(here, delay);
                        Time& known = best[ends[1 - side]];
                        if (ends[1 - side] != a && (known < 0 || there < known)) {
                            known = there;
                            changed = true;
                        }
                    }
                }
            }
        }
        CHECK(parts.borders[0].delay == best[b]);
    }
    Parts parts;
    std::string error;
    CHECK(!divide_between(model, timeline, std::vector<std::pair<NodeId, std::uint32_t>>{{1, 0}, {1, 1}}, 2, parts,
                          error));
    CHECK(error.find("belongs to two processes") != std::string::npos);
}

TEST_CASE("reports of processes join", "[ranks]")
{
    LiveReport a, b;
    for (int i = 0; i < 100; ++i) {
        a.counters.left(1000 * i, 10'000'000 * i);
        b.counters.left(3000 * i, 10'000'000 * i);
        b.counters.entered(10);
    }
    for (LiveReport* report : {&a, &b}) {
        report->counters.end_second(true, true);
        report->busy = report == &a ? 0.25 : 0.5;
        report->processes.emplace_back().nodes = 3;
        report->malformed = 2;
    }
    b.broken = "gone";
    b.endpoints.push_back({1, {}, {"if", std::nullopt}});
    LiveReport whole = a;
    const std::vector<std::uint8_t> bytes = write_live(b);
    for (std::size_t size = 0; size < bytes.size(); size += size < 400 ? 1 : 61)
        CHECK_FALSE(read_live(std::span(bytes).first(size)));
    join(whole, read_live(bytes).value());
    CHECK(whole.counters.all().released == 200);
    CHECK(whole.counters.all().received == 100);
    CHECK(whole.counters.seconds().at(0).slip_max == 297'000);
    CHECK(whole.counters.slip().count() == 200);
    CHECK(whole.busy == 0.5);
    CHECK(whole.malformed == 4);
    CHECK(whole.processes.size() == 2);
    CHECK(whole.endpoints.at(0).device.kind == "if");
    CHECK(whole.broken == "gone");
}

// Between the end of the run and the results.
TEST_CASE("process 0 does without what another one had counted that goes, or stalls", "[ranks]")
{
    const bool goes = GENERATE(true, false);
    std::array<int, 2> ends{};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    std::vector<processes::Connection> connections(3);
    connections[1] = processes::Connection(io::Descriptor(ends[0]));
    std::array<int, 2> third{};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, third.data()) == 0);
    connections[2] = processes::Connection(io::Descriptor(third[0]));
    processes::TcpRanks ranks(0, std::move(connections));
    ranks.patience = 300 * kMillisecond;
    cct::Post post(ranks);
    std::vector<processes::Connection> of_third(3);
    of_third[0] = processes::Connection(io::Descriptor(third[1]));
    std::thread other([&] {
        processes::TcpRanks there(2, std::move(of_third));
        cct::Post post_there(there);
        post_there.gather({7});
        std::this_thread::sleep_for(std::chrono::seconds(1));
    });
    if (goes) close(ends[1]);
    const auto parts = post.gather({1, 2, 3});
    CHECK(parts == std::vector<std::vector<std::uint8_t>>{{1, 2, 3}, {}, {7}});
    CHECK(ranks.gone().empty() != goes);
    other.join();
    if (!goes) close(ends[1]);
}

TEST_CASE("places", "[ranks]")
{
    CHECK(processes::parse_socket_address("10.0.0.1:7000")->port == "7000");
    CHECK(processes::parse_socket_address("[fd00::1]:7000")->host == "fd00::1");
    CHECK(processes::parse_socket_address("host.example:1")->shown() == "host.example:1");
    for (const char* wrong :
         {"", ":7000", "10.0.0.1", "10.0.0.1:", "10.0.0.1:x", "fd00::1:7000", "a:0", "a:65536", "a:123456"})
        CHECK(!processes::parse_socket_address(wrong));
}

}  // namespace ANML_UNIT_FILE

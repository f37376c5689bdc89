// The event queue, drop-tail and the random streams.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <set>

#include "common/sampling.h"
#include "image_builder.h"
#include "kernel/event_queue.h"
#include "net/link/droptail.h"
#include "net/samples.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;

TEST_CASE("events come out by time, stream and sequence, whatever the order they went in", "[kernel]")
{
    std::mt19937 generator(1);
    EventQueue queue;
    std::vector<Event> pending;
    auto by_order = [](const Event& a, const Event& b) { return earlier(a, b); };
    for (std::uint32_t i = 0; i < 20000; ++i) {
        if (pending.empty() || generator() % 5 < 3) {
            Event event{static_cast<Time>(generator() % 50), static_cast<StreamId>(generator() % 4), 0xfffffff0u + i, i,
                        0};
            pending.push_back(event);
            queue.push(event);
        } else {
            auto least = std::min_element(pending.begin(), pending.end(), by_order);
            REQUIRE(queue.next_time() == least->time);
            Event event;
            REQUIRE_FALSE(queue.pop(least->time - 1, event));
            REQUIRE(queue.pop(least->time, event));
            REQUIRE(event.payload == least->payload);
            pending.erase(least);
        }
        REQUIRE(queue.size() == pending.size());
    }
    Event event;
    for (std::sort(pending.begin(), pending.end(), by_order); const Event& expected : pending) {
        REQUIRE(queue.pop(kNever, event));
        REQUIRE(event.payload == expected.payload);
    }
    CHECK(queue.next_time() == kNever);
    CHECK_FALSE(queue.pop(kNever, event));
}

// Pushes and pops at random against a sorted multimap; gaps, ties and the number of events change every few thousand
// operations, and the limit creeps up or jumps.
static void queue_against_map(std::uint64_t seed, int operations)
{
    struct Earlier {
        bool operator()(const Event& a, const Event& b) const { return earlier(a, b); }
    };
    std::mt19937_64 generator(seed);
    EventQueue queue;
    std::multiset<Event, Earlier> pending;
    Time reached = 0;
    std::uint32_t pushed = 0;
    std::size_t wanted = 1, wrong = 0;
    unsigned scale = 10;
    auto below = [&](std::uint64_t n) { return static_cast<Time>(generator() % n); };
    auto gap = [&]() -> Time {
        switch (generator() % 8) {
            case 0:
                return 0;
            case 1:
                return below(3);
            case 2:
                return 5 * kSecond;
            case 3:
                return below(60'000'000'000);
            case 4:
                return 12'000;
            default:
                return below(std::uint64_t{1} << scale);
        }
    };
    for (int i = 0; i < operations && wrong == 0; ++i) {
        if (i % 5000 == 0) {
            wanted = std::size_t{1} << (generator() % 15);
            scale = static_cast<unsigned>(generator() % 36);
        }
        Event event;
        if (generator() % 100 < (pending.size() < wanted ? 60 : 40)) {
            const Time at = generator() % 1000 == 0 ? kNever : reached + gap();
            event = {at, static_cast<StreamId>(generator() % 7), pushed, pushed, 0};
            ++pushed;
            queue.push(event);
            pending.insert(event);
            continue;
        }
        const Time next = pending.empty() ? kNever : pending.begin()->time;
        if (generator() % 8 == 0) wrong += queue.next_time() != next;
        Time limit = next;
        if (next == kNever)
            limit = reached + below(1000);
        else if (unsigned kind = generator() % 10; kind < 3)
            limit = reached + below(1 + 2 * static_cast<std::uint64_t>(next - reached));
        else if (kind == 3)
            limit = std::max(reached, next - 1);
        const bool taken = queue.pop(limit, event);
        wrong += taken != (next <= limit) || (taken && event.payload != pending.begin()->payload);
        if (taken) pending.erase(pending.begin());
        reached = taken ? next : limit;
        wrong += queue.size() != pending.size();
    }
    CHECK(wrong == 0);
}

TEST_CASE("few and many events, timers far away and bursts keep the order", "[kernel]")
{
    for (std::uint64_t seed = 1; seed <= 20; ++seed) queue_against_map(seed, 100'000);
}

TEST_CASE("a queue that was full and became empty begins again", "[kernel]")
{
    EventQueue queue;
    std::uint32_t pushed = 0;
    Time now = 0;
    for (std::uint32_t count : {1u, 100'000u, 3u, 65u, 20'000u, 1u}) {
        // All at one time, then one by one within microseconds, then one a day away.
        for (Time step : {Time{0}, kNanosecond, 86'400 * kSecond}) {
            for (std::uint32_t i = step > kSecond ? count - 1 : 0; i < count; ++i)
                queue.push({now + step * (count - i), count - i, 0, pushed++, 0});
            Event event, last{now, 0, 0, 0, 0};
            while (queue.pop(kNever, event)) {
                REQUIRE(earlier(last, event));
                last = event;
            }
            REQUIRE(queue.empty());
            now = last.time;
        }
    }
}

TEST_CASE("events of one stream come out by their times, and the others stay in order", "[kernel]")
{
    std::mt19937_64 random(11);
    for (const std::size_t count : {5u, 60u, 3000u, 60'000u})
        for (const Time span : {Time{1000}, Time{2'000'000}, Time{50'000'000}, 400'000 * kSecond}) {
            EventQueue queue;
            const auto add = [&](std::uint32_t i, Time from) {
                queue.push({from + static_cast<Time>(random() % static_cast<std::uint64_t>(span)), i % 500, i, i, 0});
            };
            for (std::uint32_t i = 0; i < count; ++i) add(i, 0);
            Event event{};
            for (std::size_t i = 0; i < count / 5; ++i) REQUIRE(queue.pop(kNever, event));
            for (std::uint32_t i = 0; i < count / 10; ++i) add(static_cast<std::uint32_t>(count) + i, event.time);
            std::vector<Event> all, expected;
            queue.each([&](const Event& one) { all.push_back(one); });
            CHECK(all.size() == queue.size());
            std::sort(all.begin(), all.end(), earlier);
            std::vector<Time> times;
            std::copy_if(all.begin(), all.end(), std::back_inserter(expected),
                         [](const Event& one) { return one.stream == 3; });
            std::erase_if(all, [](const Event& one) { return one.stream == 3; });
            for (const Event& one : expected) times.push_back(one.time);
            const std::vector<Event> out = queue.extract(times, [](const Event& one) { return one.stream == 3; });
            const auto same = [](const Event& a, const Event& b) { return !earlier(a, b) && !earlier(b, a); };
            CHECK(std::equal(out.begin(), out.end(), expected.begin(), expected.end(), same));
            CHECK(queue.size() == all.size());
            CHECK(queue.next_time() == (all.empty() ? kNever : all.front().time));
            bool in_order = true;
            for (const Event& one : all) in_order &= queue.pop(kNever, event) && same(event, one);
            CHECK(in_order);
            CHECK(queue.empty());
        }
}

TEST_CASE("with many events the queue tells which come soon", "[kernel]")
{
    EventQueue queue;
    constexpr std::uint32_t kEvents = 50'000;
    for (std::uint32_t i = 0; i < kEvents; ++i) queue.push({i * 100, 0, i, i, 0});
    std::uint32_t told = 0, told_again = 0, popped = 0, farthest = 0;
    Event event;
    bool ahead = true;
    const auto soon = [&](const Event& later) { ahead &= later.payload > popped, ++told; };
    const auto next = [&](const Event& later) {
        ahead &= later.payload > popped, ++told_again;
        farthest = std::max(farthest, later.payload - popped);
    };
    while (queue.pop(event, soon, next)) ++popped;
    CHECK(popped == kEvents);
    CHECK(ahead);
    CHECK(told > kEvents / 2);
    CHECK(told_again > kEvents / 4);
    CHECK(farthest < 64);
}

TEST_CASE("transmission times are exact to the nanosecond", "[kernel]")
{
    const auto alone = [](std::uint32_t bytes, double rate) {
        std::uint32_t fraction = LinkState::kHalf;
        return droptail::transmission_time(bytes, rate, fraction);
    };
    CHECK(alone(1500, 1e9) == 12000);
    CHECK(alone(40, 1e8) == 3200);
    CHECK(alone(1500, 7e6) == 1714286);  // 1714285.71
    CHECK(alone(65535, 300) == 1747600000000);
    CHECK(alone(1, 100e9) == 0);  // 0.08
    CHECK(droptail::least_transmission_time(1500, 7e6) == 1714285);
}

// For every rate that the language has, 1 bit/s to 1000 Tbit/s, and lengths of a packet.
TEST_CASE("a link keeps its rate to a millionth, however short its packets are", "[kernel]")
{
    std::mt19937_64 random(7);
    for (int link = 0; link < 400; ++link) {
        const double rate = std::floor(std::pow(10, std::uniform_real_distribution(0.0, 15.0)(random)) + 1);
        const auto longest = static_cast<std::uint32_t>(20 + random() % 1500);
        std::uint32_t fraction = LinkState::kHalf;
        Time taken = 0, least = kNever;
        std::uint64_t sent = 0;
        bool undone = true;
        for (int packet = 0; packet < 5000; ++packet) {
            const std::uint32_t bytes = 20 + static_cast<std::uint32_t>(random()) % (longest - 19);
            const std::uint32_t before = fraction;
            const Time time = droptail::transmission_time(bytes, rate, fraction);
            least = std::min(least, time - droptail::least_transmission_time(bytes, rate));
            std::uint32_t back = fraction;
            undone &= droptail::undo_transmission(bytes, rate, back) == time && back == before;
            taken += time;
            sent += bytes;
        }
        const double exact = static_cast<double>(sent) * 8e9 / rate;
        INFO(rate << " bit/s, up to " << longest << " bytes");
        CHECK(std::abs(static_cast<double>(taken) - exact) <= 0.51 + 1e-6 * exact);
        CHECK((least == 0 || least == 1));
        CHECK(undone);
    }
}

TEST_CASE("drop-tail counts the bytes not yet transmitted", "[kernel]")
{
    LinkState link;
    StartTimes starts;
    link.rate = 7e6;
    link.fraction = LinkState::kHalf;
    link.capacity = 3000;
    // Idle: accepted. Then one waiting packet fits with the one on the wire, the next does not.
    CHECK(droptail::admit(link, starts, 1500, 0).departure == 1714286);
    CHECK(droptail::admit(link, starts, 1500, 0).departure == 3428571);  // .43
    CHECK_FALSE(droptail::admit(link, starts, 2, 0).accepted);
    // After half a packet's time 750 bytes are gone.
    CHECK_FALSE(droptail::admit(link, starts, 752, 857143).accepted);
    droptail::Admission admission = droptail::admit(link, starts, 750, 857143);
    CHECK(admission.accepted);
    CHECK(admission.start == 3428571);

    // A packet larger than the queue passes an idle link, and only that.
    link = {};
    link.rate = 1e9;
    link.capacity = 1000;
    CHECK(droptail::admit(link, starts, 1500, 5).departure == 12005);
    CHECK_FALSE(droptail::admit(link, starts, 1500, 5).accepted);
    CHECK_FALSE(droptail::admit(link, starts, 1500, 12004).accepted);
    CHECK(droptail::admit(link, starts, 1500, 12005).accepted);

    // Overhead takes time and room.
    link = {};
    link.rate = 1e9;
    link.capacity = 1538;
    link.overhead = 38;
    CHECK(droptail::admit(link, starts, 1462, 0).departure == 12000);
    CHECK_FALSE(droptail::admit(link, starts, 1, 0).accepted);
}

TEST_CASE("starts of waiting packets move, and fit another limit", "[kernel]")
{
    StartTimes starts;
    const StartTimes::Ring ring = starts.make(4);
    for (Time start : {10, 20, 30, 40}) CHECK(starts.wait(ring, 4, 0, start));
    CHECK_FALSE(starts.wait(ring, 4, 9, 50));
    CHECK(starts.wait(ring, 4, 10, 50));  // 20, 30, 40, 50 wait
    constexpr Time kMoved[] = {200, 300, 400, 500};
    SECTION("as many")
    {
        starts.fill(ring, 4, kMoved);
        CHECK_FALSE(starts.wait(ring, 4, 199, 600));
        CHECK(starts.wait(ring, 4, 200, 600));
        CHECK_FALSE(starts.wait(ring, 4, 200, 700));
    }
    SECTION("fewer")
    {
        const StartTimes::Ring shorter = starts.make(2);
        starts.fill(shorter, 2, kMoved);
        CHECK_FALSE(starts.wait(shorter, 2, 399, 600));
        CHECK(starts.wait(shorter, 2, 400, 600));
        CHECK_FALSE(starts.wait(shorter, 2, 400, 700));
    }
    SECTION("more")
    {
        const StartTimes::Ring longer = starts.make(6);
        starts.fill(longer, 6, kMoved);
        CHECK(starts.wait(longer, 6, 199, 600));
        CHECK(starts.wait(longer, 6, 199, 700));
        CHECK_FALSE(starts.wait(longer, 6, 199, 800));
        CHECK(starts.wait(longer, 6, 200, 800));
        CHECK_FALSE(starts.wait(longer, 6, 200, 900));
    }
}

TEST_CASE("a ring that is given back is used again, and nobody waits there", "[kernel]")
{
    StartTimes starts;
    const StartTimes::Ring small = starts.make(3), large = starts.make(5000);
    for (Time start : {1000, 2000, 3000}) CHECK(starts.wait(small, 3, 0, start));
    starts.release(large);
    starts.release(small);
    CHECK(starts.make(3) == small);
    for (Time start : {500, 600, 700}) CHECK(starts.wait(small, 3, 0, start));
    CHECK_FALSE(starts.wait(small, 3, 0, 800));
    CHECK(starts.make(4) == large);  // there is room for more than four
    CHECK(starts.make(4) != large);
}

// Packets in bursts against a queue that knows when each packet leaves it.
TEST_CASE("drop-tail in packets and bytes is what a queue with departures does", "[kernel]")
{
    struct Waiting {
        Time start;
        std::uint32_t bytes;
    };
    std::mt19937 generator(3);
    auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(generator() % n); };
    for (std::uint16_t limit : {1, 2, 3, 7, 100, 5000, 65535}) {
        for (std::uint32_t capacity : {0xffffffffu, 20'000u}) {
            StartTimes starts;
            LinkState links[3];  // which take turns, so that their rings lie side by side
            std::vector<Waiting> waiting[3];
            std::uint32_t dropped = 0, most = 0;
            for (LinkState& link : links) {
                link.rate = 8e9;  // a byte per nanosecond
                link.capacity = capacity;
                link.packet_limit = limit;
            }
            Time now = 0;
            for (int i = 0; i < 30'000; ++i) {
                // Mostly faster than the links; at times a pause that empties them.
                now += below(limit > 100 ? 1'000'000 : 1000) == 0 ? 2'000'000 : below(limit > 100 ? 4 : 400);
                const std::size_t which = below(3);
                LinkState& link = links[which];
                std::vector<Waiting>& queue = waiting[which];
                while (!queue.empty() && queue.front().start <= now) queue.erase(queue.begin());
                const std::uint32_t length = 40 + below(1461);
                const Time backlog = std::max<Time>(link.busy_until - now, 0);
                const bool fits =
                    backlog == 0 || (queue.size() < limit && static_cast<std::uint64_t>(backlog) + length <= capacity);
                const droptail::Admission admission = droptail::admit(link, starts, length, now);
                REQUIRE(admission.accepted == fits);
                if (!fits) {
                    ++dropped;
                    continue;
                }
                REQUIRE(admission.start == now + backlog);
                if (backlog > 0) queue.push_back({admission.start, length});
                most = std::max(most, static_cast<std::uint32_t>(queue.size()));
            }
            CHECK(most <= limit);
            if (capacity == 0xffffffffu && limit <= 5000) CHECK(most == limit);
            if (most == limit || capacity != 0xffffffffu) CHECK(dropped > 0);
        }
    }
}

TEST_CASE("a packet that begins in this nanosecond waits no more", "[kernel]")
{
    StartTimes starts;
    LinkState link;
    link.rate = 8e9;
    link.capacity = 0xffffffffu;
    link.packet_limit = 1;
    CHECK(droptail::admit(link, starts, 1000, 0).accepted);  // is transmitted
    CHECK(link.starts == StartTimes::kNoRing);
    CHECK(droptail::admit(link, starts, 1000, 0).accepted);  // waits until 1000
    CHECK_FALSE(droptail::admit(link, starts, 1000, 999).accepted);
    CHECK(droptail::admit(link, starts, 1000, 1000).start == 2000);
    CHECK_FALSE(droptail::admit(link, starts, 1000, 1000).accepted);
    CHECK(droptail::admit(link, starts, 1000, 3000).start == 3000);  // idle
}

TEST_CASE("random draws depend on seed, node, purpose, row and index alone", "[kernel]")
{
    std::uint64_t bits = random_bits(1, 2, Purpose::think, 3, 4);
    CHECK(bits == random_bits(1, 2, Purpose::think, 3, 4));
    CHECK(bits != random_bits(2, 2, Purpose::think, 3, 4));
    CHECK(bits != random_bits(1, 3, Purpose::think, 3, 4));
    CHECK(bits != random_bits(1, 2, Purpose::service, 3, 4));
    CHECK(bits != random_bits(1, 2, Purpose::think, 4, 4));
    CHECK(bits != random_bits(1, 2, Purpose::think, 3, 5));
    // Philox4x32-10 of counter 0 and key 0 begins with 6627e8d5 e169c58d (Random123's known answers).
    CHECK(random_bits(0, 0, Purpose::start, 0, 0) == 0xe169c58d6627e8d5u);
}

TEST_CASE("distributions have their means, and the logarithm is one", "[kernel]")
{
    for (double x : {1e-300, 1e-16, 0.1, 0.5, 0.70710678, 0.9999999, 1.0, 1.5, 2.718281828, 1e10})
        CHECK(natural_log(x) == Approx(std::log(x)).epsilon(1e-13).margin(1e-16));

    test::Chain chain;
    chain.service = {abi::DistributionKind::exponential, 1.8e6, 0};
    chain.think = {abi::DistributionKind::uniform, 1e6, 3e6};
    test::ChainModel built(chain);
    Model model = built.model();
    double exponential = 0, uniform = 0, least = 1e9, most = 0;
    constexpr int kDraws = 100000;
    const auto draw = [&](const abi::Distribution& distribution, Purpose purpose, int i) {
        Draws draws(7, 1, purpose, 0, static_cast<std::uint64_t>(i));
        return sample(model, distribution, draws, nullptr);
    };
    for (int i = 0; i < kDraws; ++i) {
        exponential +=
            draw(abi::row_of<abi::record::web_server>(built.image(), built.image().servers[0].record).service,
                 Purpose::service, i);
        double u = draw(abi::row_of<abi::record::closed_loop>(built.image(), built.image().workloads[0].record).think,
                        Purpose::think, i);
        uniform += u;
        least = std::min(least, u);
        most = std::max(most, u);
    }
    CHECK(exponential / kDraws == Approx(1.8e6).epsilon(0.02));
    CHECK(uniform / kDraws == Approx(2e6).epsilon(0.01));
    CHECK(least >= 1e6);
    CHECK(most < 3e6);
}

}  // namespace ANML_UNIT_FILE

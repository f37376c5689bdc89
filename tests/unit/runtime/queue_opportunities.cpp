// A link that follows a trace against one that walks over its opportunities one by one.
#include <catch2/catch.hpp>
#include <deque>
#include <random>
#include <vector>

#include "net/link/opportunities.h"

namespace ANML_UNIT_FILE {

using namespace anml::rt;

namespace {

// As Mahimahi's LinkQueue does it.
struct Reference {
    std::vector<std::uint32_t> times;
    Time base = 0;
    std::size_t at = 0;
    std::deque<std::uint32_t> queue;
    std::uint32_t left = 0;
    std::vector<Time> departures;

    void until(Time now)
    {
        for (Time when; (when = base + Time{times[at]} * kMillisecond) <= now;) {
            if (++at == times.size()) {
                at = 0;
                base += Time{times.back()} * kMillisecond;
            }
            for (std::uint32_t room = anml::abi::kOpportunityBytes; room > 0 && (left > 0 || !queue.empty());) {
                if (left == 0) {
                    left = queue.front();
                    queue.pop_front();
                }
                const std::uint32_t used = std::min(room, left);
                room -= used;
                left -= used;
                if (left == 0) departures.push_back(when);
            }
        }
    }
    std::uint64_t bytes() const
    {
        std::uint64_t sum = left;
        for (const std::uint32_t b : queue) sum += b;
        return sum;
    }
};

}  // namespace

TEST_CASE("a link that follows a trace departs packets as Mahimahi does")
{
    std::mt19937 draw(GENERATE(1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u));
    const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(draw() % n); };
    Reference reference;
    const std::uint32_t longest = below(2) ? 3 : 60;
    for (std::uint32_t now = below(3), i = 0; i < 1 + below(200) || now == 0; ++i, now += below(longest))
        reference.times.push_back(now);
    const opportunities::Trace trace{reference.times.data(), static_cast<std::uint32_t>(reference.times.size())};

    TracedLink link;
    LinkState state;
    StartTimes starts;
    const std::uint32_t capacity = below(2) ? 1 + below(20000) : LinkState::kUnbounded;
    const std::uint32_t packets = below(2) ? 1 + below(12) : 0;
    link.capacity = capacity;
    state.packet_limit = static_cast<std::uint16_t>(packets);
    std::vector<Time> departures;
    Time now = 0, before = 0;
    std::size_t refused = 0;
    for (int i = 0; i < 3000; ++i) {
        switch (below(12)) {
            case 0:
                now += Time{below(300'000)} * kMillisecond;  // many periods
                break;
            case 1:
            case 2:
                now += Time{below(40)} * kMillisecond;
                break;
            case 3:
                now = (now / kMillisecond + below(3)) * kMillisecond;
                now = std::max(now, before);
                break;
            default:
                now += below(900'000);
        }
        before = now;
        const std::uint32_t bytes = 20 + below(below(3) == 0 ? 9000 : 1481);
        reference.until(now);
        const bool room =
            (reference.bytes() == 0 || capacity == LinkState::kUnbounded || reference.bytes() + bytes <= capacity) &&
            (packets == 0 || reference.queue.size() < packets);
        const auto admission = opportunities::admit(link, trace, state, starts, bytes, now);
        REQUIRE(admission.accepted == room);
        if (!room) {
            ++refused;
            continue;
        }
        REQUIRE(admission.start > now);
        REQUIRE(admission.departure >= admission.start);
        REQUIRE(link.busy_until == admission.departure);
        reference.queue.push_back(bytes);
        REQUIRE(link.backlog == reference.bytes());
        departures.push_back(admission.departure);
    }
    reference.until(now + 100'000 * kSecond);
    CHECK(reference.departures == departures);
    CHECK((refused > 0 || (capacity > 10000 && packets == 0)));
}

}  // namespace ANML_UNIT_FILE

// CoDel on a link against the pseudo-code of RFC 8289, section 5, written here once more.
#include <catch2/catch.hpp>
#include <cmath>
#include <deque>
#include <random>
#include <vector>

#include "one_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::LinkOptions;
using test::OneLink;

namespace {

constexpr Time kTarget = 5 * kMillisecond, kInterval = 100 * kMillisecond;
const std::vector<double> kUsual{static_cast<double>(kTarget), static_cast<double>(kInterval)};

struct Sent {
    std::uint32_t number;
    Time at;
    std::uint32_t length;
};

// The names are the RFC's.
class Reference {
  public:
    Reference(double rate, std::uint32_t maxpacket) : rate_(rate), maxpacket_(maxpacket) {}

    using Begun = std::vector<std::pair<std::uint32_t, Time>>;
    // Numbers of the packets that are transmitted, and when they begin.
    Begun run(const std::vector<Sent>& arrivals)
    {
        Begun begun;
        Time idle_from = 0;
        for (std::size_t i = 0; i < arrivals.size() || !queue_.empty();) {
            // The link asks for the next packet when it becomes idle; one that comes at that very time is there.
            const Time now = queue_.empty() ? std::max(idle_from, arrivals[i].at) : idle_from;
            for (; i < arrivals.size() && arrivals[i].at <= now; ++i) {
                queue_.push_back(arrivals[i]);
                bytes_ += arrivals[i].length;
            }
            Sent packet{};
            if (!dequeue(now, packet)) continue;
            begun.emplace_back(packet.number, now);
            idle_from = now + std::llround(packet.length * 8e9 / rate_);
        }
        return begun;
    }
    int most_drops = 0;  // highest count

  private:
    bool dodequeue(Time now, Sent& packet, bool& ok_to_drop)
    {
        ok_to_drop = false;
        if (queue_.empty()) {
            first_above_time_ = 0;
            return false;
        }
        packet = queue_.front();
        queue_.pop_front();
        bytes_ -= packet.length;
        const Time sojourn = now - packet.at;
        if (sojourn < kTarget || bytes_ <= maxpacket_) {
            first_above_time_ = 0;
        } else {
            if (first_above_time_ == 0)
                first_above_time_ = now + kInterval;
            else if (now >= first_above_time_)
                ok_to_drop = true;
        }
        return true;
    }
    static Time control_law(Time t, int count)
    {
        return t + std::llround(static_cast<double>(kInterval) / std::sqrt(static_cast<double>(count)));
    }
    bool dequeue(Time now, Sent& packet)
    {
        bool ok_to_drop;
        bool got = dodequeue(now, packet, ok_to_drop);
        if (dropping_) {
            if (!ok_to_drop) dropping_ = false;
            while (now >= drop_next_ && dropping_) {
                ++count_;
                most_drops = std::max(most_drops, count_);
                got = dodequeue(now, packet, ok_to_drop);
                if (!ok_to_drop)
                    dropping_ = false;
                else
                    drop_next_ = control_law(drop_next_, count_);
            }
        } else if (ok_to_drop) {
            got = dodequeue(now, packet, ok_to_drop);
            dropping_ = true;
            const int delta = count_ - lastcount_;
            count_ = 1;
            if (delta > 1 && now - drop_next_ < 16 * kInterval) count_ = delta;
            drop_next_ = control_law(now, count_);
            lastcount_ = count_;
        }
        return got;
    }

    const double rate_;
    const std::uint64_t maxpacket_;
    std::deque<Sent> queue_;
    std::uint64_t bytes_ = 0;
    Time first_above_time_ = 0, drop_next_ = 0;
    int count_ = 0, lastcount_ = 0;
    bool dropping_ = false;
};

// Overloads of random strength and length, with pauses between.
std::vector<Sent> bursts(double rate, std::uint32_t seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::uint32_t limit) { return static_cast<std::uint32_t>(random() % limit); };
    std::vector<Sent> arrivals;
    Time now = 0;
    std::uint32_t number = 0;
    for (int burst = 0; burst < 20; ++burst) {
        const double load = 0.5 + 0.2 * below(10);
        const Time end = now + (50 + below(1500)) * kMillisecond;
        while (now < end) {
            const std::uint32_t length = below(3) == 0 ? 40 + below(1461) : 1500;
            arrivals.push_back({number++, now, length});
            now += std::llround(length * 8e9 / rate / load * (0.5 + below(1001) / 1000.0));
        }
        now += below(400) * kMillisecond;
    }
    return arrivals;
}

}  // namespace

TEST_CASE("CoDel transmits what the RFC's pseudo-code does, at the same times", "[codel]")
{
    const double rate = GENERATE(2e6, 1e7);
    const auto seed = GENERATE(1u, 2u, 3u);
    const std::vector<Sent> arrivals = bursts(rate, seed);
    LinkOptions link;
    link.rate = rate;
    link.queue = 1e9;
    OneLink w(link, Discipline::codel, kUsual);
    for (const Sent& packet : arrivals) w.send(packet.number, packet.at, static_cast<std::uint16_t>(packet.length));
    w.simulator.run_until(100 * kSecond);
    Reference reference(rate, 1500);
    const Reference::Begun expected = reference.run(arrivals);
    CHECK(reference.most_drops > 20);
    CHECK(expected.size() + 100 < arrivals.size());
    REQUIRE(w.tap.begun == expected);
    CHECK(w.counters().packets == expected.size());
    CHECK(w.counters().dropped == arrivals.size() - expected.size());
    CHECK(w.peer.received.size() == expected.size());
    CHECK(test::silent(w.simulator));
}

TEST_CASE("CoDel's first drops come after an interval above the target, then faster", "[codel]")
{
    // 1.2 ms each, and twice as many come.
    LinkOptions link;
    link.rate = 1e7;
    link.queue = 1e9;
    OneLink w(link, Discipline::codel, kUsual);
    for (std::uint32_t i = 0; i < 1000; ++i) w.send(i, i * 600 * kMicrosecond);
    w.simulator.run_until(600 * kMillisecond);
    // A drop shows as a number that is missing. Number n waits for 0.6 n ms: the first one above 5 ms is 9, at 10.8 ms,
    // from where on drops come at the first transmission 100, then 100, 100 / sqrt 2, 100 / sqrt 3 ms later.
    std::vector<Time> drops;
    for (std::size_t i = 1; i < w.tap.begun.size(); ++i)
        if (w.tap.begun[i].first != w.tap.begun[i - 1].first + 1) drops.push_back(w.tap.begun[i].second);
    REQUIRE(drops.size() >= 4);
    double due = 10.8e6;
    for (int i = 0; i < 4; ++i) {
        due += 1e8 / std::sqrt(std::max(i, 1));
        if (i == 0) due = std::ceil(due / 1.2e6) * 1.2e6;  // counted from when it is made
        CHECK(drops[static_cast<std::size_t>(i)] == std::llround(std::ceil(due / 1.2e6) * 1.2e6));
    }
}

}  // namespace ANML_UNIT_FILE

// Adaptive RED against the pseudo-code of Floyd, Gummadi and Shenker (2001), figure 2, run by a timer.
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "one_link.h"

namespace ANML_UNIT_FILE {

using namespace anml;
using namespace anml::rt;
using test::LinkOptions;
using test::OneLink;

namespace {

constexpr Time kEach = 500 * kMillisecond;

// Thresholds 10 kB and 30 kB: the target is 18 to 22 kB.
std::vector<double> adaptive(double max_probability, double weight)
{
    return {10000, 30000, max_probability, weight, 1000, 1, 0, 1, 1, double(kEach), 0.01, 0.9};
}

// The names are the paper's.
double one_interval(double max_p, double avg)
{
    const double alpha = std::min(0.01, max_p / 4), beta = 0.9;
    if (avg > 22000 && max_p <= 0.5) return max_p + alpha;
    if (avg < 18000 && max_p >= 0.01) return max_p * beta;
    return max_p;
}

}  // namespace

TEST_CASE("adaptive RED makes up for the intervals between two packets", "[red]")
{
    const auto seed = GENERATE(1u, 2u, 3u);
    std::mt19937 random(seed);
    red::State state;
    const red::Parameters parameters = red::parameters_of(FieldReader(adaptive(0.1, 0)));
    double max_p = 0.1;
    Time timer = 0;
    for (Time now = 0; now < 3000 * kSecond;) {
        // The timer goes off at each multiple of the interval, and sees what the last packet left.
        if (now != 0)
            for (; timer + kEach <= now; timer += kEach) max_p = one_interval(max_p, state.average);
        red::adapt(state, parameters, now);
        REQUIRE(state.at_maximum == max_p);
        state.average = random() % 40000;
        now += random() % 4 == 0 ? Time(random() % 200) * kSecond : Time(random() % 3000) * kMillisecond / 2;
    }
}

TEST_CASE("adaptive RED stays within its bounds for ever", "[red]")
{
    const red::Parameters parameters = red::parameters_of(FieldReader(adaptive(0.1, 0)));
    for (const bool high : {true, false}) {
        red::State state;
        red::adapt(state, parameters, 0);
        state.average = high ? 30000 : 10000;
        red::adapt(state, parameters, 1'000'000 * kSecond);
        if (high) {
            CHECK(state.at_maximum > 0.5);
            CHECK(state.at_maximum <= 0.51);
        } else {
            CHECK(state.at_maximum < 0.01);
            CHECK(state.at_maximum >= 0.009);
        }
        CHECK(state.next_step == 1'000'000 * kSecond + kEach);
    }
}

TEST_CASE("adaptive RED brings the average to its target under whatever load", "[red]")
{
    // What is too much has to be dropped: 5 % or 20 %. With a fixed maximum of 10 % the average of the latter would be
    // above the upper threshold, that of the former at the middle by chance alone.
    for (const double load : {1.05, 1.25}) {
        red::State state;
        LinkState line;
        line.rate = 1e7;
        line.capacity = LinkState::kUnbounded;
        line.mtu = 1500;
        StartTimes starts;
        Packet packet;
        packet.length = 1000;
        std::uint64_t draws = 0, marked = 0, dropped = 0, packets = 0;
        const red::Parameters parameters = red::parameters_of(FieldReader(adaptive(0.02, 0.002)));
        double sum = 0;
        for (Time now = 0; now < 200 * kSecond; now += std::llround(8e12 / 1e7 / load)) {
            Arrival arrival{line, starts, packet, now, LinkDraws(1, 7, draws), marked};
            const bool accepted = red::admit(state, parameters, arrival).accepted;
            if (now < 100 * kSecond) continue;
            dropped += !accepted;
            ++packets;
            sum += state.average;
        }
        CHECK(static_cast<double>(dropped) / static_cast<double>(packets) == Approx(1 - 1 / load).epsilon(0.02));
        CHECK(sum / static_cast<double>(packets) > 17000);
        CHECK(sum / static_cast<double>(packets) < 23000);
    }
}

}  // namespace ANML_UNIT_FILE

// Random early detection (Floyd and Jacobson, IEEE/ACM Transactions on Networking 1(4), 1993), and its gentle variant
// (Floyd, "Recommendation on using the gentle_ variant of RED", 2000).
//
// A packet that arrives moves the average queue by `weight` towards the present one: the fluid backlog in bytes, what
// is left of the packet in transmission included (droptail.h). While the link is idle the average falls as if packets
// of `typical_packet` bytes had come one behind the other and found nobody. From the lower threshold to the upper one
// the probability of a drop rises from 0 to `max_probability`, above that, where it is gentle, to 1 at twice the upper
// threshold; else it is 1. Drops are spread: of the packets between two of them each is as likely to be the last one.
// Packets count alike, whatever their length. Those that the average lets pass may still find the queue full.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common/sampling.h"
#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::red {

struct State {
    double average = 0;  // bytes
    // The paper's count: packets that risked a drop since the last one, that one included; 0: the last one risked none.
    std::uint64_t spared = 0;
};

inline void update_average(State& state, const Parameters& parameters, const Arrival& arrival)
{
    if (!arrival.idle()) {
        state.average += parameters.weight * (static_cast<double>(arrival.backlog()) - state.average);
    } else if (state.average > 0) {
        const double packet =
            static_cast<double>(std::max<std::uint64_t>(parameters.typical_packet, 1)) * 8e9;  // bit ns/s
        const double missed = static_cast<double>(arrival.now - arrival.line.busy_until) * arrival.line.rate / packet;
        state.average *= power_of(1 - parameters.weight, missed);
    }
}

// Of a drop, before it is spread.
inline double probability(const Parameters& parameters, double average)
{
    const auto low = static_cast<double>(parameters.minimum_threshold),
               high = static_cast<double>(parameters.maximum_threshold);
    if (average < low) return 0;
    if (average < high) return parameters.max_probability * (average - low) / (high - low);
    if (!parameters.gentle || average >= 2 * high) return 1;
    return parameters.max_probability + (1 - parameters.max_probability) * (average - high) / high;
}

inline bool drops(State& state, const Parameters& parameters, LinkDraws& draws)
{
    if (state.average < static_cast<double>(parameters.minimum_threshold)) {
        state.spared = 0;
        return false;
    }
    const double p = probability(parameters, state.average);
    const double spread = static_cast<double>(state.spared) * p;
    if (p < 1 && spread < 1 && draws.unit() >= p / (1 - spread)) {
        ++state.spared;
        return false;
    }
    state.spared = 1;
    return true;
}

inline droptail::Admission admit(State& state, const Parameters& parameters, Arrival& arrival)
{
    update_average(state, parameters, arrival);
    if (drops(state, parameters, arrival.draws)) return {false, 0, 0};
    return arrival.admit();
}

}  // namespace anml::rt::red

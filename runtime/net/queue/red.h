// Random early detection (Floyd and Jacobson, IEEE/ACM Transactions on Networking 1(4), 1993), its gentle variant
// (Floyd, "Recommendation on using the gentle_ variant of RED", 2000), and its adaptive one (Floyd, Gummadi and
// Shenker, "Adaptive RED", 2001).
//
// A packet that arrives moves the average queue by `weight` towards the present one: the fluid backlog in bytes, what
// is left of the packet in transmission included (droptail.h). While the link is idle the average falls as if packets
// of `typical_packet` bytes had come one behind the other and found nobody. From the lower threshold to the upper one
// the probability of a drop rises from 0 to `max_probability`, above that, where it is gentle, to 1 at twice the upper
// threshold; else it is 1. Drops are spread: of the packets between two of them each is as likely to be the last one.
// Packets count alike, whatever their length. Those that the average lets pass may still find the queue full.
//
// With `ecn` a packet that can be marked is marked instead. Where the average is so high that each packet would be told
// it is dropped in spite of that, as RFC 3168 recommends in section 7, unless `hard_drop` is false: ns-3's UseHardDrop.
//
// The adaptive variant moves the probability at the upper threshold, each `interval`, so that the average comes to lie
// in the middle fifth between the thresholds: by `alpha`, and no more than a quarter, upwards, by the factor `beta`
// downwards, within 1 % and 50 %. Between two packets the average stays what the last one made it: times that have
// passed since are made up for when a packet comes, as a timer would have done it.
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
    // Of the adaptive variant:
    double at_maximum = 0;  // the probability at the upper threshold; 0: what the parameters say
    Time next_step = 0;
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

// The steps until now of the probability at the upper threshold.
inline void adapt(State& state, const Parameters& parameters, Time now)
{
    constexpr double kLeast = 0.01, kMost = 0.5, kLow = 0.4, kHigh = 0.6;
    if (state.at_maximum == 0) {
        state.at_maximum = parameters.max_probability;
        state.next_step = (now / parameters.interval + 1) * parameters.interval;
    }
    const auto low = static_cast<double>(parameters.minimum_threshold),
               width = static_cast<double>(parameters.maximum_threshold) - low;
    while (state.next_step <= now) {
        const double before = state.at_maximum;
        if (state.average > low + kHigh * width && before <= kMost)
            state.at_maximum += std::min(parameters.alpha, before / 4);
        else if (state.average < low + kLow * width && before >= kLeast)
            state.at_maximum *= parameters.beta;
        state.next_step += parameters.interval;
        if (state.at_maximum == before && state.next_step <= now)  // nor will it change at the others
            state.next_step += ((now - state.next_step) / parameters.interval + 1) * parameters.interval;
    }
}

// Of a drop, before it is spread; `most` at the upper threshold.
inline double probability(const Parameters& parameters, double most, double average)
{
    const auto low = static_cast<double>(parameters.minimum_threshold),
               high = static_cast<double>(parameters.maximum_threshold);
    if (average < low) return 0;
    if (average < high) return most * (average - low) / (high - low);
    if (!parameters.gentle || average >= 2 * high) return 1;
    return most + (1 - most) * (average - high) / high;
}

enum class Verdict { pass, tell, tell_all };  // at random, or each packet

inline Verdict decide(State& state, const Parameters& parameters, LinkDraws& draws)
{
    if (state.average < static_cast<double>(parameters.minimum_threshold)) {
        state.spared = 0;
        return Verdict::pass;
    }
    const double most = parameters.adaptive ? state.at_maximum : parameters.max_probability;
    const double p = probability(parameters, most, state.average);
    const double spread = static_cast<double>(state.spared) * p;
    if (p < 1 && spread < 1 && draws.unit() >= p / (1 - spread)) {
        ++state.spared;
        return Verdict::pass;
    }
    state.spared = 1;
    return p < 1 ? Verdict::tell : Verdict::tell_all;
}

inline droptail::Admission admit(State& state, const Parameters& parameters, Arrival& arrival)
{
    if (parameters.adaptive) adapt(state, parameters, arrival.now);
    update_average(state, parameters, arrival);
    const Verdict verdict = decide(state, parameters, arrival.draws);
    if (verdict == Verdict::pass) return arrival.admit();
    const bool marks =
        parameters.ecn && ecn::capable(arrival.packet) && (verdict == Verdict::tell || !parameters.hard_drop);
    if (!marks) return {false, 0, 0};
    const droptail::Admission admission = arrival.admit();
    if (admission.accepted) arrival.mark();
    return admission;
}

}  // namespace anml::rt::red

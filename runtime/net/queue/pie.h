// Proportional integral controller enhanced (PIE, RFC 8033): packets are dropped at random as they come; the
// probability follows, at each `update`, how long the queue makes packets wait and how that has changed.
//
// As in section 4 there, with what section 5 adds: ECN below a probability of `mark_below` (5.1), steps of no more than
// 2 % once the probability is 10 % (5.5), and drops that are spread (5.4), unless `derandomized` is false. How long
// packets wait is not estimated from departures (5.2, and 4.3's first formula): the link knows when it will have
// transmitted what it has admitted.
//
// There is no timer. Until a packet comes nobody asks for the probability: it is updated then, for each time that has
// passed and from what the wait was at that time, which is the same. Once an update of an empty queue changes nothing
// those behind it don't either. Only where the timeline changes the rate between two packets, the updates before the
// change see a wait at the new rate.
#pragma once

#include <algorithm>
#include <cstdint>

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::pie {

struct State {
    bool begun = false;
    Time next_update = 0;
    Time wait = 0;        // at the last update
    Time burst_left = 0;  // for how long nothing is dropped
    double probability = 0;
    double accumulated = 0;  // since the last drop
};

// How much of a step is taken while the probability is small (section 4.2).
inline double damping(double probability)
{
    if (probability < 0.000001) return 1.0 / 2048;
    if (probability < 0.00001) return 1.0 / 512;
    if (probability < 0.0001) return 1.0 / 128;
    if (probability < 0.001) return 1.0 / 32;
    if (probability < 0.01) return 1.0 / 8;
    return probability < 0.1 ? 1.0 / 2 : 1;
}

inline void update(State& state, const Parameters& parameters, Time wait)
{
    constexpr double kDecay = 0.98, kCapFrom = 0.1, kCap = 0.02;
    constexpr double kSecond = 1e9;
    const double off = static_cast<double>(wait - parameters.target) / kSecond,
                 more = static_cast<double>(wait - state.wait) / kSecond;
    double step = (parameters.alpha * off + parameters.beta * more) * damping(state.probability);
    if (state.probability >= kCapFrom) step = std::min(step, kCap);
    double p = state.probability + step;
    if (wait == 0 && state.wait == 0) p *= kDecay;
    state.probability = std::clamp(p, 0.0, 1.0);
    state.burst_left = std::max<Time>(0, state.burst_left - parameters.update);
    const Time half = parameters.target / 2;
    if (state.probability == 0 && wait < half && state.wait < half) state.burst_left = parameters.burst;
    state.wait = wait;
}

// What a timer would have done until `now`.
inline void catch_up(State& state, const Parameters& parameters, const Arrival& arrival)
{
    if (!state.begun) {
        state.begun = true;
        state.burst_left = parameters.burst;
        state.next_update = (arrival.now / parameters.update + 1) * parameters.update;
    }
    while (state.next_update <= arrival.now) {
        const State before = state;
        const Time wait = std::max<Time>(0, arrival.line.busy_until - state.next_update);
        update(state, parameters, wait);
        state.next_update += parameters.update;
        const bool still = wait == 0 && before.wait == 0 && state.probability == before.probability &&
                           state.burst_left == before.burst_left;
        if (still && state.next_update <= arrival.now)
            state.next_update += ((arrival.now - state.next_update) / parameters.update + 1) * parameters.update;
    }
}

inline bool drops(State& state, const Parameters& parameters, Arrival& arrival)
{
    constexpr double kSparing = 0.2, kSpared = 0.85, kCertain = 8.5;
    if (state.burst_left > 0) return false;
    if (state.wait < parameters.target / 2 && state.probability < kSparing) return false;
    const std::uint64_t longest = arrival.line.known_mtu() + arrival.line.known_overhead();
    if (arrival.backlog() <= 2 * longest) return false;
    if (parameters.derandomized) {
        if (state.probability == 0) state.accumulated = 0;
        state.accumulated += state.probability;
        if (state.accumulated < kSpared) return false;
        if (state.accumulated >= kCertain) return true;
    }
    return arrival.draws.unit() < state.probability;
}

inline droptail::Admission admit(State& state, const Parameters& parameters, Arrival& arrival)
{
    catch_up(state, parameters, arrival);
    const bool told = drops(state, parameters, arrival);
    const bool marks =
        told && parameters.ecn && state.probability < parameters.mark_below && ecn::capable(arrival.packet);
    droptail::Admission admission{false, 0, 0};
    if (!told || marks) admission = arrival.admit();
    if (told || !admission.accepted) state.accumulated = 0;
    if (marks && admission.accepted) arrival.mark();
    return admission;
}

}  // namespace anml::rt::pie

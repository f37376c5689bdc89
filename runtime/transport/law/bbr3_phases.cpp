// How the phases of BBR's probing follow each other (bbr3_model.h): startup, drain, and then down, cruise, refill and
// up in turn, with a look for the least round trip in between.
#include <algorithm>
#include <cmath>
#include <utility>

#include "transport/law/bbr3_model.h"

namespace anml::rt::tcp::law::bbr3 {

namespace {

constexpr Time kRttWindow = 10 * kSecond, kProbeRttEvery = 5 * kSecond;
constexpr Time kProbeWait = 2 * kSecond;  // and up to a second more
constexpr std::uint32_t kMostRenoRounds = 63;
constexpr std::uint8_t kMostProbeRounds = 30;

void go_down(Bbr3& law, const Path& path)
{
    reset_losses(law);
    law.probe_step = Bbr3::kNoBound;
    const std::uint64_t draw = bbr::draw(path);
    law.rounds_since_probe = draw & 1;
    law.probe_wait = kProbeWait + static_cast<Time>((draw >> 1) % kSecond);
    law.phase_began = path.now;
    law.acks = Acks::stopping;
    begin_round(law, path);
    law.mode = Mode::down;
}

void cruise(Bbr3& law)
{
    if (law.short_flight != Bbr3::kNoBound) law.short_flight = std::min(law.short_flight, law.long_flight);
    law.mode = Mode::cruise;
}

void refill(Bbr3& law, const Path& path)
{
    forget_short_bounds(law);
    law.probe_rounds = 0;
    law.probe_arrived = 0;
    law.acks = Acks::refilling;
    begin_round(law, path);
    law.mode = Mode::refill;
}

// In each round of a probe twice as many segments more as in the one before.
void raise_slope(Bbr3& law, const Path& path)
{
    const double growth = std::ldexp(1.0, law.probe_rounds);
    law.probe_rounds = std::min<std::uint8_t>(law.probe_rounds + 1, kMostProbeRounds);
    law.probe_step = std::max<double>(path.c.cwnd / growth, path.c.mss);
}

void go_up(Bbr3& law, const Path& path, double rate)
{
    law.acks = Acks::starting;
    begin_round(law, path);
    reset_full(law, rate);
    law.phase_began = path.now;
    law.mode = Mode::up;
    raise_slope(law, path);
}

// What a probe's acknowledgments say of what the path holds. True: it probes again at once, since it stopped where the
// probe before was too much, and lost nothing.
bool adapt_long_bounds(Bbr3& law, const Path& path, const RateSample& sample, bool full_window)
{
    if (law.acks == Acks::starting && law.round_start) law.acks = Acks::feedback;
    if (law.acks == Acks::stopping && law.round_start) {
        law.samples_probe = false;
        law.acks = Acks::none;
        if (probes_bandwidth(law.mode) && !sample.limited) {  // the next cycle
            if (law.largest[1] > 0) law.largest[0] = std::exchange(law.largest[1], 0);
        }
        if (probes_bandwidth(law.mode) && law.stopped_risky && !law.too_high) {
            law.stopped_risky = false;
            refill(law, path);
            return true;
        }
    }
    if (sample.told && too_much(sample.lost_since, sample.flight_then)) {
        if (law.samples_probe) bound_flight(law, path, sample.flight_then, sample.limited);
        return false;
    }
    if (law.long_flight == Bbr3::kNoBound) return false;
    law.long_flight = std::max<double>(law.long_flight, sample.flight_then);
    if (law.mode != Mode::up || !full_window || path.c.cwnd < law.long_flight) return false;
    law.probe_arrived += sample.arrived;
    const double steps = std::floor(law.probe_arrived / law.probe_step);
    law.probe_arrived -= steps * law.probe_step;
    law.long_flight += steps * path.c.mss;
    if (law.round_start) raise_slope(law, path);
    return false;
}

bool time_to_probe(const Bbr3& law, const Path& path)
{
    if (path.now - law.phase_began > law.probe_wait) return true;
    const auto reno = static_cast<std::uint32_t>(target_flight(law, path)) / path.c.mss;
    return law.rounds_since_probe >= std::min(reno, kMostRenoRounds);
}

}  // namespace

void bound_flight(Bbr3& law, const Path& path, double flight, bool limited)
{
    law.samples_probe = false;
    law.too_high = true;
    if (!limited) law.long_flight = std::max(flight, target_flight(law, path) * kBeta);
    if (law.mode == Mode::up) go_down(law, path);
}

void drain(Bbr3& law, const Path& path, std::uint32_t flight)
{
    if (law.mode == Mode::startup && law.full) {
        law.mode = Mode::drain;
        reset_losses(law);
    }
    if (law.mode == Mode::drain && flight <= window_for(law, path, bandwidth_delay(law, law.largest_bandwidth(), 1)))
        go_down(law, path);
}

void follow_phases(Bbr3& law, const Path& path, const RateSample& sample, std::uint32_t flight)
{
    if (!law.full) return;
    const bool full_window = sample.flight_before + path.c.mss > path.c.cwnd;
    if (adapt_long_bounds(law, path, sample, full_window)) return;
    switch (law.mode) {
        case Mode::down:
            if (time_to_probe(law, path)) return refill(law, path);
            if (flight <= with_headroom(law, path) &&
                flight <= window_for(law, path, bandwidth_delay(law, law.largest_bandwidth(), 1)))
                cruise(law);
            return;
        case Mode::cruise:
            if (time_to_probe(law, path)) refill(law, path);
            return;
        case Mode::refill:
            if (!law.round_start) return;
            law.samples_probe = true;
            return go_up(law, path, rate_of(sample));
        case Mode::up:
            if (law.too_high && flight >= law.long_flight) {
                law.stopped_risky = true;
            } else {
                if (full_window && path.c.cwnd >= law.long_flight) return reset_full(law, rate_of(sample));
                if (!law.full_now) return;
            }
            law.too_high = false;
            return go_down(law, path);
        case Mode::startup:
        case Mode::drain:
        case Mode::probe_rtt:
            return;
    }
}

void measure_rtt(Bbr3& law, const Path& path, const RateSample& sample, std::uint32_t flight)
{
    const bool expired = path.now > law.recent_rtt_at + kProbeRttEvery;
    if (sample.rtt >= 0 && (sample.rtt < law.recent_rtt || expired)) {
        law.recent_rtt = sample.rtt;
        law.recent_rtt_at = path.now;
    }
    if (law.recent_rtt < law.least_rtt || path.now > law.least_rtt_at + kRttWindow) {
        law.least_rtt = law.recent_rtt;
        law.least_rtt_at = law.recent_rtt_at;
    }
    if (expired && !law.idle_restart && law.mode != Mode::probe_rtt) {
        keep_window(law, path.c);
        law.mode = Mode::probe_rtt;
        law.probe_rtt_done = 0;
        law.acks = Acks::stopping;
        begin_round(law, path);
    }
    if (law.mode == Mode::probe_rtt) {
        path.delivery.application_limits(flight);  // what is measured now is no bandwidth
        if (law.probe_rtt_done == 0 && flight <= probe_rtt_window(law, path)) {
            law.probe_rtt_done = path.now + bbr::kProbeRtt;
            law.round_done = false;
            begin_round(law, path);
        } else if (law.probe_rtt_done != 0) {
            law.round_done |= law.round_start;
            if (law.round_done) leave_probe_rtt(law, path);
        }
    }
    if (sample.arrived > 0) law.idle_restart = false;
}

void keep_window(Bbr3& law, const Connection& c)
{
    const bool as_it_is = law.loss == Bbr::Loss::none && law.mode != Mode::probe_rtt;
    law.prior_window = as_it_is ? c.cwnd : std::max(law.prior_window, c.cwnd);
}

void leave_probe_rtt(Bbr3& law, const Path& path)
{
    if (law.probe_rtt_done == 0 || path.now <= law.probe_rtt_done) return;
    law.recent_rtt_at = path.now;
    path.c.cwnd = std::max(path.c.cwnd, law.prior_window);
    forget_short_bounds(law);
    law.mode = Mode::startup;
    if (!law.full) return;
    go_down(law, path);
    cruise(law);
}

}  // namespace anml::rt::tcp::law::bbr3

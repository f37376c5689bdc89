#include "transport/law/bbr3.h"

#include <algorithm>
#include <cmath>

namespace anml::rt::tcp::law::bbr3 {

namespace {

using Mode = Bbr3::Mode;
using Acks = Bbr3::Acks;
using bbr::kFullGrowth;
using bbr::kFullRounds;
using bbr::kLeastWindow;
using bbr::kMargin;
using bbr::seconds;

constexpr double kStartupGain = 2.77;  // 4 ln 2
constexpr double kDrainGain = 1000.0 / 2885;
constexpr double kDownGain = 0.91, kUpGain = 1.25;
constexpr double kWindowGain = 2, kUpWindowGain = 2.25, kProbeRttGain = 0.5;
constexpr double kLossShare = 0.02;  // of what is under way, above which it was too much
constexpr double kBeta = 0.7, kHeadroom = 0.15;
constexpr std::uint8_t kStartupLosses = 6;  // acknowledgments of a round that told of some
constexpr Time kRttWindow = 10 * kSecond, kProbeRttEvery = 5 * kSecond;
constexpr Time kProbeWait = 2 * kSecond;  // and up to a second more
constexpr std::uint32_t kMostRenoRounds = 63;
constexpr std::uint8_t kMostProbeRounds = 30;

bool probes_bandwidth(Mode mode) { return mode >= Mode::down && mode <= Mode::up; }
bool sends_more(Mode mode) { return mode == Mode::startup || mode == Mode::refill || mode == Mode::up; }

double least_bytes(const Path& path) { return kLeastWindow * path.c.mss; }

double bandwidth_delay(const Bbr3& law, double bandwidth, double gain)
{
    return law.least_rtt == kNever ? law.initial_window : bandwidth * seconds(law.least_rtt) * gain;
}

double window_for(const Bbr3& law, const Path& path, double bytes)
{
    const double window = std::max<double>(bbr::with_budget(path, bytes), least_bytes(path));
    return window + (law.mode == Mode::up ? 2 * path.c.mss : 0);
}

double with_headroom(const Bbr3& law, const Path& path)
{
    if (law.long_flight == Bbr3::kNoBound) return law.long_flight;
    const double room = std::max<double>(path.c.mss, kHeadroom * law.long_flight);
    return std::max(law.long_flight - room, least_bytes(path));
}

double target_flight(const Bbr3& law, const Path& path)
{
    return std::min<double>(window_for(law, path, bandwidth_delay(law, law.bandwidth(), 1)), path.c.cwnd);
}

void begin_round(Bbr3& law, const Path& path) { law.round_end = path.delivery.delivered(); }

void reset_full(Bbr3& law, double bandwidth)
{
    law.full_bandwidth = bandwidth;
    law.full_rounds = 0;
    law.full_now = false;
}

void forget_short_bounds(Bbr3& law) { law.short_bandwidth = law.short_flight = Bbr3::kNoBound; }

void reset_losses(Bbr3& law)
{
    law.loss_in_round = false;
    law.latest = law.latest_flight = 0;
}

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

bool too_much(std::uint64_t lost, std::uint32_t flight) { return static_cast<double>(lost) > kLossShare * flight; }

void bound_flight(Bbr3& law, const Path& path, double flight, bool limited)
{
    law.samples_probe = false;
    law.too_high = true;
    if (!limited) law.long_flight = std::max(flight, target_flight(law, path) * kBeta);
    if (law.mode == Mode::up) go_down(law, path);
}

double rate_of(const RateSample& sample)
{
    return sample.interval > 0 ? static_cast<double>(sample.delivered) / seconds(sample.interval) : 0;
}

void measure_bandwidth(Bbr3& law, const Path& path, const RateSample& sample)
{
    const double rate = rate_of(sample);
    law.round_start = law.loss_round_start = false;
    if (!sample.told) return;
    law.latest = std::max(law.latest, rate);
    law.latest_flight = std::max(law.latest_flight, static_cast<double>(sample.delivered));
    if (sample.prior_delivered >= law.loss_round_end) {
        law.loss_round_end = path.delivery.delivered();
        law.loss_round_start = true;
    }
    if (sample.prior_delivered >= law.round_end) {
        begin_round(law, path);
        ++law.rounds_since_probe;
        law.round_start = true;
    }
    if (rate > 0 && (!sample.limited || rate >= law.largest_bandwidth()))
        law.largest[1] = std::max(law.largest[1], rate);
}

// Of a round with losses: what arrived in it is the bound, but for probes.
void follow_losses(Bbr3& law, const Path& path, const RateSample& sample)
{
    law.loss_in_round |= sample.lost > 0;
    if (!law.loss_round_start) return;
    if (law.loss_in_round && !sends_more(law.mode)) {
        if (law.short_bandwidth == Bbr3::kNoBound) law.short_bandwidth = law.largest_bandwidth();
        if (law.short_flight == Bbr3::kNoBound) law.short_flight = path.c.cwnd;
        law.short_bandwidth = std::max(law.latest, kBeta * law.short_bandwidth);
        law.short_flight = std::max(law.latest_flight, kBeta * law.short_flight);
    }
    law.loss_in_round = false;
}

void look_whether_full(Bbr3& law, const RateSample& sample)
{
    const double rate = rate_of(sample);
    if (law.full_now || sample.limited || rate <= 0) return;
    if (rate >= law.full_bandwidth * kFullGrowth) return reset_full(law, rate);
    if (!law.round_start) return;
    law.full_now = ++law.full_rounds >= kFullRounds;
    law.full |= law.full_now;
}

// So many losses in a round of a recovery that the queue must be full.
void look_for_startup_losses(Bbr3& law, const RateSample& sample)
{
    if (law.full) return;
    if (sample.lost > 0 && law.losses_in_round < 15) ++law.losses_in_round;
    if (!law.loss_round_start) return;
    if (law.loss == Bbr::Loss::recovery && law.losses_in_round >= kStartupLosses &&
        too_much(sample.lost_since, sample.flight_then))
    {
        law.full = true;
        law.long_flight = std::max(bandwidth_delay(law, law.largest_bandwidth(), 1), law.latest_flight);
    }
    law.losses_in_round = 0;
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

double probe_rtt_window(const Bbr3& law, const Path& path)
{
    return std::max(bandwidth_delay(law, law.bandwidth(), kProbeRttGain), least_bytes(path));
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

double pacing_gain(Mode mode)
{
    switch (mode) {
        case Mode::startup:
            return kStartupGain;
        case Mode::drain:
            return kDrainGain;
        case Mode::down:
            return kDownGain;
        case Mode::up:
            return kUpGain;
        case Mode::cruise:
        case Mode::refill:
        case Mode::probe_rtt:
            return 1;
    }
    return 1;
}

void pace(Bbr3& law, const Path& path, double gain)
{
    if (!law.measured && path.c.measured) {
        law.measured = true;
        path.pacing.rate = kStartupGain * path.c.cwnd / std::max(path.c.srtt / 8.0 * 1e-6, 1e-6);
    }
    const double rate = law.bandwidth() * gain * kMargin;
    if (rate > 0 && (law.full || rate > path.pacing.rate)) path.pacing.rate = rate;
}

// What the model bounds the window by, whatever the bandwidth would have.
double most_under_way(const Bbr3& law, const Path& path)
{
    double most = Bbr3::kNoBound;
    if (law.mode == Mode::cruise || law.mode == Mode::probe_rtt)
        most = with_headroom(law, path);
    else if (probes_bandwidth(law.mode))
        most = law.long_flight;
    return std::max(std::min(most, law.short_flight), least_bytes(path));
}

void set_window(Bbr3& law, const Path& path, const RateSample& sample)
{
    Connection& c = path.c;
    double window = c.cwnd;
    if (sample.arrived > 0) {
        const double gain = law.mode == Mode::up          ? kUpWindowGain
                            : law.mode == Mode::probe_rtt ? kProbeRttGain
                                                          : kWindowGain;
        double target = bandwidth_delay(law, law.bandwidth(), gain);
        if (law.full) target += law.bunches.allowance(law.bandwidth());
        const double most = window_for(law, path, target);
        if (law.full)
            window = std::min(window + sample.arrived, most);
        else if (window < most || path.delivery.delivered() < law.initial_window)
            window += sample.arrived;
        window = std::max(window, least_bytes(path));
    }
    if (law.mode == Mode::probe_rtt) window = std::min(window, probe_rtt_window(law, path));
    c.cwnd = static_cast<std::uint32_t>(std::min(window, most_under_way(law, path)));
}

}  // namespace

void opened(Bbr3& law, const Path& path)
{
    law = {};
    law.initial_window = path.c.cwnd;
    law.least_rtt_at = law.recent_rtt_at = law.bunches.began = path.now;
    if (path.c.measured) law.least_rtt = law.recent_rtt = Time{path.c.srtt} * kMicrosecond / 8;
    path.pacing.rate = kStartupGain * path.c.cwnd / 1e-3;
    pace(law, path, kStartupGain);
}

void remember(Bbr3& law, const Connection& c)
{
    keep_window(law, c);
    law.undo_bandwidth = law.short_bandwidth;
    law.undo_short_flight = law.short_flight;
    law.undo_long_flight = law.long_flight;
}

void undone(Bbr3& law, Connection& c)
{
    reset_full(law, 0);
    law.loss_in_round = false;
    law.short_bandwidth = std::max(law.short_bandwidth, law.undo_bandwidth);
    law.short_flight = std::max(law.short_flight, law.undo_short_flight);
    law.long_flight = std::max(law.long_flight, law.undo_long_flight);
    c.cwnd = std::max(c.cwnd, law.prior_window);
}

void lost(Bbr3& law, const Path& path, const LostSegment& segment)
{
    if (!law.loss_in_round) law.loss_round_end = path.delivery.delivered();  // the first one: a round from here on
    law.loss_in_round = true;
    if (!law.samples_probe || !too_much(segment.lost_since, segment.flight)) return;
    // Where in the flight more than the share was lost.
    const double before = segment.flight - std::min(segment.flight, segment.size);
    const double lost_before = static_cast<double>(segment.lost_since) - segment.size;
    const double prefix = (kLossShare * before - lost_before) / (1 - kLossShare);
    bound_flight(law, path, before + std::max(prefix, 0.0), segment.limited);
}

void control(Bbr3& law, const Path& path, const RateSample& sample, std::uint32_t flight, Bbr::Loss loss)
{
    if (law.loss == Bbr::Loss::time_out && loss != Bbr::Loss::time_out)
        path.c.cwnd = std::max(path.c.cwnd, law.prior_window);
    if (loss == Bbr::Loss::time_out && law.loss != Bbr::Loss::time_out) {
        reset_full(law, 0);
        if (!sends_more(law.mode) && law.short_flight == Bbr3::kNoBound) law.short_flight = law.prior_window;
    }
    law.loss = loss;
    measure_bandwidth(law, path, sample);
    follow_losses(law, path, sample);
    law.bunches.add(path, sample, law.bandwidth(), law.round_start);
    look_whether_full(law, sample);
    look_for_startup_losses(law, sample);
    drain(law, path, flight);
    follow_phases(law, path, sample, flight);
    measure_rtt(law, path, sample, flight);
    if (law.loss_round_start) {
        law.latest = rate_of(sample);
        law.latest_flight = static_cast<double>(sample.delivered);
    }
    pace(law, path, pacing_gain(law.mode));
    set_window(law, path, sample);
}

void resumed(Bbr3& law, const Path& path)
{
    if (!path.delivery.application_limited()) return;
    law.idle_restart = true;
    law.bunches.restart(path.now);
    if (probes_bandwidth(law.mode))
        pace(law, path, 1);
    else if (law.mode == Mode::probe_rtt)
        leave_probe_rtt(law, path);
}

}  // namespace anml::rt::tcp::law::bbr3

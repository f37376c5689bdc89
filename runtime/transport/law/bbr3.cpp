#include "transport/law/bbr3.h"

#include <algorithm>

#include "transport/law/bbr3_model.h"

namespace anml::rt::tcp::law::bbr3 {

namespace {

using bbr::kFullGrowth;
using bbr::kFullRounds;
using bbr::kMargin;

constexpr double kStartupGain = 2.77;  // 4 ln 2
constexpr double kDrainGain = 1000.0 / 2885;
constexpr double kDownGain = 0.91, kUpGain = 1.25;
constexpr std::uint8_t kStartupLosses = 6;  // acknowledgments of a round that told of some
constexpr double kWindowGain = 2, kUpWindowGain = 2.25;

bool sends_more(Mode mode) { return mode == Mode::startup || mode == Mode::refill || mode == Mode::up; }

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

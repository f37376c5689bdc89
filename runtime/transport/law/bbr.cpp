#include "transport/law/bbr.h"

#include <algorithm>

namespace anml::rt::tcp::law::bbr {

namespace {

using Mode = Bbr::Mode;

constexpr double kHighGain = 2885.0 / 1000 + 0.001;  // 2 / ln 2
constexpr double kDrainGain = 1000.0 / 2885, kWindowGain = 2;
constexpr double kCycle[] = {1.25, 0.75, 1, 1, 1, 1, 1, 1};
constexpr std::uint8_t kPhases = 8, kRandomPhases = 7;
constexpr std::uint32_t kBandwidthRounds = kPhases + 2;
constexpr Time kRttWindow = 10 * kSecond;

double bandwidth_delay(const Bbr& law, double gain)
{
    if (law.least_rtt == kNever) return law.initial_window;
    return law.bandwidth.value() * in_seconds(law.least_rtt) * gain;
}

std::uint32_t window_for(const Bbr& law, const Path& path, double bytes)
{
    const bool probes = law.mode == Mode::probe_bandwidth && law.phase == 0;
    return with_budget(path, bytes) + (probes ? 2 * path.c.mss : 0);
}

std::uint32_t in_flight(const Bbr& law, const Path& path, double gain)
{
    return window_for(law, path, bandwidth_delay(law, gain));
}

void pace(Bbr& law, const Path& path, double gain)
{
    if (!law.measured && path.c.measured) {
        law.measured = true;
        path.pacing.rate = kHighGain * path.c.cwnd / std::max(path.c.srtt / 8.0 * 1e-6, 1e-6);
    }
    const double rate = law.bandwidth.value() * gain * kMargin;
    if (rate > 0 && (law.full || rate > path.pacing.rate)) path.pacing.rate = rate;
}

// Any phase but the one that drains, so that flows do not probe together.
void enter_probe_bandwidth(Bbr& law, const Path& path)
{
    law.mode = Mode::probe_bandwidth;
    law.phase = static_cast<std::uint8_t>((kPhases - draw(path) % kRandomPhases) % kPhases);
    law.cycle_began = path.delivery.delivered_at();
}

void measure_bandwidth(Bbr& law, const Path& path, const RateSample& sample)
{
    law.round_start = false;
    if (sample.interval <= 0) return;
    if (sample.prior_delivered >= law.round_end) {
        law.round_end = path.delivery.delivered();
        ++law.rounds;
        law.round_start = true;
        law.conserves = false;
    }
    const double rate = static_cast<double>(sample.delivered) / in_seconds(sample.interval);
    if (!sample.limited || rate >= law.bandwidth.value()) law.bandwidth.add(rate, law.rounds, kBandwidthRounds);
}

void follow_cycle(Bbr& law, const Path& path, const RateSample& sample)
{
    if (law.mode != Mode::probe_bandwidth) return;
    const bool whole = path.delivery.delivered_at() - law.cycle_began > law.least_rtt;
    const double gain = kCycle[law.phase];
    const std::uint32_t flight = sample.flight_before;
    bool over = whole;
    if (gain > 1) over = whole && (sample.lost > 0 || flight >= in_flight(law, path, gain));
    if (gain < 1) over = whole || flight <= in_flight(law, path, 1);
    if (!over) return;
    law.phase = static_cast<std::uint8_t>((law.phase + 1) % kPhases);
    law.cycle_began = path.delivery.delivered_at();
}

void look_whether_full(Bbr& law, const RateSample& sample)
{
    if (law.full || !law.round_start || sample.limited) return;
    if (law.bandwidth.value() >= law.full_bandwidth * kFullGrowth) {
        law.full_bandwidth = law.bandwidth.value();
        law.full_rounds = 0;
        return;
    }
    law.full = ++law.full_rounds >= kFullRounds;
}

void drain(Bbr& law, const Path& path, std::uint32_t flight)
{
    if (law.mode == Mode::startup && law.full) law.mode = Mode::drain;
    if (law.mode == Mode::drain && flight <= in_flight(law, path, 1)) enter_probe_bandwidth(law, path);
}

void leave_probe_rtt(Bbr& law, const Path& path)
{
    if (law.probe_done == 0 || path.now <= law.probe_done) return;
    law.least_rtt_at = path.now;
    path.c.cwnd = std::max(path.c.cwnd, law.prior_window);
    if (law.full)
        enter_probe_bandwidth(law, path);
    else
        law.mode = Mode::startup;
}

void measure_rtt(Bbr& law, const Path& path, const RateSample& sample, std::uint32_t flight)
{
    const bool expired = path.now > law.least_rtt_at + kRttWindow;
    if (sample.rtt >= 0 && (sample.rtt < law.least_rtt || expired)) {
        law.least_rtt = sample.rtt;
        law.least_rtt_at = path.now;
    }
    if (expired && !law.idle_restart && law.mode != Mode::probe_rtt) {
        remember_window(law, path.c);
        law.mode = Mode::probe_rtt;
        law.probe_done = 0;
    }
    if (law.mode == Mode::probe_rtt) {
        path.delivery.application_limits(flight);  // what is measured now is no bandwidth
        if (law.probe_done == 0 && flight <= kLeastWindow * path.c.mss) {
            law.probe_done = path.now + kProbeRtt;
            law.round_done = false;
            law.round_end = path.delivery.delivered();
        } else if (law.probe_done != 0) {
            law.round_done |= law.round_start;
            if (law.round_done) leave_probe_rtt(law, path);
        }
    }
    if (sample.arrived > 0) law.idle_restart = false;
}

void set_gains(Bbr& law)
{
    switch (law.mode) {
        case Mode::startup:
            law.pacing_gain = law.window_gain = kHighGain;
            break;
        case Mode::drain:
            law.pacing_gain = kDrainGain;
            law.window_gain = kHighGain;
            break;
        case Mode::probe_bandwidth:
            law.pacing_gain = kCycle[law.phase];
            law.window_gain = kWindowGain;
            break;
        case Mode::probe_rtt:
            law.pacing_gain = law.window_gain = 1;
            break;
    }
}

// What losses make of the window. True: that is all.
bool follow_loss(Bbr& law, const Path& path, const RateSample& sample, std::uint32_t flight, Bbr::Loss loss)
{
    Connection& c = path.c;
    const std::uint32_t mss = c.mss;
    if (sample.lost > 0) c.cwnd = std::max(c.cwnd - std::min(c.cwnd, sample.lost), mss);
    if (loss == Bbr::Loss::recovery && law.loss != Bbr::Loss::recovery) {
        law.conserves = true;  // for a round
        law.round_end = path.delivery.delivered();
        c.cwnd = flight + sample.arrived;
    } else if (law.loss != Bbr::Loss::none && loss == Bbr::Loss::none) {
        c.cwnd = std::max(c.cwnd, law.prior_window);
        law.conserves = false;
    }
    law.loss = loss;
    if (!law.conserves) return false;
    c.cwnd = std::max(c.cwnd, flight + sample.arrived);
    return true;
}

void set_window(Bbr& law, const Path& path, const RateSample& sample, std::uint32_t flight, Bbr::Loss loss)
{
    Connection& c = path.c;
    const std::uint32_t mss = c.mss;
    if (sample.arrived > 0 && !follow_loss(law, path, sample, flight, loss)) {
        double target = bandwidth_delay(law, law.window_gain);
        if (law.full) target += law.bunches.allowance(law.bandwidth.value());
        const std::uint32_t most = window_for(law, path, target);
        if (law.full)
            c.cwnd = std::min(c.cwnd + sample.arrived, most);
        else if (c.cwnd < most || path.delivery.delivered() < law.initial_window)
            c.cwnd += sample.arrived;
        c.cwnd = std::max(c.cwnd, kLeastWindow * mss);
    }
    if (law.mode == Mode::probe_rtt) c.cwnd = std::min(c.cwnd, kLeastWindow * mss);
}

}  // namespace

void opened(Bbr& law, const Path& path)
{
    law = {};
    law.initial_window = path.c.cwnd;
    law.least_rtt_at = law.bunches.began = path.now;
    if (path.c.measured) law.least_rtt = Time{path.c.srtt} * kMicrosecond / 8;
    set_gains(law);
    path.pacing.rate = kHighGain * path.c.cwnd / 1e-3;
    pace(law, path, kHighGain);
}

void remember_window(Bbr& law, const Connection& c)
{
    const bool as_it_is = law.loss == Bbr::Loss::none && law.mode != Mode::probe_rtt;
    law.prior_window = as_it_is ? c.cwnd : std::max(law.prior_window, c.cwnd);
}

void control(Bbr& law, const Path& path, const RateSample& sample, std::uint32_t flight, Bbr::Loss loss)
{
    measure_bandwidth(law, path, sample);
    law.bunches.add(path, sample, law.bandwidth.value(), law.round_start);
    follow_cycle(law, path, sample);
    look_whether_full(law, sample);
    drain(law, path, flight);
    measure_rtt(law, path, sample, flight);
    set_gains(law);
    pace(law, path, law.pacing_gain);
    set_window(law, path, sample, flight, loss);
}

void resumed(Bbr& law, const Path& path)
{
    if (!path.delivery.application_limited()) return;
    law.idle_restart = true;
    law.bunches.restart(path.now);
    if (law.mode == Mode::probe_bandwidth)
        pace(law, path, 1);
    else if (law.mode == Mode::probe_rtt)
        leave_probe_rtt(law, path);
}

}  // namespace anml::rt::tcp::law::bbr

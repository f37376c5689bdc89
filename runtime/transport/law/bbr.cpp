#include "transport/law/bbr.h"

#include <algorithm>
#include <cmath>

#include "common/mix.h"

namespace anml::rt::tcp::law::bbr {

namespace {

using Mode = Bbr::Mode;

constexpr double kHighGain = 2885.0 / 1000 + 0.001;  // 2 / ln 2
constexpr double kDrainGain = 1000.0 / 2885, kWindowGain = 2;
constexpr double kCycle[] = {1.25, 0.75, 1, 1, 1, 1, 1, 1};
constexpr std::uint8_t kPhases = 8, kRandomPhases = 7;
constexpr std::uint32_t kBandwidthRounds = kPhases + 2;
constexpr Time kRttWindow = 10 * kSecond, kProbeRtt = 200 * kMillisecond;
constexpr std::uint32_t kLeastWindow = 4;  // segments
constexpr double kFullGrowth = 1.25;
constexpr std::uint8_t kFullRounds = 3;
constexpr double kMargin = 0.99;       // of the bandwidth is paced at
constexpr std::uint8_t kPeriod = 5;    // rounds, of the largest bunch
constexpr double kLongestBunch = 0.1;  // s, at the bandwidth
constexpr double kBurst = 0.001;       // s, of what leaves at once where segments are joined
constexpr double kSlow = 1.2e6 / 8;    // bytes/s, below which single segments leave

double seconds(Time t) { return static_cast<double>(t) / 1e9; }

// What Linux's segments that are joined for the device make of a window: room for three of them, and an even number.
std::uint32_t with_budget(const Bbr& law, const Path& path, double bytes)
{
    const std::uint32_t mss = path.c.mss;
    const double most = std::max(path.pacing.rate * kBurst / mss, path.pacing.rate < kSlow ? 1.0 : 2.0);
    auto segments =
        static_cast<std::uint32_t>(std::ceil(bytes / mss)) + 3 * static_cast<std::uint32_t>(std::min(most, 44.0));
    segments = (segments + 1) & ~1u;
    if (law.mode == Mode::probe_bandwidth && law.phase == 0) segments += 2;
    return segments * mss;
}

double bandwidth_delay(const Bbr& law, double gain)
{
    if (law.least_rtt == kNever) return law.initial_window;
    return law.bandwidth.value() * seconds(law.least_rtt) * gain;
}

std::uint32_t in_flight(const Bbr& law, const Path& path, double gain)
{
    return with_budget(law, path, bandwidth_delay(law, gain));
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
    const Connection& c = path.c;
    const std::uint64_t key = mix(std::uint64_t{number(c.local)} << 32 | number(c.remote)) ^
                              (std::uint64_t{c.local_port} << 16 | c.remote_port) ^
                              static_cast<std::uint64_t>(path.now);
    law.mode = Mode::probe_bandwidth;
    law.phase = static_cast<std::uint8_t>((kPhases - mix(key) % kRandomPhases) % kPhases);
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
    const double rate = static_cast<double>(sample.delivered) / seconds(sample.interval);
    if (!sample.limited || rate >= law.bandwidth.value()) law.bandwidth.add(rate, law.rounds, kBandwidthRounds);
}

void measure_bunches(Bbr& law, const Path& path, const RateSample& sample)
{
    if (sample.arrived == 0 || sample.interval <= 0) return;
    if (law.round_start && ++law.period_rounds >= kPeriod) {
        law.period_rounds = 0;
        law.period ^= 1;
        law.beyond[law.period] = 0;
    }
    const Time at = path.delivery.delivered_at();
    double expected = law.bandwidth.value() * seconds(at - law.bunch_began);
    if (static_cast<double>(law.bunch) <= expected) {
        law.bunch = 0;
        law.bunch_began = at;
        expected = 0;
    }
    law.bunch += sample.arrived;
    const double beyond = std::min(static_cast<double>(law.bunch) - expected, static_cast<double>(path.c.cwnd));
    law.beyond[law.period] = std::max(law.beyond[law.period], static_cast<std::uint32_t>(beyond));
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
        if (law.full)
            target += std::min<double>(std::max(law.beyond[0], law.beyond[1]), law.bandwidth.value() * kLongestBunch);
        const std::uint32_t most = with_budget(law, path, target);
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
    law.least_rtt_at = law.bunch_began = path.now;
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
    measure_bunches(law, path, sample);
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
    law.bunch_began = path.now;
    law.bunch = 0;
    if (law.mode == Mode::probe_bandwidth)
        pace(law, path, 1);
    else if (law.mode == Mode::probe_rtt)
        leave_probe_rtt(law, path);
}

}  // namespace anml::rt::tcp::law::bbr

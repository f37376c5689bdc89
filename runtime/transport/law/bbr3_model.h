// What the files of BBR, version 3, share (bbr3.h): the model of the path, and the phases of probing, which are in
// bbr3_phases.cpp.
#pragma once

#include <algorithm>

#include "transport/law/bbr3.h"

namespace anml::rt::tcp::law::bbr3 {

using Mode = Bbr3::Mode;
using Acks = Bbr3::Acks;

inline constexpr double kProbeRttGain = 0.5;
inline constexpr double kLossShare = 0.02;  // of what is under way, above which it was too much
inline constexpr double kBeta = 0.7, kHeadroom = 0.15;

inline bool probes_bandwidth(Mode mode) { return mode >= Mode::down && mode <= Mode::up; }

inline double least_bytes(const Path& path) { return bbr::kLeastWindow * path.c.mss; }

inline double bandwidth_delay(const Bbr3& law, double bandwidth, double gain)
{
    return law.least_rtt == kNever ? law.initial_window : bandwidth * in_seconds(law.least_rtt) * gain;
}

inline double window_for(const Bbr3& law, const Path& path, double bytes)
{
    const double window = std::max<double>(bbr::with_budget(path, bytes), least_bytes(path));
    return window + (law.mode == Mode::up ? 2 * path.c.mss : 0);
}

inline double with_headroom(const Bbr3& law, const Path& path)
{
    if (law.long_flight == Bbr3::kNoBound) return law.long_flight;
    const double room = std::max<double>(path.c.mss, kHeadroom * law.long_flight);
    return std::max(law.long_flight - room, least_bytes(path));
}

inline double rate_of(const RateSample& sample)
{
    return sample.interval > 0 ? static_cast<double>(sample.delivered) / in_seconds(sample.interval) : 0;
}

inline void begin_round(Bbr3& law, const Path& path) { law.round_end = path.delivery.delivered(); }

inline void reset_full(Bbr3& law, double bandwidth)
{
    law.full_bandwidth = bandwidth;
    law.full_rounds = 0;
    law.full_now = false;
}

inline void forget_short_bounds(Bbr3& law) { law.short_bandwidth = law.short_flight = Bbr3::kNoBound; }

inline void reset_losses(Bbr3& law)
{
    law.loss_in_round = false;
    law.latest = law.latest_flight = 0;
}

inline bool too_much(std::uint64_t lost, std::uint32_t flight)
{
    return static_cast<double>(lost) > kLossShare * flight;
}

inline double probe_rtt_window(const Bbr3& law, const Path& path)
{
    return std::max(bandwidth_delay(law, law.bandwidth(), kProbeRttGain), least_bytes(path));
}

inline double target_flight(const Bbr3& law, const Path& path)
{
    return std::min<double>(window_for(law, path, bandwidth_delay(law, law.bandwidth(), 1)), path.c.cwnd);
}

// The phases of BBR's probing: how one follows another.
void bound_flight(Bbr3& law, const Path& path, double flight, bool limited);  // a probe lost too much
void drain(Bbr3& law, const Path& path, std::uint32_t flight);
void follow_phases(Bbr3& law, const Path& path, const RateSample& sample, std::uint32_t flight);
void measure_rtt(Bbr3& law, const Path& path, const RateSample& sample, std::uint32_t flight);
void keep_window(Bbr3& law, const Connection& c);
void leave_probe_rtt(Bbr3& law, const Path& path);

}  // namespace anml::rt::tcp::law::bbr3

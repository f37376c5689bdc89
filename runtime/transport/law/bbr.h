// BBR, version 1 (Cardwell et al., ACM Queue 14(5), 2016; draft-cardwell-iccrg-bbr-congestion-control-00): what may be
// under way, and how fast it leaves, follow from the rate at which segments arrive and the least round trip, not from
// losses. Constants are Linux's (tcp_bbr.c), and so is the allowance for acknowledgments that come in bunches. Its
// detection of policers is left out.
//
// Such a sender paces. Its window is its own: what recovery and time-outs make of those of other laws does not apply
// (law::rules).
#pragma once

#include <cstdint>

#include "base/time.h"
#include "transport/connection.h"
#include "transport/law/bbr_path.h"
#include "transport/law/windowed_max.h"

namespace anml::rt::tcp::law {

struct Bbr {
    enum class Mode : std::uint8_t { startup, drain, probe_bandwidth, probe_rtt };
    // What recovery the connection is in.
    enum class Loss : std::uint8_t { none, recovery, time_out };

    WindowedMax bandwidth;  // bytes/s, by rounds
    double pacing_gain = 0, window_gain = 0;
    double full_bandwidth = 0;  // as the pipe seemed to be full for the first time
    Time least_rtt = kNever, least_rtt_at = 0;
    Time probe_done = 0;  // when PROBE_RTT may end; 0: the window has not shrunk yet
    Time cycle_began = 0;
    std::uint64_t round_end = 0;  // delivered bytes
    std::uint32_t rounds = 0;
    std::uint32_t initial_window = 0, prior_window = 0;
    Bunches bunches;
    Mode mode = Mode::startup;
    Loss loss = Loss::none;
    std::uint8_t full_rounds = 0, phase = 0;
    bool round_start = false, full = false, round_done = false, conserves = false, idle_restart = false,
         measured = false;
};

namespace bbr {

void opened(Bbr& law, const Path& path);
// An acknowledgment is understood; `flight` bytes are under way.
void control(Bbr& law, const Path& path, const RateSample& sample, std::uint32_t flight, Bbr::Loss loss);
// Sending goes on after all was acknowledged.
void resumed(Bbr& law, const Path& path);
// A recovery begins, or the retransmission timer has expired.
void remember_window(Bbr& law, const Connection& c);

}  // namespace bbr
}  // namespace anml::rt::tcp::law

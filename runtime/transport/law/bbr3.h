// BBR, version 3 (draft-ietf-ccwg-bbr; Google's kernels): as version 1 the rate at which segments arrive and the least
// round trip say what may be under way, and losses bound it: what the path held in the long term when more than 2 % of
// it were lost, and in the short term what arrived in the last round. It probes for bandwidth every two to three
// seconds, or as often as Reno would have grown by as much, and leaves headroom else. Where the draft and the kernel
// differ the kernel counts; ECN, which its default ignores, is left out.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "base/time.h"
#include "transport/law/bbr.h"
#include "transport/law/bbr_path.h"

namespace anml::rt::tcp::law {

struct Bbr3 {
    enum class Mode : std::uint8_t { startup, drain, down, cruise, refill, up, probe_rtt };
    // Where acknowledgments come from: what was sent before a probe, while the pipe is filled, or by the probe; or what
    // follows it.
    enum class Acks : std::uint8_t { none, refilling, starting, feedback, stopping };
    static constexpr double kNoBound = std::numeric_limits<double>::infinity();

    // The largest bandwidth (bytes/s) of this cycle of probing and of the last; of the last round; the bound of the
    // short term.
    std::array<double, 2> largest{};
    double latest = 0, short_bandwidth = kNoBound;
    double long_flight = kNoBound, short_flight = kNoBound, latest_flight = 0;  // bytes, bounds of what is under way
    // These bounds as a recovery began.
    double undo_bandwidth = kNoBound, undo_short_flight = kNoBound, undo_long_flight = kNoBound;
    double full_bandwidth = 0;
    double probe_arrived = 0, probe_step = kNoBound;  // bytes: for each `step` that arrives a segment more
    Time least_rtt = kNever, least_rtt_at = 0;        // of ten seconds
    Time recent_rtt = kNever, recent_rtt_at = 0;      // of five
    Time probe_rtt_done = 0;                          // 0: the window has not shrunk yet
    Time phase_began = 0, probe_wait = 0;
    std::uint64_t round_end = 0, loss_round_end = 0;  // delivered bytes
    std::uint32_t initial_window = 0, prior_window = 0;
    std::uint32_t rounds_since_probe = 0;
    Bunches bunches;
    Mode mode = Mode::startup;
    Acks acks = Acks::none;
    Bbr::Loss loss = Bbr::Loss::none;
    std::uint8_t full_rounds = 0, probe_rounds = 0, losses_in_round = 0;
    bool round_start = false, loss_round_start = false, loss_in_round = false;
    bool full_now = false, full = false, samples_probe = false, round_done = false, idle_restart = false,
         measured = false;
    bool too_high = false, stopped_risky = false;  // the last probe; this one ended where that one was too much

    double largest_bandwidth() const { return largest[0] > largest[1] ? largest[0] : largest[1]; }
    double bandwidth() const { return short_bandwidth < largest_bandwidth() ? short_bandwidth : largest_bandwidth(); }
};

namespace bbr3 {

using bbr::Path;

void opened(Bbr3& law, const Path& path);
// A segment is found to be lost.
void lost(Bbr3& law, const Path& path, const LostSegment& segment);
// An acknowledgment is understood; `flight` bytes are under way.
void control(Bbr3& law, const Path& path, const RateSample& sample, std::uint32_t flight, Bbr::Loss loss);
// Sending goes on after all was acknowledged.
void resumed(Bbr3& law, const Path& path);
// A recovery begins, or the retransmission timer has expired.
void remember(Bbr3& law, const Connection& c);
// It was in vain.
void undone(Bbr3& law, Connection& c);

}  // namespace bbr3
}  // namespace anml::rt::tcp::law

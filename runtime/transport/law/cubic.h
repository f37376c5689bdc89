// CUBIC (RFC 9438): after a loss the window grows with the cube of time towards the window before it, is level there,
// and goes on beyond; at least as fast as NewReno's would with the same reduction. With fast convergence, and HyStart
// in slow start. All arithmetic is of integers, and windows are whole segments, as in Linux: a small window climbs one
// of them in a round trip where the curve in real numbers asks for a part of it.
//
// Where the RFC leaves a choice, or Linux (tcp_cubic.c) does otherwise, it is Linux's, since that is what users compare
// with: a time-out forgets the window before it; the Reno-friendly window grows by 8/15 of a segment for good; before
// the first loss the window grows by a twentieth in a round trip at least; how fast it grows is found anew when it has
// grown, else 32 times a second; a loss that was none leaves the curve behind.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "transport/connection.h"
#include "transport/law/hystart.h"

namespace anml::rt::tcp::law {
struct Cubic {
    Time epoch = kNever;       // avoidance since the last loss began; kNever: it has not yet
    std::uint32_t most = 0;    // W_max: the window before the last loss, or less by fast convergence; 0: there was none
    std::uint32_t origin = 0;  // where the curve is level
    std::uint32_t k = 0;       // and when, after the epoch, in 1/1024 s
    std::uint32_t friendly = 0;                     // W_est, in segments
    std::uint64_t credit = 0, friendly_credit = 0;  // what divisions have left
    std::uint64_t count = 0;                        // bytes that have to arrive for a segment more in the window
    std::uint32_t counted_for = 0;                  // the window then, in segments
    Time counted_at = 0;
    std::uint32_t least_rtt = 0;  // microseconds; 0: none was measured
    HyStart hystart;
};

namespace cubic {

// The integer cube root, rounded down.
std::uint32_t cube_root(std::uint64_t a);
// K: when a window of `reduced` has grown to `origin`, in 1/1024 s.
std::uint32_t time_to(std::uint32_t origin, std::uint32_t reduced, std::uint32_t mss);
// W_cubic: the window `t` after the epoch.
std::uint64_t window(std::uint32_t origin, std::uint32_t k, Time t, std::uint32_t mss);

void opened(Cubic& law, const Connection& c, Time now);
void acknowledged(Cubic& law, Connection& c, std::uint32_t rtt, Time now);  // in microseconds
void increase(Cubic& law, Connection& c, std::uint32_t bytes, Time now);
std::uint32_t threshold(Cubic& law, const Connection& c, std::uint32_t flight);
void resumed(Cubic& law, Time idle, Time now);
void timed_out(Cubic& law, const Connection& c, Time now);

}  // namespace cubic
}  // namespace anml::rt::tcp::law

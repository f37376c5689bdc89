// Vegas (Brakmo and Peterson, IEEE JSAC 13(8), 1995): once in a round trip the window is compared with what an empty
// path would hold of it. Of the difference, which lies in queues, two to four segments are aimed at. As Linux has it
// (tcp_vegas.c): rounds with few measurements grow as NewReno, and so do losses, which leave a half.
#pragma once

#include <cstdint>

#include "transport/connection.h"

namespace anml::rt::tcp::law {

struct Vegas {
    static constexpr std::uint32_t kAlpha = 2, kBeta = 4, kGamma = 1;  // segments

    std::uint32_t base_rtt = 0xffffffff;   // the least of all, microseconds
    std::uint32_t round_rtt = 0xffffffff;  // and of this round
    std::uint32_t round_end = 0;
    std::uint32_t samples = 0;
    bool few = true;  // the last round had too few to tell
};

namespace vegas {

void opened(Vegas& law, const Connection& c);
void acknowledged(Vegas& law, Connection& c, std::uint32_t rtt);  // in microseconds
void increase(const Vegas& law, Connection& c, std::uint32_t bytes);
void begin_round(Vegas& law, const Connection& c);

}  // namespace vegas
}  // namespace anml::rt::tcp::law

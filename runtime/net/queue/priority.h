// Strict priority by DSCP: bands, each first in, first out, of which one is served only while none before it has a
// packet. A band has the bounds of the queue for itself, as in Linux's prio and pfifo_fast: a full one takes nothing
// from others.
#pragma once

#include <cstdint>
#include <span>

#include "net/queue/discipline.h"
#include "net/queue/parameters.h"

namespace anml::rt::priority {

inline constexpr std::uint32_t kBands = 8;

struct State {
    WaitingList bands[kBands];
};

// As Linux's rt_tos2priority and prio2band sort what is forwarded: by the two bits that were "low delay" and
// "throughput" in RFC 1349, whatever DSCP they now belong to.
inline std::uint32_t linux_band(std::uint32_t dscp)
{
    constexpr std::uint32_t kBand[4] = {1, 2, 0, 1};
    return kBand[dscp >> 1 & 3];
}

// RFC 8325, section 4.3, and RFC 8622 for the lower effort: voice, video, best effort, background.
inline std::uint32_t wifi_band(std::uint32_t dscp)
{
    switch (dscp) {
        case 56:  // CS7
        case 48:  // CS6
        case 46:  // EF
        case 44:  // voice admit
            return 0;
        case 40:  // CS5
        case 38:  // AF43, AF42, AF41, CS4
        case 36:
        case 34:
        case 32:
        case 30:  // AF33, AF32, AF31, CS3
        case 28:
        case 26:
        case 24:
            return 1;
        case 8:  // CS1
        case 1:  // LE
            return 3;
        default:
            return 2;
    }
}

inline std::uint32_t band_of(const Parameters& parameters, const Packet& packet)
{
    const std::uint32_t dscp = packet.traffic_class >> 2;
    switch (parameters.bands) {
        case Parameters::PriorityBands::class_selector:
            return 7 - (dscp >> 3);
        case Parameters::PriorityBands::linux_prio:
            return linux_band(dscp);
        case Parameters::PriorityBands::wifi:
            return wifi_band(dscp);
        case Parameters::PriorityBands::expedited:
            break;
    }
    return dscp == 46 || dscp == 44 || dscp == 48 || dscp == 56 ? 0 : 1;
}

inline bool admit(State& state, const Parameters& parameters, LinkQueue& queue, const Waiting& packet)
{
    WaitingList& band = state.bands[band_of(parameters, queue.packet(packet))];
    if (!queue.idle() && !queue.within(band.packets() + 1, band.bytes() + packet.bytes)) return false;
    queue.push(band, packet);
    return true;
}

inline Waiting next(State& state, const Parameters&, LinkQueue& queue)
{
    for (WaitingList& band : state.bands)
        if (!band.empty()) return queue.pop(band);
    return {};
}

inline std::span<WaitingList> lists(State& state) { return state.bands; }

}  // namespace anml::rt::priority

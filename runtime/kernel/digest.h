// The digest of a run: an order-free sum of a hash per packet whose fate is decided. It covers what the packet was,
// where and when it went, how and when it ended: two runs with equal digests moved the same packets alike.
#pragma once

#include <cstdint>

#include "base/mix.h"
#include "base/time.h"
#include "kernel/packet.h"

namespace anml::rt {

enum class Fate : std::uint8_t {
    delivered,  // reached the node it was addressed to
    queue,      // dropped: the queue was full
    ttl,
    mtu,
    no_route,
    malformed,  // not understood by the node it reached
    lost,       // by a link
    corrupted,  // its checksum was wrong where it arrived
    link_down,  // on a link that went down, or was down
};

// The trail after arriving over `link` at `time`.
inline std::uint64_t follow(std::uint64_t trail, LinkId link, Time time)
{
    trail = (trail ^ static_cast<std::uint64_t>(time)) * 0x9e3779b97f4a7c15u;
    trail = (trail ^ (trail >> 32) ^ link) * 0xd6e8feb86659fd93u;
    return trail ^ (trail >> 32);
}

inline std::uint64_t packet_hash(const Packet& p, Fate fate, Time time)
{
    auto pair = [](std::uint64_t high, std::uint64_t low) { return high << 32 | low; };
    std::uint64_t hash = mix(pair(p.source, p.destination) + 1);
    hash = mix(hash ^ pair(std::uint32_t{p.source_port} << 16 | p.destination_port,
                           std::uint32_t{p.length} << 16 | p.identification));
    hash = mix(hash ^ pair(p.sequence, p.acknowledgment));
    hash = mix(hash ^ pair(p.icmp_rest, std::uint32_t{p.payload} << 16 | p.mss));
    hash = mix(hash ^ pair(std::uint32_t{p.window} << 16 | p.protocol << 8 | p.tcp_flags,
                           p.icmp_type << 16 | p.icmp_code << 8 | p.flags));
    hash = mix(hash ^ p.trail);
    // Three bits below the time, the rest at the other end.
    const auto bits = static_cast<std::uint64_t>(fate);
    return mix(hash ^ (static_cast<std::uint64_t>(time) << 3 | (bits & 7)) ^ bits >> 3 << 62);
}

}  // namespace anml::rt

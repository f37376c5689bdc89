// The digest of a run: an order-free sum of a hash per packet that was delivered or dropped. It covers what the packet
// was, all fields and options and what its payload is, where and when it went, how and when it ended: two runs with
// equal digests moved the same packets alike.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "base/time.h"
#include "common/mix.h"
#include "net/packet/packet.h"

namespace anml::rt {

// Of DropCounters, in an order that the digest keeps.
enum class DropReason : std::uint8_t {
    none,   // it reached the node that it was addressed to
    queue,  // the queue was full
    ttl,
    mtu,
    no_route,
    malformed,   // not understood by the node it reached
    lost,        // by a link
    corrupted,   // its checksum was wrong where it arrived
    link,        // it went down, or was down
    processing,  // too many waited for a node's processor
    middlebox,   // a NAT or a firewall lets it not pass
};

// The trail after arriving over `link` at `time`.
inline std::uint64_t follow(std::uint64_t trail, LinkId link, Time time)
{
    trail = (trail ^ static_cast<std::uint64_t>(time)) * 0x9e3779b97f4a7c15u;
    trail = (trail ^ (trail >> 32) ^ link) * 0xd6e8feb86659fd93u;
    return trail ^ (trail >> 32);
}

// Of the bytes of a packet's buffer.
inline std::uint64_t bytes_hash(std::span<const std::uint8_t> bytes)
{
    std::uint64_t hash = mix(bytes.size() + 1);
    for (; !bytes.empty(); bytes = bytes.subspan(std::min<std::size_t>(8, bytes.size()))) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), std::min<std::size_t>(8, bytes.size()));
        hash = mix(hash ^ word);
    }
    return hash;
}

// The record goes in as it is, without a gap, so that no field is forgotten. Only where its buffer lies says nothing:
// `bytes` is the hash of what the buffer holds, 0 without one.
inline std::uint64_t packet_hash(const Packet& packet, std::uint64_t bytes, DropReason reason, Time time)
{
    static_assert(std::has_unique_object_representations_v<Packet>);
    using Words = std::array<std::uint64_t, 8>;
    constexpr std::size_t kPlace = offsetof(Packet, buffer) / 8;
    static_assert(offsetof(Packet, buffer) % 8 == 0 && std::endian::native == std::endian::little);
    Words words = std::bit_cast<Words>(packet);
    words[kPlace] >>= 32;
    // Pairs of words multiply to 128 bits, whose halves are folded (as wyhash does it); the keys are the digits of pi.
    constexpr Words kKeys = {0x243f6a8885a308d3u, 0x13198a2e03707344u, 0xa4093822299f31d0u, 0x082efa98ec4e6c89u,
                             0x452821e638d01377u, 0xbe5466cf34e90c6cu, 0xc0ac29b7c97c50ddu, 0x3f84d5b5b5470917u};
    std::uint64_t hash = bytes;
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const auto product = static_cast<unsigned __int128>(words[i] ^ kKeys[i]) * (words[i + 1] ^ kKeys[i + 1]);
        hash += static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    }
    // Three bits of the reason lie below the time, the rest at the other end.
    const auto bits = static_cast<std::uint64_t>(reason);
    return mix(mix(hash) ^ (static_cast<std::uint64_t>(time) << 3 | (bits & 7)) ^ bits >> 3 << 62);
}

}  // namespace anml::rt

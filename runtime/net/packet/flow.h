// A flow: packets that take the same way where several are equally short (RFC 2992's hash, modulo nothing but the
// number of links). The hash is keyed by the seed and the node: routers choose independently of each other, so that
// what one has sorted out is spread again by the next, and in the same way each time, whatever task runs them.
#pragma once

#include <cstdint>

#include "common/mix.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct Flow {
    Address source = Address::none;
    Address destination = Address::none;
    std::uint8_t protocol = 0;
    std::uint16_t source_port = 0;  // of TCP and UDP, and what frames have in their place; else 0
    std::uint16_t destination_port = 0;
};

// Fragments have no ports; they may take another way than whole packets of their flow.
inline Flow flow_of(const Packet& packet)
{
    const bool ports = ((packet.protocol == protocol::tcp || packet.protocol == protocol::udp) &&
                        (packet.flags & packet_flag::fragment) == 0) ||
                       is_frame(packet);
    return {packet.source, packet.destination, packet.protocol, ports ? packet.source_port : std::uint16_t{0},
            ports ? packet.destination_port : std::uint16_t{0}};
}

inline constexpr std::uint64_t kFlowStep = 0x9e3779b97f4a7c15u;

// Of those who hash: each has a number of its own, so that none repeats another's collisions.
inline std::uint64_t flow_key(std::uint64_t seed, std::uint64_t who) { return mix(seed + (who + 1) * kFlowStep); }

inline std::uint64_t flow_hash(const Flow& flow, std::uint64_t key)
{
    const std::uint64_t addresses = std::uint64_t{number(flow.source)} << 32 | number(flow.destination);
    const std::uint64_t rest =
        std::uint64_t{flow.protocol} << 32 | std::uint64_t{flow.source_port} << 16 | flow.destination_port;
    return mix(mix(addresses ^ key) + rest * kFlowStep);
}

// One of `places`, evenly over all hashes.
inline std::uint32_t place_of(std::uint64_t hash, std::uint32_t places)
{
    return static_cast<std::uint32_t>((hash >> 32) * places >> 32);
}

// One of `paths`, evenly over all flows.
inline std::uint32_t choose_path(const Flow& flow, std::uint64_t seed, NodeId node, std::uint32_t paths)
{
    return place_of(flow_hash(flow, flow_key(seed, node)), paths);
}

}  // namespace anml::rt

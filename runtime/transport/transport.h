// A cluster's network with its transport protocols. What lies above is reached by transport/upcalls.h.
#pragma once

#include <cstdint>

#include "net/net.h"
#include "transport/ports/open_ports.h"
#include "transport/stack.h"

namespace anml::rt {

struct Transport : Net {
    Transport(const Model& model, std::uint64_t seed, Time epoch, NetworkState& network, const OpenPorts& open)
        : Net(model, seed, epoch, network), tcp(model), ports(open)
    {
    }

    tcp::Stack tcp;
    const OpenPorts& ports;
    std::uint64_t retransmissions = 0;  // TCP segments, measured
    bool records_connections = false;   // app/connection_records.h
};

// Every network has it: what net/ hands up is part of one.
inline Transport& transport(Net& k) { return static_cast<Transport&>(k); }

namespace timer_kind {                                           // payload: connection slot
inline constexpr std::uint32_t transport = kTransport + 0;       // retransmission, persist or idle timer
inline constexpr std::uint32_t acknowledgment = kTransport + 1;  // a delayed acknowledgment
inline constexpr std::uint32_t application = kTransport + 2;     // a time-out or a service time of the application
inline constexpr std::uint32_t pacing = kTransport + 3;          // the next segment may leave
}  // namespace timer_kind

}  // namespace anml::rt

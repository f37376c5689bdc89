// Which ports of TCP somebody listens at, as proc(5) has it of a network namespace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace anml::rt::io {

struct Listening {
    enum class On : std::uint8_t { any, loopback, other };
    std::uint16_t port;
    On on;
    bool ipv6_alone;  // it cannot be reached over IPv4
};

// `folder`: "/proc/net", or "/proc/7/net" of a process. Nothing where it cannot be read.
std::vector<Listening> read_listening(const std::string& folder);

// Whether at this port somebody listens on the loopback, and nobody on an address that others reach.
bool on_loopback_alone(const std::vector<Listening>& all, std::uint16_t port);

}  // namespace anml::rt::io

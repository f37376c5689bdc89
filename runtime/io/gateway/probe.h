// Finds out when a real server accepts connections: a SYN from the gateway's address every 50 ms, and an RST to the
// SYN/ACK, so that the server's program never sees a connection.
#pragma once

#include <cstdint>

#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt::io {

class Gateway;

class Probe {
  public:
    enum class Seen : std::uint8_t { nothing, refused, accepted };

    Probe(Gateway& gateway, Address server, std::uint16_t port) : gateway_(gateway), server_(server), port_(port) {}

    void tick(Time now);
    // TCP to the gateway's address. True: it answered a probe.
    bool answer(const Packet& packet);

    Seen seen() const { return seen_; }
    const Gateway& gateway() const { return gateway_; }
    Address server() const { return server_; }
    std::uint16_t port() const { return port_; }

  private:
    static constexpr Time kInterval = 50 * kMillisecond;
    static constexpr std::uint16_t kFirstPort = 49152;

    void send(std::uint16_t from, std::uint8_t flags, std::uint32_t sequence);

    Gateway& gateway_;
    Address server_;
    std::uint16_t port_;
    std::uint16_t sent_ = 0;  // each SYN has a port of its own
    Time next_ = 0;
    Seen seen_ = Seen::nothing;
};

}  // namespace anml::rt::io

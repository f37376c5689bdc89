// Which end has which port of a translator (RFC 4787, 4.1): an end's address and port, by protocol, and a port of a
// range that nobody else has meanwhile.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "base/time.h"
#include "net/middlebox/free_ports.h"
#include "net/packet/packet.h"

namespace anml::rt {

struct End {
    Address address = Address::none;
    std::uint16_t port = 0;
    std::uint8_t protocol = 0;
    friend bool operator==(const End&, const End&) = default;
};

struct Mapping {
    End end{};
    std::uint16_t port = 0;  // that stands for it
    std::uint32_t sessions = 0;
    Time over = 0;  // when the last of those that are was
};

class Mappings {
  public:
    // With the ports from `first` to `last`, which is no less.
    Mappings(std::uint32_t first, std::uint32_t last)
        : first_(first), last_(last), next_(first), free_{{{first, last}, {first, last}, {first, last}}}
    {
    }

    // Null: it has none. Where one lies it stays until it is forgotten.
    Mapping* of(const End& end);
    Mapping* at(std::uint16_t port, std::uint8_t protocol);
    bool full(std::uint8_t protocol) const { return free_[index_of(protocol)].none(); }
    // For an end that has none: with its own port where that is free, else the next one that is. Null: none is.
    Mapping* make(const End& end);
    void forget(const Mapping& mapping);

  private:
    struct Hash {
        std::size_t operator()(const End& end) const;
    };
    static std::size_t index_of(std::uint8_t protocol)
    {
        return protocol == protocol::tcp ? 0 : protocol == protocol::udp ? 1 : 2;
    }
    FreePorts& ports_of(std::uint8_t protocol) { return free_[index_of(protocol)]; }

    std::uint32_t first_, last_, next_;
    std::array<FreePorts, 3> free_;  // those of TCP, of UDP, and identifiers of echo requests
    std::unordered_map<End, Mapping, Hash> by_end_;
    std::unordered_map<End, Mapping*, Hash> by_port_;  // without an address
};

}  // namespace anml::rt

// Ethernet II frames: a checked view, and writing the header.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <span>

#include "wire/bytes.h"

namespace anml::rt::wire {

using MacAddress = std::array<std::uint8_t, 6>;
inline constexpr MacAddress kBroadcastMac{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

// Of a group of IPv4 (RFC 1112, 6.4).
constexpr MacAddress group_mac(std::uint32_t address)
{
    return {0x01,
            0x00,
            0x5e,
            static_cast<std::uint8_t>(address >> 16 & 0x7f),
            static_cast<std::uint8_t>(address >> 8),
            static_cast<std::uint8_t>(address)};
}

namespace ether_type {
inline constexpr std::uint16_t ipv4 = 0x0800, arp = 0x0806, vlan = 0x8100, ipv6 = 0x86dd;
}

class EthernetView {
  public:
    static constexpr std::size_t kHeader = 14;

    // False: shorter than a header.
    static bool check(std::span<const std::uint8_t> bytes, EthernetView& view)
    {
        if (bytes.size() < kHeader) return false;
        view.bytes_ = bytes;
        return true;
    }
    MacAddress destination() const { return mac(0); }
    MacAddress source() const { return mac(6); }
    std::uint16_t type() const { return load16(bytes_.data() + 12); }
    std::span<const std::uint8_t> payload() const { return bytes_.subspan(kHeader); }

  private:
    MacAddress mac(std::size_t offset) const
    {
        MacAddress address;
        std::memcpy(address.data(), bytes_.data() + offset, address.size());
        return address;
    }
    std::span<const std::uint8_t> bytes_;
};

// The address of one station, and not `own`.
inline bool is_station(const MacAddress& mac, const MacAddress& own)
{
    return (mac[0] & 1) == 0 && mac != own && mac != MacAddress{};
}

inline void write_ethernet(std::uint8_t* out, const MacAddress& destination, const MacAddress& source,
                           std::uint16_t type)
{
    std::memcpy(out, destination.data(), 6);
    std::memcpy(out + 6, source.data(), 6);
    store16(out + 12, type);
}

}  // namespace anml::rt::wire

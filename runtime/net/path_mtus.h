// What hosts know of the MTU of ways (RFC 1191, 8201): a source keeps what routers have told it, by its address and the
// destination's, and forgets it after ten minutes, as Linux does (net.ipv4.route.mtu_expires, net.ipv6 ...).
// Connections of TCP begin with it, and packets that may be cut are cut to it where they are made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "base/time.h"
#include "net/packet.h"

namespace anml::rt {

class PathMtus {
  public:
    static constexpr std::uint32_t kLeast =
        1280;  // that of any link of IPv6 (RFC 8200, 5); of less nobody is believed (RFC 8201, 4)
    static constexpr Time kKept = 600 * kSecond;

    void learn(Address source, Address destination, std::uint32_t mtu, Time now)
    {
        if (mtu < kLeast) return;
        Known& known = known_[{source, destination}];
        if (known.mtu != 0 && now < known.until && known.mtu <= mtu) return;
        known = {mtu, now + kKept};
    }
    // How long a packet that its source may cut may be at most, if that is less than `most`.
    std::uint32_t most_of(const Packet& packet, std::uint32_t most, Time now) const
    {
        const auto at = known_.find({packet.source, packet.destination});
        return at == known_.end() || now >= at->second.until ? most : std::min(most, at->second.mtu);
    }
    bool exceeds(const Packet& packet, Time now) const
    {
        if ((packet.flags & packet_flag::dont_fragment) || known_.empty()) return false;
        return most_of(packet, packet.length, now) < packet.length;
    }

  private:
    struct Known {
        std::uint32_t mtu = 0;
        Time until = 0;
    };
    std::map<std::pair<Address, Address>, Known> known_;
};

}  // namespace anml::rt

// What hosts know of the MTU of ways (RFC 1191, 8201): a source keeps what routers have told it, by its address and the
// destination's, and forgets it after ten minutes, as Linux does (net.ipv4.route.mtu_expires, net.ipv6 ...).
// Connections of TCP begin with it, and packets that may be cut are cut to it where they are made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "base/time.h"
#include "net/packet/packet.h"

namespace anml::rt {

class PathMtus {
  public:
    // That of any link of IPv6 (RFC 8200, 5): of less nobody is believed (RFC 8201, 4). Of IPv4 Linux's
    // net.ipv4.route.min_pmtu.
    static constexpr std::uint32_t kLeast = 1280, kLeastIpv4 = 552;
    static constexpr Time kKept = 600 * kSecond;
    static constexpr std::size_t kMost = 8192;  // of a source, the latest; so that it is the same in any cluster

    void learn(Address source, Address destination, std::uint32_t mtu, Time now)
    {
        if (mtu < (is_ipv6(destination) ? kLeast : kLeastIpv4)) return;
        Ways& ways = known_[source];
        while (!ways.ends.empty() && ways.ends.begin()->first <= now) ways.forget_first();
        const auto [at, fresh] = ways.known.try_emplace(destination);
        if (!fresh) {
            if (at->second.mtu <= mtu) return;
            ways.ends.erase({at->second.until, destination});
        } else if (ways.known.size() > kMost) {
            ways.forget_first();
        }
        at->second = {mtu, now + kKept};
        ways.ends.insert({now + kKept, destination});
    }
    struct Known {
        std::uint32_t mtu = 0;
        Time until = 0;
    };
    // Of a way, if anything.
    [[gnu::noinline]] const Known* known(Address source, Address destination, Time now) const
    {
        const auto ways = known_.find(source);
        if (ways == known_.end()) return nullptr;
        const auto at = ways->second.known.find(destination);
        return at == ways->second.known.end() || now >= at->second.until ? nullptr : &at->second;
    }
    bool any() const { return !known_.empty(); }
    // How long a packet of a way that its source may cut may be at most, if that is less than `most`.
    std::uint32_t most_of(Address source, Address destination, std::uint32_t most, Time now) const
    {
        if (!any()) return most;
        const Known* const way = known(source, destination, now);
        return way == nullptr ? most : std::min(most, way->mtu);
    }
    bool exceeds(const Packet& packet, Time now) const
    {
        if (packet.flags & packet_flag::dont_fragment) return false;
        return most_of(packet.source, packet.destination, packet.length, now) < packet.length;
    }

  private:
    struct Ways {  // of a source, by destination
        void forget_first()
        {
            known.erase(ends.begin()->second);
            ends.erase(ends.begin());
        }
        std::map<Address, Known> known;
        std::set<std::pair<Time, Address>> ends;  // when each is forgotten
    };
    std::map<Address, Ways> known_;
};

}  // namespace anml::rt

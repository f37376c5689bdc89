// At which side of a bridge the hosts are, by MAC address, as switches learn it (IEEE 802.1Q, 8.7).
//
// Each side has a bounded table of its own: whoever is on the segment chooses what is in it, and pushes out nobody of
// another. An address is of the side that it was heard at, until it has been silent there for a while: a frame that
// comes back over a loop moves nobody, nor does a forged one of a host that speaks.
#pragma once

#include <cstddef>
#include <list>
#include <map>

#include "base/ids.h"
#include "base/time.h"
#include "wire/ethernet.h"

namespace anml::rt::io {

class Stations {
  public:
    static constexpr std::size_t kRoom = 4096;  // of a side
    static constexpr Time kHeld = 2 * kSecond;
    static constexpr Time kAge = 300 * kSecond;  // the ageing time of IEEE 802.1Q

    explicit Stations(std::size_t room = kRoom) : room_(room) {}

    // A host has spoken at this side. False: its address is another side's.
    bool hear(const wire::MacAddress& mac, NodeId side, Time now);
    // kNone: nobody knows.
    NodeId where(const wire::MacAddress& mac, Time now) const;
    std::size_t size() const { return by_mac_.size(); }

  private:
    struct Station {
        wire::MacAddress mac;
        NodeId side;
        Time heard;
    };
    using Heard = std::list<Station>;  // of a side; the one that was heard of the longest ago first

    std::size_t room_;
    std::map<NodeId, Heard> sides_;
    std::map<wire::MacAddress, Heard::iterator> by_mac_;  // a tree, as in Neighbours
};

}  // namespace anml::rt::io

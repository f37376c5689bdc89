// Real hosts on one Ethernet segment, by address, as they said themselves (RFC 826).
//
// The table is bounded: whoever is on the segment chooses what is in it. The host that was heard of the longest ago
// goes first.
#pragma once

#include <cstddef>
#include <list>
#include <map>

#include "base/time.h"
#include "net/address/address.h"
#include "wire/ethernet.h"

namespace anml::rt::io {

class Neighbours {
  public:
    static constexpr std::size_t kRoom = 4096;
    // A host that was silent for longer is asked whether it is still there when it is sent to (RFC 1122, 2.3.2.1).
    static constexpr Time kFresh = 30 * kSecond;
    static constexpr Time kInterval = kSecond;  // of probes (RFC 1122, 2.3.2.1)
    static constexpr unsigned kProbes = 3;      // without an answer: it is gone

    struct Host {
        Address address;
        wire::MacAddress mac;
        Time heard;
        Time next_request = 0;
        unsigned probes = 0;  // since it was heard of
    };

    explicit Neighbours(std::size_t room = kRoom) : room_(room) {}

    Host* find(Address address);
    bool has(Address address) const { return by_address_.contains(address); }
    // Returns the address of the host that is forgotten for it; none: none is.
    Address hear(Address address, const wire::MacAddress& mac, Time now);
    void forget(Address address);
    std::size_t size() const { return by_address_.size(); }

  private:
    std::size_t room_;
    std::list<Host> hosts_;  // the one that was heard of the longest ago first
    // A tree, not hashed: external hosts choose the addresses.
    std::map<Address, std::list<Host>::iterator> by_address_;
};

}  // namespace anml::rt::io

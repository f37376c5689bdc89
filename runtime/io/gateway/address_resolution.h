// Addresses that are asked for by ARP, and what waits for the answer: packets, and hosts that asked for the same.
//
// All of it is bounded: so many resolutions at a time, so many packets and hosts for each, so many tries.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "net/link/buffers.h"
#include "net/packet/packet.h"
#include "wire/ethernet.h"

namespace anml::rt::io {

class Gateway;

struct AddressResolution {
    struct Waiting {
        Gateway* from;  // where it came from a real host; null: from the model
        Packet packet;  // with a buffer of its own
    };
    struct Asker {
        Gateway* at;
        Address address;
        wire::MacAddress mac;
    };
    static constexpr std::size_t kPackets = 16, kAskers = 8;

    Address sender = Address::none;  // in whose name it is asked
    unsigned tries = 0;
    Time next = 0;  // try, or the end
    std::vector<Waiting> packets;
    std::vector<Asker> askers;

    // Of too many packets the oldest goes, and is returned.
    std::optional<Waiting> add(const Waiting& waiting)
    {
        std::optional<Waiting> gone;
        if (packets.size() == kPackets) {
            gone = packets.front();
            packets.erase(packets.begin());
        }
        packets.push_back(waiting);
        return gone;
    }
    void add(const Asker& asker)
    {
        for (Asker& known : askers)
            if (known.address == asker.address && known.at == asker.at) {
                known.mac = asker.mac;
                return;
            }
        if (askers.size() < kAskers) askers.push_back(asker);
    }
};

class AddressResolutions {
  public:
    static constexpr std::size_t kMost = 256;
    static constexpr Time kInterval = kSecond;
    static constexpr unsigned kTries = 3;

    // The one about an address; null: there are too many.
    AddressResolution* about(Address address)
    {
        const auto found = open_.find(address);
        if (found != open_.end()) return &found->second;
        if (open_.size() == kMost) return nullptr;
        AddressResolution& resolution = open_[address];
        resolution.packets.reserve(AddressResolution::kPackets);
        resolution.askers.reserve(AddressResolution::kAskers);
        return &resolution;
    }
    // It is over, if there was one.
    std::optional<AddressResolution> close(Address address)
    {
        const auto found = open_.find(address);
        if (found == open_.end()) return std::nullopt;
        AddressResolution resolution = std::move(found->second);
        open_.erase(found);
        return resolution;
    }
    // Those that are due: `ask(address, resolution)`, and after kTries `fail(address, resolution)`.
    template <class Ask, class Fail>
    void tick(Time now, Ask&& ask, Fail&& fail)
    {
        for (auto at = open_.begin(); at != open_.end();) {
            auto& [address, resolution] = *at;
            if (now < resolution.next) {
                ++at;
            } else if (resolution.tries < kTries) {
                ++resolution.tries;
                resolution.next = now + kInterval;
                ask(address, resolution);
                ++at;
            } else {
                fail(address, resolution);
                at = open_.erase(at);
            }
        }
    }
    bool empty() const { return open_.empty(); }
    std::size_t size() const { return open_.size(); }

  private:
    std::map<Address, AddressResolution> open_;
};

}  // namespace anml::rt::io

// Real hosts that the model has no node for, in subnets at an endpoint. Packets to them go where packets to the endpoint
// go.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "base/ids.h"
#include "net/address/address.h"
#include "net/address/address_table.h"

namespace anml::rt {

// The first `length` bits of its addresses. No two overlap.
struct Subnet {
    bool ipv6 = false;
    Ipv6 bits{};  // of IPv4 the first four bytes
    std::uint32_t length = 0;

    bool has(const Ipv6& address) const;  // an address of the same family
    // Of IPv4, host byte order.
    std::uint32_t first() const;
    std::uint32_t last() const { return first() | static_cast<std::uint32_t>(0xffffffffull >> length); }
    friend bool operator==(const Subnet&, const Subnet&) = default;
};
bool overlap(const Subnet& a, const Subnet& b);

class ExternalHosts {
  public:
    explicit ExternalHosts(std::uint32_t room = AddressTable::kRoom) : table_(room) {}

    void add(const Subnet& subnet, std::uint32_t endpoint);
    // Hosts on the segment of an endpoint; kNone: of one of several, `learn` says which.
    void add_hosts(Address first, Address last, std::uint32_t endpoint) { ipv4_.push_back({first, last, endpoint}); }
    void learn(Address address, std::uint32_t endpoint) { learned_[address] = endpoint; }
    void forget(Address address) { learned_.erase(address); }
    bool speak_ipv6() const { return !ipv6_.empty(); }

    // The endpoint (row of the image) behind which an address is; kNone: behind none.
    std::uint32_t endpoint_of(Address address) const
    {
        if (AddressTable::has(address)) return table_.owner(address);
        for (const Range& range : ipv4_)
            if (address >= range.first && address <= range.last)
                return range.endpoint == kNone ? found_at(address) : range.endpoint;
        return kNone;
    }
    std::uint32_t endpoint_of(const Ipv6& address) const;

    // none: it is behind no endpoint, or the table is full of addresses of packets that are under way.
    Address handle(const Ipv6& address);
    AddressTable& table() { return table_; }

  private:
    struct Range {
        Address first, last;
        std::uint32_t endpoint;
    };
    struct Behind {
        Subnet subnet;
        std::uint32_t endpoint;
    };
    std::uint32_t found_at(Address address) const
    {
        const auto found = learned_.find(address);
        return found == learned_.end() ? kNone : found->second;
    }

    std::vector<Range> ipv4_;
    std::vector<Behind> ipv6_;
    std::map<Address, std::uint32_t> learned_;  // a tree, as in AddressTable
    AddressTable table_;
};

}  // namespace anml::rt

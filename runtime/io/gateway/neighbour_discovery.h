// The emulator as a neighbour and a router to one host over IPv6 (RFC 4861): a router with a link-local address, made
// of its MAC address, that answers solicitations for that, for virtual addresses, and for the address by which it
// speaks itself: 64:ff9b:1::/96 with its IPv4 address. Where no host speaks IPv6 it says nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "base/time.h"
#include "io/device/device.h"
#include "io/gateway/neighbours.h"
#include "net/address/address.h"
#include "wire/neighbour_discovery.h"

namespace anml::rt {

class Model;

namespace io {

class NeighbourDiscovery {
  public:
    NeighbourDiscovery(Device& device, std::uint32_t endpoint, const Model& model, const wire::MacAddress& own,
                       Address gateway, Address anycast);
    void set_host(Address host, const Ipv6& bytes);

    bool has_host() const { return host_ != Address::none; }
    Address host() const { return host_; }  // none: no host speaks IPv6
    const Ipv6& host_bytes() const { return host_bytes_; }
    const Ipv6& own() const { return own_; }
    bool is_router() const { return next_advertisement_ != kNever; }

    // What a message says of the host's Ethernet address goes to `learn`; `known` is what is known of it, or null. One
    // that is not meant counts as `report.ipv6`.
    void receive(const wire::Ipv6View& ip, const wire::MacAddress& from, const Neighbours::Host* known,
                 LiveReport& report, const std::function<void(const wire::MacAddress&)>& learn);
    // Asks for the host's Ethernet address: who is `known`, or all of the segment.
    void solicit(const Neighbours::Host* known);
    // From now on it says that it is a router, to those who ask and to all now and then (6.2): for a real host that
    // nobody has given a route.
    void advertise();
    // It is no router any longer (6.2.5).
    void cease();
    // To routers that ask, or by itself: its groups (RFC 3810).
    void report_groups(bool asked);
    // What is due: advertisements, and solicitations while the host is not known.
    void tick(Time now, bool known);

  private:
    std::optional<wire::Advertised> stands_for(const Ipv6& target) const;
    void advertise_router(const Ipv6& asker, const wire::MacAddress& to, std::uint16_t lifetime);
    template <class Write>
    void send(const wire::MacAddress& to, Write&& write);

    Device& device_;
    std::uint32_t endpoint_;
    const Model& model_;
    wire::MacAddress mac_;
    Address gateway_, anycast_;
    Address host_ = Address::none;
    Ipv6 host_bytes_{}, own_;
    Time next_solicitation_ = 0;
    Time next_advertisement_ = kNever, last_advertisement_ = 0;  // to all; kNever: it is no router
    unsigned advertisements_ = 0;
};

}  // namespace io
}  // namespace anml::rt

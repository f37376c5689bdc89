#include "io/gateway/neighbour_discovery.h"

#include "io/capture/replay.h"
#include "io/gateway/address_resolution.h"
#include "io/live.h"
#include "net/model.h"
#include "wire/icmpv6.h"

namespace anml::rt::io {

namespace {

// Of advertisements to all (RFC 4861, 6.2.1 and 10): the first few soon, the rest as often as a router may by default.
constexpr unsigned kFirstAdvertisements = 3;
constexpr Time kFirstInterval = 16 * kSecond, kAdvertisementInterval = 200 * kSecond, kLeastInterval = 3 * kSecond;
constexpr std::uint16_t kRouterLifetime = 1800;  // seconds
constexpr std::size_t kLeastMtu = 1280;

}  // namespace

NeighbourDiscovery::NeighbourDiscovery(Device& device, std::uint32_t endpoint, const Model& model,
                                       const wire::MacAddress& own, Address gateway, Address anycast)
    : device_(device),
      endpoint_(endpoint),
      model_(model),
      mac_(own),
      gateway_(gateway),
      anycast_(anycast),
      own_(wire::link_local(own))
{
}

void NeighbourDiscovery::set_host(Address host, const Ipv6& bytes)
{
    host_ = host;
    host_bytes_ = bytes;
}

template <class Write>
void NeighbourDiscovery::send(const wire::MacAddress& to, Write&& write)
{
    constexpr std::size_t kHeader = wire::EthernetView::kHeader;
    const auto slot = device_.slot();
    wire::write_ethernet(slot.data(), to, mac_, wire::ether_type::ipv6);
    device_.commit(kHeader + write(slot.data() + kHeader), kNever);
}

void NeighbourDiscovery::receive(const wire::Ipv6View& ip, const wire::MacAddress& from, const Neighbours::Host* known,
                                 LiveReport& report, const std::function<void(const wire::MacAddress&)>& learn)
{
    using namespace wire::discovery_type;
    const std::uint8_t type = ip.payload()[0];
    if (device_.peer() || type == router_advertisement || type == redirect) {
        ++report.ipv6;
        return;
    }
    wire::Discovery message;
    if (!wire::parse_discovery(ip, message) || (message.mac && !wire::is_station(*message.mac, mac_))) {
        ++report.malformed;
        return;
    }
    const wire::MacAddress mac = message.mac.value_or(from);
    const bool nobody = message.source == Ipv6{};
    if (type == solicitation) {
        if (has_host() && message.source == host_bytes_) learn(mac);
        if (const auto what = stands_for(message.target))
            send(nobody ? wire::group_mac(wire::kAllNodes) : from,
                 [&](std::uint8_t* out) { return wire::write_advertisement(out, *what, message.source); });
        else
            ++report.ipv6;
    } else if (type == advertisement && has_host() && message.target == host_bytes_) {
        // One that overrides nothing does not say that the host has moved (7.2.5).
        if (!known || known->mac == mac || message.overrides) learn(mac);
    } else if (type == router_solicitation && is_router()) {
        if (!nobody) return advertise_router(message.source, from, kRouterLifetime);
        next_advertisement_ = std::min(next_advertisement_, last_advertisement_ + kLeastInterval);
    } else {
        ++report.ipv6;
    }
}

// What to say to whoever asks for the address. Nothing: it is the real host's, which answers for itself, and the same
// goes for one that looks whether it is taken; or nobody's. For a node of the model a host that has its address would
// be believed more (7.2.8).
std::optional<wire::Advertised> NeighbourDiscovery::stands_for(const Ipv6& target) const
{
    if (target == own_) return wire::Advertised{own_, target, mac_, true, true};
    if (!has_host() || target == host_bytes_) return std::nullopt;
    if (target == wire::embedded(gateway_)) return wire::Advertised{own_, target, mac_, true, true};
    const Address known = model_.find_ipv6(target);
    if (known == Address::none || known == anycast_) return std::nullopt;
    return wire::Advertised{own_, target, mac_, false, false};
}

void NeighbourDiscovery::solicit(const Neighbours::Host* known)
{
    const wire::MacAddress to = known ? known->mac : wire::group_mac(wire::solicited_node(host_bytes_));
    send(to,
         [&](std::uint8_t* out) { return wire::write_solicitation(out, own_, mac_, host_bytes_, known == nullptr); });
}

void NeighbourDiscovery::advertise()
{
    if (has_host() && !device_.peer()) next_advertisement_ = 0;
}

void NeighbourDiscovery::cease()
{
    if (is_router()) advertise_router({}, wire::group_mac(wire::kAllNodes), 0);
    next_advertisement_ = kNever;
}

void NeighbourDiscovery::advertise_router(const Ipv6& asker, const wire::MacAddress& to, std::uint16_t lifetime)
{
    const std::size_t mtu = first_mtu(model_, endpoint_);
    send(to, [&](std::uint8_t* out) {
        return wire::write_router_advertisement(out, own_, mac_, asker, lifetime,
                                                mtu < kLeastMtu ? 0 : static_cast<std::uint32_t>(mtu));
    });
}

// Of nodes of the model not: hosts reach them by the router.
void NeighbourDiscovery::report_groups(bool asked)
{
    const Ipv6 groups[] = {wire::solicited_node(own_), wire::solicited_node(wire::embedded(gateway_)),
                           wire::kAllRouters};
    send(wire::group_mac(wire::kMldRouters),
         [&](std::uint8_t* out) { return wire::write_listener_report(out, own_, groups, asked); });
}

void NeighbourDiscovery::tick(Time now, bool known)
{
    if (now >= next_solicitation_ && !device_.peer() && !known) {
        next_solicitation_ = now + AddressResolutions::kInterval;
        solicit(nullptr);
    }
    if (now < next_advertisement_) return;
    last_advertisement_ = now;
    next_advertisement_ = now + (++advertisements_ < kFirstAdvertisements ? kFirstInterval : kAdvertisementInterval);
    advertise_router({}, wire::group_mac(wire::kAllNodes), kRouterLifetime);
    report_groups(false);
}

}  // namespace anml::rt::io

// The emulator as a neighbour and a router to one host over IPv6 (RFC 4861). The host's Ethernet address is kept, asked
// for and looked after as those of neighbours on the link are (gateway_neighbours.cpp).
#include "io/capture/replay.h"
#include "io/gateway/bridge.h"
#include "io/gateway/gateway.h"
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

template <class Write>
void Gateway::send_discovery(const wire::MacAddress& to, Write&& write)
{
    constexpr std::size_t kHeader = wire::EthernetView::kHeader;
    const auto slot = device_.slot();
    wire::write_ethernet(slot.data(), to, mac_, wire::ether_type::ipv6);
    device_.commit(kHeader + write(slot.data() + kHeader), kNever);
}

void Gateway::discover(const wire::Ipv6View& ip, const Arrival& arrival)
{
    using namespace wire::discovery_type;
    const std::uint8_t type = ip.payload()[0];
    if (device_.peer() || type == router_advertisement || type == redirect) {
        ++report_.ipv6;
        return;
    }
    wire::Discovery message;
    if (!wire::parse_discovery(ip, message) || (message.mac && !may_be_host(*message.mac))) {
        ++report_.malformed;
        return;
    }
    const wire::MacAddress mac = message.mac.value_or(arrival.from);
    const bool nobody = message.source == Ipv6{}, of_host = host6_ != Address::none;
    if (type == solicitation) {
        if (of_host && message.source == host6_bytes_) learn_ipv6(mac, arrival.at);
        if (const auto what = stands_for(message.target))
            send_discovery(nobody ? wire::group_mac(wire::kAllNodes) : arrival.from,
                           [&](std::uint8_t* out) { return wire::write_advertisement(out, *what, message.source); });
        else
            ++report_.ipv6;
    } else if (type == advertisement && of_host && message.target == host6_bytes_) {
        // One that overrides nothing does not say that the host has moved (7.2.5).
        const Neighbours::Host* host = neighbours_.find(host6_);
        if (!host || host->mac == mac || message.overrides) learn_ipv6(mac, arrival.at);
    } else if (type == router_solicitation && next_advertisement_ != kNever) {
        if (!nobody) return advertise_router(message.source, arrival.from, kRouterLifetime);
        next_advertisement_ = std::min(next_advertisement_, last_advertisement_ + kLeastInterval);
    } else {
        ++report_.ipv6;
    }
}

void Gateway::learn_ipv6(const wire::MacAddress& mac, Time now)
{
    const Address gone = neighbours_.hear(host6_, mac, now);
    if (gone != Address::none && bridge_) bridge_->left(*this, gone);
    if (!resolutions_.empty()) answered(host6_);
}

// What to say to whoever asks for the address. Nothing: it is the real host's, which answers for itself, and the same
// goes for one that looks whether it is taken; or nobody's. For a node of the model a host that has its address would
// be believed more (7.2.8).
std::optional<wire::Advertised> Gateway::stands_for(const Ipv6& target) const
{
    if (target == own6_) return wire::Advertised{own6_, target, mac_, true, true};
    if (host6_ == Address::none || target == host6_bytes_) return std::nullopt;
    if (target == wire::embedded(gateway_)) return wire::Advertised{own6_, target, mac_, true, true};
    const Address known = model_.find_ipv6(target);
    if (known == Address::none || known == anycast_) return std::nullopt;
    return wire::Advertised{own6_, target, mac_, false, false};
}

// Asks for the host's Ethernet address: all of the segment, or the one that is known.
void Gateway::solicit(bool all)
{
    const Neighbours::Host* host = all ? nullptr : neighbours_.find(host6_);
    const wire::MacAddress to = host ? host->mac : wire::group_mac(wire::solicited_node(host6_bytes_));
    send_discovery(to, [&](std::uint8_t* out) {
        return wire::write_solicitation(out, own6_, mac_, host6_bytes_, host == nullptr);
    });
}

void Gateway::advertise()
{
    if (host6_ != Address::none && !device_.peer()) next_advertisement_ = 0;
}

void Gateway::cease()
{
    if (next_advertisement_ != kNever) advertise_router({}, wire::group_mac(wire::kAllNodes), 0);
    next_advertisement_ = kNever;
}

void Gateway::advertise_router(const Ipv6& asker, const wire::MacAddress& to, std::uint16_t lifetime)
{
    const std::size_t mtu = first_mtu(model_, endpoint_);
    send_discovery(to, [&](std::uint8_t* out) {
        return wire::write_router_advertisement(out, own6_, mac_, asker, lifetime,
                                                mtu < kLeastMtu ? 0 : static_cast<std::uint32_t>(mtu));
    });
}

// Of nodes of the model not: hosts reach them by the router.
void Gateway::report_groups(bool asked)
{
    const Ipv6 groups[] = {wire::solicited_node(own6_), wire::solicited_node(wire::embedded(gateway_)),
                           wire::kAllRouters};
    send_discovery(wire::group_mac(wire::kMldRouters),
                   [&](std::uint8_t* out) { return wire::write_listener_report(out, own6_, groups, asked); });
}

void Gateway::tick_ipv6(Time now)
{
    if (now >= next_solicitation_ && !device_.peer() && !neighbours_.has(host6_)) {
        next_solicitation_ = now + AddressResolutions::kInterval;
        solicit(true);
    }
    if (now < next_advertisement_) return;
    last_advertisement_ = now;
    next_advertisement_ = now + (++advertisements_ < kFirstAdvertisements ? kFirstInterval : kAdvertisementInterval);
    advertise_router({}, wire::group_mac(wire::kAllNodes), kRouterLifetime);
    report_groups(false);
}

}  // namespace anml::rt::io

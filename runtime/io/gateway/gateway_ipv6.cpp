// Packets of IPv6 from the endpoint's host and from external hosts behind it (net/external_hosts.h).
#include "io/gateway/gateway.h"
#include "io/live.h"
#include "net/external_hosts.h"
#include "net/model.h"
#include "wire/icmpv6.h"
#include "wire/ipv6_nodes.h"
#include "wire/offloads.h"

namespace anml::rt::io {

namespace {

// Who has the address that the host sends to; none: nobody.
Address place_of(const Model& model, ExternalHosts& external_hosts, Address gateway, const Ipv6& destination)
{
    if (const Address node = model.find_ipv6(destination); node != Address::none) return node;
    return destination == wire::embedded(gateway) ? gateway : external_hosts.handle(destination);
}

}  // namespace

void Gateway::receive_ipv6(const Frame& frame, const wire::EthernetView& ethernet, const Arrival& arrival)
{
    const bool ours = ethernet.destination() == mac_, group = ethernet.destination()[0] & 1;
    const bool whole = frame.segments == Frame::Segments::none;
    const std::span<const std::uint8_t> bytes = ethernet.payload();
    wire::Ipv6View ip;
    if ((!external_hosts_.speak_ipv6() && !discovery_.has_host()) || (!ours && !(group && whole))) {
        ++report_.ipv6;
    } else if (!whole) {
        const wire::ParseError error = wire::split_segments(
            bytes, frame.segment_size, frame.cwr, segment_,
            [&](std::span<const std::uint8_t> segment) { receive_ipv6_packet(segment, Checksum::made, arrival); });
        if (error != wire::ParseError::none) ++report_.malformed;
    } else if (wire::Ipv6View::check(bytes, ip) != wire::ParseError::none) {
        ++(ours ? report_.malformed : report_.ipv6);  // of groups the device keeps the beginning only
    } else if (wire::is_discovery(ip)) {
        discovery_.receive(ip, arrival.from, neighbours_.find(discovery_.host()), report_,
                           [&](const wire::MacAddress& mac) { learn_ipv6(mac, arrival.at); });
    } else if (discovery_.is_router() && wire::is_listener_query(ip)) {
        discovery_.report_groups(true);
    } else if (ours && ip.destination() == discovery_.own()) {
        answer_echo(ip, bytes.first(ip.total_length()), arrival.from);
    } else if (ours && ip.destination()[0] != 0xff) {
        receive_ipv6_packet(bytes, checksum_of(frame), arrival);
    } else {
        ++report_.ipv6;
    }
}

void Gateway::receive_ipv6_packet(std::span<const std::uint8_t> bytes, Checksum checksum, const Arrival& arrival)
{
    wire::Ipv6View ip;
    if (wire::Ipv6View::check(bytes, ip) != wire::ParseError::none) {
        ++report_.malformed;
        return;
    }
    // Before anything is kept of the packet: only addresses of the subnets get into the table.
    const bool shared = is_shared_ipv6(anycast_) && ip.source() == model_.ipv6_bytes(anycast_);
    const bool from_host = discovery_.has_host() && (ip.source() == discovery_.host_bytes() || shared);
    if (!from_host && external_hosts_.endpoint_of(ip.source()) != endpoint_) {
        const bool of_link = ip.source()[0] == 0xfe && (ip.source()[1] & 0xc0) == 0x80;
        if (!of_link) foreign_ipv6_ = ip.source();
        ++report_.foreign;
        return;
    }
    const bool verify = checksum == Checksum::verify, opaque = checksum == Checksum::broken;
    Packet packet;
    switch (from_host ? wire::parse_ipv6_fields(ip, verify, true, packet, opaque)
                      : wire::parse_ipv6(bytes, verify, external_hosts_, packet, opaque))
    {
        case wire::ParseError::none:
            break;
        case wire::ParseError::no_room:
            ++report_.foreign;
            return;
        default:
            ++report_.malformed;
            return;
    }
    if (from_host) {
        // Each time, as over IPv4.
        learn_ipv6(arrival.from, arrival.at);
        packet.source = shared ? anycast_ : discovery_.host();
        packet.destination = place_of(model_, external_hosts_, gateway_, ip.destination());
    }
    enter(packet, bytes.first(packet.length), checksum, arrival, packet.source);
}

// A packet to the link-local address, from which there is a way to nowhere else.
void Gateway::answer_echo(const wire::Ipv6View& ip, std::span<const std::uint8_t> bytes, const wire::MacAddress& to)
{
    const std::span<const std::uint8_t> message = ip.payload();
    if (ip.protocol() != protocol::icmpv6 || ip.is_fragment() || message.size() < 8 ||
        message[0] != wire::icmpv6_type::echo_request || ip.source() == Ipv6{} || ip.source()[0] == 0xff)
    {
        ++report_.ipv6;
        return;
    }
    if (wire::fold(wire::sum_bytes(message, ip.pseudo(message.size()))) != 0xffff) {
        ++report_.malformed;
        return;
    }
    constexpr std::size_t kHeader = wire::EthernetView::kHeader;
    const auto slot = device_.slot();
    wire::write_ethernet(slot.data(), to, mac_, wire::ether_type::ipv6);
    std::copy(bytes.begin(), bytes.end(), slot.begin() + kHeader);
    wire::turn_echo_ipv6(Packet{}, slot.subspan(kHeader, bytes.size()));
    device_.commit(kHeader + bytes.size(), kNever);
}

}  // namespace anml::rt::io

// IPv6 of strangers behind the endpoint's host (net/strangers.h), and the one neighbour that their router sees here.
#include "io/gateway.h"
#include "io/live.h"
#include "net/strangers.h"
#include "wire/icmpv6.h"
#include "wire/offloads.h"

namespace anml::rt::io {

void Gateway::receive_ipv6(const Frame& frame, const wire::EthernetView& ethernet, const Arrival& arrival)
{
    const bool ours = ethernet.destination() == mac_;
    const std::span<const std::uint8_t> bytes = ethernet.payload();
    if (!strangers_.speak_ipv6() || (!ours && frame.segments != Frame::Segments::none)) {
        ++report_.ipv6;
    } else if (frame.segments != Frame::Segments::none) {
        const wire::ParseError error = wire::split_segments(
            bytes, frame.segment_size, segment_,
            [&](std::span<const std::uint8_t> segment) { receive_ipv6_packet(segment, Checksum::made, arrival); });
        if (error != wire::ParseError::none) ++report_.malformed;
    } else if (wire::Ipv6View ip;
               wire::Ipv6View::check(bytes, ip) == wire::ParseError::none && wire::asks_for(ip, wire::link_local(mac_)))
    {
        answer_neighbour(ip.source(), arrival.from);
    } else if (ours) {
        receive_ipv6_packet(bytes, checksum_of(frame), arrival);
    } else {
        ++report_.ipv6;  // groups, and other hosts
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
    if (strangers_.endpoint_of(ip.source()) != endpoint_) {
        ++report_.foreign;
        return;
    }
    Packet packet;
    switch (wire::parse_ipv6(bytes, checksum == Checksum::verify, strangers_, packet)) {
        case wire::ParseError::none:
            enter(packet, bytes.first(packet.length), checksum, arrival, packet.source);
            break;
        case wire::ParseError::no_room:
            ++report_.foreign;
            break;
        default:
            ++report_.malformed;
            break;
    }
}

void Gateway::answer_neighbour(const Ipv6& asking, const wire::MacAddress& to)
{
    constexpr std::size_t kHeader = wire::EthernetView::kHeader;
    const auto slot = device_.slot();
    wire::write_ethernet(slot.data(), to, mac_, wire::ether_type::ipv6);
    wire::write_advertisement(slot.data() + kHeader, wire::link_local(mac_), mac_, asking);
    device_.commit(kHeader + wire::kAdvertisement, kNever);
}

}  // namespace anml::rt::io

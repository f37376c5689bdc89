#include "wire/offloads.h"

#include <type_traits>

#include "wire/icmp.h"

namespace anml::rt::wire {

namespace {

// Where in the header of TCP or UDP its checksum is; 0: nowhere.
template <class Ip>
std::size_t checksum_field(const Ip& ip)
{
    if (ip.is_fragment()) return 0;
    const std::size_t length = ip.payload().size();
    if (ip.protocol() == protocol::tcp && length >= TcpView::kHeader) return 16;
    if (ip.protocol() == protocol::udp && length >= UdpView::kHeader) return 6;
    return 0;
}

template <class Ip>
bool leaves(const Ip& ip)
{
    const std::size_t field = checksum_field(ip);
    if (field == 0) return false;
    const std::uint16_t sum = load16(ip.payload().data() + field);
    return sum == fold(ip.pseudo(ip.payload().size())) || (sum == 0 && ip.protocol() == protocol::tcp);
}

template <class Ip>
void complete(const Ip& ip, std::span<std::uint8_t> packet)
{
    const bool message = ip.protocol() == (std::is_same_v<Ip, Ipv4View> ? protocol::icmp : protocol::icmpv6) &&
                         !ip.is_fragment() && ip.payload().size() >= IcmpView::kHeader;
    const std::size_t field = message ? 2 : checksum_field(ip);
    if (field == 0) return;
    std::span<std::uint8_t> transport = packet.subspan(ip.header_length(), ip.payload().size());
    store16(transport.data() + field, 0);
    const bool covers_addresses = ip.protocol() != protocol::icmp;
    std::uint16_t sum = checksum(transport, covers_addresses ? ip.pseudo(transport.size()) : 0);
    if (ip.protocol() == protocol::udp && sum == 0) sum = 0xffff;
    store16(transport.data() + field, sum);
}

}  // namespace

bool leaves_checksum(std::span<const std::uint8_t> packet)
{
    Ipv4View four;
    Ipv6View six;
    if (Ipv4View::check(packet, true, four) == ParseError::none) return leaves(four);
    return Ipv6View::check(packet, six) == ParseError::none && leaves(six);
}

void complete_checksum(std::span<std::uint8_t> packet)
{
    Ipv4View four;
    Ipv6View six;
    if (Ipv4View::check(packet, true, four) == ParseError::none)
        complete(four, packet);
    else if (Ipv6View::check(packet, six) == ParseError::none)
        complete(six, packet);
}

}  // namespace anml::rt::wire

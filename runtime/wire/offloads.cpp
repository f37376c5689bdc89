#include "wire/offloads.h"

namespace anml::rt::wire {

namespace {

template <class Ip>
void complete(const Ip& ip, std::span<std::uint8_t> packet)
{
    if (ip.is_fragment()) return;
    std::span<std::uint8_t> transport = packet.subspan(ip.header_length(), ip.payload().size());
    std::size_t field;
    if (ip.protocol() == protocol::tcp && transport.size() >= TcpView::kHeader) {
        field = 16;
    } else if (ip.protocol() == protocol::udp && transport.size() >= UdpView::kHeader) {
        field = 6;
    } else {
        return;
    }
    store16(transport.data() + field, 0);
    std::uint16_t sum = checksum(transport, ip.pseudo(transport.size()));
    if (ip.protocol() == protocol::udp && sum == 0) sum = 0xffff;
    store16(transport.data() + field, sum);
}

}  // namespace

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

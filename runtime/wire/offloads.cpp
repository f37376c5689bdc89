#include "wire/offloads.h"

namespace anml::rt::wire {

void complete_checksum(std::span<std::uint8_t> packet)
{
    Ipv4View ip;
    if (Ipv4View::check(packet, true, ip) != ParseError::none || ip.is_fragment()) return;
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
    const std::uint32_t pseudo =
        pseudo_header(ip.source(), ip.destination(), ip.protocol(), static_cast<std::uint32_t>(transport.size()));
    std::uint16_t sum = checksum(transport, pseudo);
    if (ip.protocol() == protocol::udp && sum == 0) sum = 0xffff;
    store16(transport.data() + field, sum);
}

}  // namespace anml::rt::wire

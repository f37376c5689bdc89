#include "wire/translate.h"

#include <algorithm>

#include "wire/checksum.h"
#include "wire/icmp.h"
#include "wire/ipv4.h"
#include "wire/tcp.h"

namespace anml::rt::wire {

namespace {

// Follows a word that changed; `outer` covers the checksum, too; null: nothing does.
void follow(std::uint8_t* sum, std::uint16_t before, std::uint16_t now, std::uint8_t* outer)
{
    const std::uint16_t old = load16(sum);
    store16(sum, update(old, before, now));
    if (outer) follow(outer, old, load16(sum), nullptr);
}

// The checksum of TCP or UDP, which covers the addresses; null: there is none, or it is beyond the bytes.
std::uint8_t* transport_checksum(std::span<std::uint8_t> ip)
{
    const std::size_t header = (ip[0] & 15u) * 4u;
    if ((load16(ip.data() + 6) & 0x1fff) != 0) return nullptr;  // a later fragment
    const bool tcp = ip[9] == protocol::tcp, udp = ip[9] == protocol::udp;
    const std::size_t at = header + (tcp ? 16 : 6);
    if ((!tcp && !udp) || ip.size() < at + 2) return nullptr;
    return udp && load16(ip.data() + at) == 0 ? nullptr : ip.data() + at;
}

void replace(std::span<std::uint8_t> ip, AddressField field, Address now, std::uint8_t* outer)
{
    std::uint8_t* transport = transport_checksum(ip);
    std::uint8_t* at = ip.data() + static_cast<std::size_t>(field);
    for (const std::uint32_t shift : {16u, 0u}) {
        const std::uint16_t before = load16(at);
        const auto word = static_cast<std::uint16_t>(number(now) >> shift);
        store16(at, word);
        at += 2;
        if (outer) follow(outer, before, word, nullptr);
        follow(ip.data() + 10, before, word, outer);
        if (transport) follow(transport, before, word, outer);
    }
    if (!transport || ip[9] != protocol::udp || load16(transport) != 0) return;
    store16(transport, 0xffff);  // 0 would say that there is none (RFC 768); the sums around take both for the same
}

// A word behind the header of IP: a port, or the identifier of an echo message, whose own checksum covers it, too.
void replace_word(std::span<std::uint8_t> ip, AddressField field, std::uint16_t now, std::uint8_t* outer)
{
    constexpr std::size_t kIdentifier = 4, kIcmpChecksum = 2;
    const std::size_t header = (ip[0] & 15u) * 4u;
    const bool icmp = ip[9] == protocol::icmp;
    const std::size_t at = header + (icmp ? kIdentifier : field == AddressField::source ? 0 : 2);
    if (ip.size() < at + 2) return;
    std::uint8_t* const sum = !icmp                                     ? transport_checksum(ip)
                              : ip.size() >= header + kIcmpChecksum + 2 ? ip.data() + header + kIcmpChecksum
                                                                        : nullptr;
    const std::uint16_t before = load16(ip.data() + at);
    store16(ip.data() + at, now);
    if (outer) follow(outer, before, now, nullptr);
    if (sum) follow(sum, before, now, outer);
    if (sum && ip[9] == protocol::udp && load16(sum) == 0) store16(sum, 0xffff);
}

// The header and what is behind it, of the packet that an ICMP error is about; empty: it is none.
template <class Byte>
std::span<Byte> quote_in(std::span<Byte> packet)
{
    const std::size_t header = (packet[0] & 15u) * 4u;
    if (packet[9] != protocol::icmp || (load16(packet.data() + 6) & 0x3fff) != 0) return {};
    if (packet.size() < header + IcmpView::kHeader + Ipv4View::kHeader || !is_icmp_error(packet[header])) return {};
    const std::span<Byte> quote = packet.subspan(header + IcmpView::kHeader);
    Ipv4View inner;
    return Ipv4View::check(quote, false, inner) == ParseError::none ? quote : std::span<Byte>{};
}

}  // namespace

void replace_address(std::span<std::uint8_t> packet, AddressField field, Address now)
{
    replace(packet, field, now, nullptr);
}

void replace_port(std::span<std::uint8_t> packet, AddressField field, std::uint16_t now)
{
    replace_word(packet, field, now, nullptr);
}

void lower_mss(std::span<std::uint8_t> packet, std::uint16_t most)
{
    const std::size_t tcp = (packet[0] & 15u) * 4u, end = tcp + (packet[tcp + 12] >> 4) * 4u;
    std::uint8_t* const sum = packet.data() + tcp + 16;
    for (std::size_t at = tcp + TcpView::kHeader; at + 1 < end && packet[at] != TcpView::kEnd;) {
        const std::size_t size = packet[at] == TcpView::kPadding ? 1 : std::max<std::size_t>(packet[at + 1], 2);
        if (packet[at] == TcpView::kMss && size == 4 && at + size <= end && load16(packet.data() + at + 2) > most) {
            // An option begins anywhere, words of the checksum don't.
            for (std::size_t byte = 0; byte < 2; ++byte) {
                std::uint8_t* const word = packet.data() + ((at + 2 + byte) & ~std::size_t{1});
                const std::uint16_t before = load16(word);
                packet[at + 2 + byte] = static_cast<std::uint8_t>(byte == 0 ? most >> 8 : most);
                store16(sum, update(load16(sum), before, load16(word)));
            }
        }
        at += size;
    }
}

void replace_quoted_port(std::span<std::uint8_t> packet, AddressField field, std::uint16_t now)
{
    const auto quote = quote_in(packet);
    if (!quote.empty()) replace_word(quote, field, now, packet.data() + (packet[0] & 15u) * 4u + 2);
}

Address quoted_address(std::span<const std::uint8_t> packet, AddressField field)
{
    const auto quote = quote_in(packet);
    return quote.empty() ? Address::none : load_ipv4(quote.data() + static_cast<std::size_t>(field));
}

void replace_quoted_address(std::span<std::uint8_t> packet, AddressField field, Address now)
{
    const auto quote = quote_in(packet);
    if (!quote.empty()) replace(quote, field, now, packet.data() + (packet[0] & 15u) * 4u + 2);
}

}  // namespace anml::rt::wire

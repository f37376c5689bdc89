#include "io/capture/link_layer.h"

#include <pcap/pcap.h>

#include "wire/bytes.h"
#include "wire/ethernet.h"

namespace anml::rt::io {

namespace {

// Numbers of the Linux and BSD kernels, of Windows and of macOS.
constexpr std::uint32_t kFamilyIpv4 = 2, kFamiliesIpv6[] = {10, 23, 24, 28, 30};
constexpr std::uint16_t kMpls = 0x8847, kMplsGroup = 0x8848, kPppoeSession = 0x8864;
constexpr std::uint16_t kServiceTag = 0x88a8, kOldTag = 0x9100, kOlderTag = 0x9200;
constexpr std::uint16_t kLongestLlc = 1500;  // what is no more is a length (IEEE 802.3)

std::uint16_t load16_little(const std::uint8_t* at) { return static_cast<std::uint16_t>(at[0] | at[1] << 8); }
std::uint32_t load32_little(const std::uint8_t* at)
{
    return load16_little(at) | std::uint32_t{load16_little(at + 2)} << 16;
}

// Goes through the headers of one frame.
class IpFinder {
    using Kind = LinkPayload::Kind;

  public:
    explicit IpFinder(std::span<const std::uint8_t> frame) : frame_(frame) {}

    LinkPayload find(int type, bool inside = false)
    {
        kind_ = Kind::broken;
        of_type(type, inside);
        return {kind_, at_, group_};
    }

  private:
    bool has(std::size_t bytes) const { return frame_.size() - at_ >= bytes; }
    const std::uint8_t* here() const { return frame_.data() + at_; }
    bool skip(std::size_t bytes)
    {
        if (!has(bytes)) return false;
        at_ += bytes;
        return true;
    }
    void found(bool ip) { kind_ = ip ? Kind::ip : Kind::other; }

    void of_type(int type, bool inside)
    {
        switch (type) {
            case DLT_EN10MB:
                return ethernet();
            case DLT_RAW:
            case DLT_IPV4:
            case DLT_IPV6:
                return found(true);
            case DLT_NULL:
                return loopback(false);
            case DLT_LOOP:
                return loopback(true);
            case DLT_ENC:
                if (!has(12)) return;
                family(load32_little(here()));
                at_ += 12;
                return;
            case DLT_LINUX_SLL:
                return cooked(16, 14, load_packet_type(0, 2));
            case DLT_LINUX_SLL2:
                return cooked(20, 0, load_packet_type(10, 1));
            case DLT_PPP:
                return ppp();
            case DLT_PPP_WITH_DIR:
                return skip(1) ? ppp() : void();
            case DLT_PPP_SERIAL:  // or Cisco's framing, by its address (RFC 1547, 4.3.1)
                return has(1) && (*here() & 0x7f) == 0x0f ? hdlc() : ppp();
            case DLT_PPP_ETHER:
                return pppoe();
            case DLT_C_HDLC:
                return hdlc();
            case DLT_FRELAY:
                return frame_relay();
            case DLT_SLIP:  // direction and kind of header, before it became IP
                if (!has(16)) return;
                found(here()[1] >> 4 == 4);
                at_ += 16;
                return;
            case DLT_IEEE802_11:
                return wireless(false);
            case DLT_IEEE802_11_RADIO:
                return radiotap();
            case DLT_NFLOG:
                return nflog();
            case DLT_PKTAP:
                return inside ? found(false) : pktap();
            default:
                return found(false);
        }
    }

    void family(std::uint32_t number)
    {
        bool ip = number == kFamilyIpv4;
        for (const std::uint32_t six : kFamiliesIpv6) ip |= number == six;
        found(ip);
    }

    // DLT_NULL has the byte order of the machine that wrote it.
    void loopback(bool network)
    {
        if (!has(4)) return;
        const std::uint32_t big = wire::load32(here());
        family(network || big < 0x10000 ? big : load32_little(here()));
        at_ += 4;
    }

    // 1: to all, 2: to a group (packet(7)).
    unsigned load_packet_type(std::size_t offset, std::size_t bytes) const
    {
        return has(offset + bytes) ? here()[offset + bytes - 1] : 0u;
    }
    void cooked(std::size_t header, std::size_t protocol, unsigned packet_type)
    {
        if (!has(header)) return;
        group_ = packet_type == 1 || packet_type == 2;
        const std::uint16_t type = wire::load16(here() + protocol);
        constexpr std::uint16_t kLlc = 4;
        at_ += header;
        return type == kLlc ? llc() : type > kLongestLlc ? ether(type) : found(false);
    }

    void ethernet()
    {
        if (!has(wire::EthernetView::kHeader)) return;
        group_ = here()[0] & 1;
        const std::uint16_t type = wire::load16(here() + 12);
        at_ += wire::EthernetView::kHeader;
        ether(type);
    }

    // Behind an EtherType, or a length.
    void ether(std::uint16_t type)
    {
        for (;;) {
            switch (type) {
                case wire::ether_type::ipv4:
                case wire::ether_type::ipv6:
                    return found(true);
                case wire::ether_type::vlan:
                case kServiceTag:
                case kOldTag:
                case kOlderTag:
                    if (!has(4)) return;
                    type = wire::load16(here() + 2);
                    at_ += 4;
                    break;
                case kMpls:
                case kMplsGroup:
                    return labels();
                case kPppoeSession:
                    return pppoe();
                default:
                    return type <= kLongestLlc ? llc() : found(false);
            }
        }
    }

    // What is under the last label begins with its version, if it is IP (RFC 4928).
    void labels()
    {
        for (bool last = false; !last; at_ += 4) {
            if (!has(5)) return;
            last = here()[2] & 1;
        }
        found(*here() >> 4 == 4 || *here() >> 4 == 6);
    }

    void llc()
    {
        constexpr std::uint8_t kSnap = 0xaa, kIp = 0x06, kUnnumbered = 0x03;
        if (!has(3)) return;
        const std::uint8_t *at = here(), to = at[0], from = at[1], control = at[2];
        if (control != kUnnumbered || to != from) return found(false);
        at_ += 3;
        if (to == kIp) return found(true);
        return to == kSnap ? snap() : found(false);
    }
    void snap()
    {
        if (!has(5)) return;
        const std::uint32_t organisation = wire::load32(here()) >> 8;
        const std::uint16_t type = wire::load16(here() + 3);
        at_ += 5;
        return (organisation == 0 || organisation == 0xf8) && type > kLongestLlc ? ether(type) : found(false);
    }

    void pppoe()
    {
        if (!has(6)) return;
        if (here()[0] != 0x11 || here()[1] != 0) return found(false);  // a code: what belongs to no session
        at_ += 6;
        ppp();
    }

    // RFC 1661, 1662: address and control, and the upper byte of the protocol, may be left out.
    void ppp()
    {
        constexpr std::uint16_t kIpv4 = 0x21, kIpv6 = 0x57, kLabels = 0x281, kLabelsGroup = 0x283;
        if (has(2) && wire::load16(here()) == 0xff03) at_ += 2;
        if (!has(2)) return;
        const bool shortened = *here() & 1;
        const std::uint16_t protocol = shortened ? *here() : wire::load16(here());
        at_ += shortened ? 1 : 2;
        if (protocol == kLabels || protocol == kLabelsGroup) return labels();
        found(protocol == kIpv4 || protocol == kIpv6);
    }

    void hdlc()
    {
        if (!has(4)) return;
        const std::uint16_t type = wire::load16(here() + 2);
        at_ += 4;
        return type > kLongestLlc ? ether(type) : found(false);
    }

    // RFC 2427, or an EtherType as Cisco has it.
    void frame_relay()
    {
        constexpr std::uint8_t kUnnumbered = 0x03, kPadding = 0, kIpv4 = 0xcc, kIpv6 = 0x8e, kSnap = 0x80;
        while (has(1) && (*here() & 1) == 0) ++at_;
        if (!skip(1) || !has(2)) return;
        if (*here() != kUnnumbered) return hdlc_type();
        ++at_;
        while (has(1) && *here() == kPadding) ++at_;
        if (!has(1)) return;
        const std::uint8_t protocol = *here();
        ++at_;
        return protocol == kSnap ? snap() : found(protocol == kIpv4 || protocol == kIpv6);
    }
    void hdlc_type()
    {
        const std::uint16_t type = wire::load16(here());
        at_ += 2;
        return type > kLongestLlc ? ether(type) : found(false);
    }

    // IEEE 802.11-2020, 9.2. `padded`: what follows the header begins at a multiple of four.
    void wireless(bool padded)
    {
        constexpr std::uint16_t kData = 2, kEmpty = 0x40, kQos = 0x80, kToSystem = 0x100, kFromSystem = 0x200,
                                kProtected = 0x4000, kOrder = 0x8000;
        if (!has(2)) return;
        const std::uint16_t control = load16_little(here());
        if ((control & 3) != 0 || (control >> 2 & 3) != kData) return found(false);  // some of them are shorter
        if (!has(24)) return;
        const bool later = wire::load16(here() + 22) & 0x0f00;  // a fragment, and not the first
        if ((control & (kEmpty | kProtected)) || later) return found(false);
        group_ = here()[control & kToSystem ? 16 : 4] & 1;
        std::size_t header = 24;
        if ((control & kToSystem) && (control & kFromSystem)) header += 6;
        if (control & kQos) {
            if (!has(header + 2)) return;
            if (here()[header] & 0x80) return found(false);  // several packets in one (A-MSDU)
            header += control & kOrder ? 6 : 2;
        }
        if (padded) header = (header + 3) & ~std::size_t{3};
        if (skip(header)) llc();
    }

    // radiotap.org: of the fields, flags say whether the frame is padded, and was damaged.
    void radiotap()
    {
        if (!has(8)) return;
        const std::size_t length = load16_little(here() + 2);
        if (length < 8 || !has(length)) return;
        std::size_t field = 4;
        const std::uint32_t present = load32_little(here() + field);
        for (bool more = true; more; field += 4) {
            if (field + 4 > length) return;
            more = load32_little(here() + field) >> 31;
        }
        constexpr std::uint32_t kTimer = 1, kFlags = 2;
        constexpr std::uint8_t kPadded = 0x20, kDamaged = 0x40;
        if (present & kTimer) field = ((field + 7) & ~std::size_t{7}) + 8;
        const std::uint8_t flags = (present & kFlags) && field < length ? here()[field] : std::uint8_t{0};
        if (flags & kDamaged) return;
        at_ += length;
        wireless(flags & kPadded);
    }

    // Netlink attributes behind the family; libpcap has them in the machine's order.
    void nflog()
    {
        constexpr std::uint16_t kPayload = 9;
        if (!has(4)) return;
        const std::uint8_t number = *here();
        at_ += 4;
        while (has(4)) {
            const std::size_t length = load16_little(here());
            const std::uint16_t type = load16_little(here() + 2) & 0x7fff;
            if (length < 4) return;
            if (type == kPayload) {
                at_ += 4;
                return family(number);
            }
            if (!skip((length + 3) & ~std::size_t{3})) return;
        }
    }

    void pktap()
    {
        if (!has(12)) return;
        const std::uint32_t length = load32_little(here()), kind = load32_little(here() + 4);
        const auto type = static_cast<int>(load32_little(here() + 8));
        if (length < 12 || !skip(length)) return;
        return kind == 1 && reads_link_type(type) ? of_type(type, true) : found(false);
    }

    std::span<const std::uint8_t> frame_;
    std::size_t at_ = 0;
    Kind kind_ = Kind::broken;
    bool group_ = false;
};

}  // namespace

bool reads_link_type(int type)
{
    for (const int known :
         {DLT_EN10MB, DLT_RAW, DLT_IPV4, DLT_IPV6, DLT_NULL, DLT_LOOP, DLT_ENC, DLT_LINUX_SLL, DLT_LINUX_SLL2, DLT_PPP,
          DLT_PPP_WITH_DIR, DLT_PPP_SERIAL, DLT_PPP_ETHER, DLT_C_HDLC, DLT_FRELAY, DLT_SLIP, DLT_IEEE802_11,
          DLT_IEEE802_11_RADIO, DLT_NFLOG, DLT_PKTAP})
        if (type == known) return true;
    return false;
}

LinkPayload find_ip(int type, std::span<const std::uint8_t> frame) { return IpFinder(frame).find(type); }

}  // namespace anml::rt::io

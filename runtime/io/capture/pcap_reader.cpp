#include "io/capture/pcap_reader.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/capture/link_layer.h"
#include "wire/ipv4.h"
#include "wire/ipv6.h"

namespace anml::rt::io {

namespace {

using Ignored = ReplayReport::Ignored;

constexpr Time kLatest = Time{1} << 33;  // seconds since 1970: the year 2242

constexpr std::size_t kFrameHeader = wire::EthernetView::kHeader;

struct Compression {
    std::string_view magic, name, program;
};
constexpr Compression kCompressions[] = {{"\x1f\x8b", "gzip", "gunzip"},
                                         {"\x28\xb5\x2f\xfd", "zstd", "unzstd"},
                                         {"\xfd\x37\x7a\x58\x5a", "xz", "unxz"},
                                         {"BZh", "bzip2", "bunzip2"}};

// What a file that is no capture is, where that helps.
std::string compressed(const std::string& path)
{
    char bytes[8] = {};
    std::FILE* file = std::fopen(path.c_str(), "re");
    if (!file) return "";
    const std::string_view begin(bytes, std::fread(bytes, 1, sizeof bytes, file));
    std::fclose(file);
    for (const Compression& known : kCompressions)
        if (begin.starts_with(known.magic))
            return fmt::format("it is compressed by {}: `{}` makes a capture of it", known.name, known.program);
    return "";
}

std::string file_error(const std::string& path, const std::string& what)
{
    return fmt::format("cannot replay {}: {}", path, what);
}

}  // namespace

std::unique_ptr<PcapReader> PcapReader::open(const std::string& path, const wire::MacAddress& from,
                                             const wire::MacAddress& to, std::string& error)
{
    std::FILE* stream = std::fopen(path.c_str(), "re");
    if (!stream) {
        error = file_error(path, std::strerror(errno));
        return nullptr;
    }
    char problem[PCAP_ERRBUF_SIZE] = {};
    pcap_t* file = pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, problem);
    if (!file) {
        std::fclose(stream);
        const std::string why = compressed(path);
        error = file_error(path, why.empty() ? problem : why);
        return nullptr;
    }
    const int type = pcap_datalink(file);
    if (!reads_link_type(type)) {
        const char* name = pcap_datalink_val_to_name(type);
        error = file_error(path, fmt::format("its link type is {}, in which no IP packets are looked for",
                                             name ? name : fmt::format("{}", type)));
        pcap_close(file);
        return nullptr;
    }
    return std::unique_ptr<PcapReader>(new PcapReader(file, path, from, to));
}

PcapReader::PcapReader(pcap* file, std::string path, const wire::MacAddress& from, const wire::MacAddress& to)
    : file_(file), path_(std::move(path)), from_(from), to_(to), link_type_(pcap_datalink(file))
{
}

PcapReader::~PcapReader() { pcap_close(file_); }

bool PcapReader::next(Frame& frame, std::string& error)
{
    pcap_pkthdr* header = nullptr;
    const u_char* bytes = nullptr;
    const int status = pcap_next_ex(file_, &header, &bytes);
    if (status != 1) {
        if (status != PCAP_ERROR_BREAK)
            error = file_error(path_, fmt::format("{}, behind packet {}", pcap_geterr(file_), read_));
        return false;
    }
    ++read_;
    // Nanoseconds, by the precision asked for; what no clock has said is bounded. libpcap takes the 32 bits of a second
    // behind 2038 for a negative number.
    const Time seconds = header->ts.tv_sec;
    frame.at = std::min(seconds < 0 ? Time{static_cast<std::uint32_t>(seconds)} : seconds, kLatest) * kSecond +
               std::clamp<Time>(header->ts.tv_usec, 0, kSecond - 1);
    frame.bytes.clear();
    frame.cut_short = frame.repaired = false;
    const std::span<const std::uint8_t> captured(bytes, header->caplen);
    const LinkPayload payload = find_ip(link_type_, captured);
    switch (payload.kind) {
        case LinkPayload::Kind::other:
            frame.ignored = Ignored::not_ip;
            break;
        case LinkPayload::Kind::broken:
            frame.ignored = Ignored::malformed;
            break;
        case LinkPayload::Kind::ip:
            frame.ignored = take_packet(captured.subspan(payload.at),
                                        std::max(header->len, header->caplen) - payload.at, frame);
            if (!frame.ignored && payload.group) frame.ignored = Ignored::groups;
            break;
    }
    return true;
}

namespace {

// Of the header of IPv4: to a group or to all (RFC 1112, 919).
bool stays_on_link(const std::uint8_t* ip)
{
    const std::uint32_t to = wire::load32(ip + 16);
    return to >> 28 == 14 || to == 0xffffffff;
}

// To a group, or with link-local or no addresses (RFC 4291, 2.5).
bool stays_on_link(const wire::Ipv6View& ip)
{
    const auto local = [](const Ipv6& address) { return address[0] == 0xfe && (address[1] & 0xc0) == 0x80; };
    const Ipv6 from = ip.source(), to = ip.destination();
    return to[0] == 0xff || local(to) || local(from) || from == Ipv6{};
}

// RFC 2675, as Linux puts it before TCP: a hop-by-hop header of this option alone. The length that it says; 0: it is
// none.
std::size_t jumbo_length(std::span<const std::uint8_t> packet)
{
    constexpr std::size_t kOption = wire::Ipv6View::kHeader + 2;
    if (packet.size() < kOption + 6 || packet[6] != 0 || packet[kOption - 1] != 0) return 0;
    if (packet[kOption] != 0xc2 || packet[kOption + 1] != 4) return 0;
    return wire::load32(packet.data() + kOption + 2);
}

}  // namespace

// `captured`: from the IP header on, as much of it as there is; `length`: of it on the link, which may have padded it.
std::optional<Ignored> PcapReader::take_packet(std::span<const std::uint8_t> captured, std::size_t length,
                                               Frame& frame) const
{
    constexpr std::size_t kSix = wire::Ipv6View::kHeader, kJumbo = 8;
    if (captured.size() < wire::Ipv4View::kHeader) return Ignored::malformed;
    const bool six = captured[0] >> 4 == 6;
    if (six ? captured.size() < kSix : captured.size() < (captured[0] & 15u) * 4u) return Ignored::malformed;
    const std::uint8_t* const at = captured.data();
    const std::size_t jumbo = six && wire::load16(at + 4) == 0 ? jumbo_length(captured) : 0;
    const std::size_t said = six ? kSix + wire::load16(at + 4) : wire::load16(at + 2);
    const std::uint8_t next = six ? at[jumbo != 0 ? kSix : 6] : at[9];
    // What TCP had left to the device may be longer than a length field says.
    const bool open = jumbo != 0 || (six ? said == kSix && length > kSix && (next == protocol::tcp || length > 65535)
                                         : said == 0);
    std::size_t whole = jumbo != 0 ? kSix + jumbo : open ? length : said;
    if (whole > length) return Ignored::malformed;
    if (whole > 65535 && (next != protocol::tcp || whole > kLongest)) return Ignored::too_long;
    const std::size_t there = std::min(captured.size(), whole);
    const std::size_t before = jumbo != 0 ? kSix : 0, left_out = jumbo != 0 ? kJumbo : 0;
    whole -= left_out;

    frame.cut_short = there < whole + left_out;
    frame.bytes.assign(kFrameHeader + whole, 0);
    std::uint8_t* const packet = frame.bytes.data() + kFrameHeader;
    std::copy_n(at, before, packet);
    std::copy_n(at + before + left_out, there - before - left_out, packet + before);
    wire::write_ethernet(frame.bytes.data(), to_, from_, six ? wire::ether_type::ipv6 : wire::ether_type::ipv4);
    const std::span<const std::uint8_t> bytes(packet, whole);
    if (six) {
        frame.repaired = open;
        if (jumbo != 0) packet[6] = at[kSix];
        if (open && whole <= 65535) wire::store16(packet + 4, static_cast<std::uint16_t>(whole - kSix));
        wire::Ipv6View ip;
        if (wire::Ipv6View::check_super(bytes, ip) != wire::ParseError::none) return Ignored::malformed;
        return stays_on_link(ip) ? std::optional(Ignored::groups) : std::nullopt;
    }
    if (open && whole <= 65535) wire::store16(packet + 2, static_cast<std::uint16_t>(whole));
    wire::Ipv4View ip;
    if (wire::Ipv4View::check_super(bytes, ip) != wire::ParseError::none) return Ignored::malformed;
    frame.repaired = open || !ip.checksum_good();
    if (frame.repaired) wire::finish_ipv4(packet);
    return stays_on_link(packet) ? std::optional(Ignored::groups) : std::nullopt;
}

}  // namespace anml::rt::io

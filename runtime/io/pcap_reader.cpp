#include "io/pcap_reader.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace anml::rt::io {

namespace {

// How the packets of a link type begin: so many bytes before the IP header.
struct LinkHeader {
    int type;
    std::size_t length;
};
constexpr LinkHeader kLinkHeaders[] = {
    {DLT_EN10MB, 0}, {DLT_RAW, 0},  {DLT_IPV4, 0},       {DLT_IPV6, 0},
    {DLT_NULL, 4},   {DLT_LOOP, 4}, {DLT_LINUX_SLL, 16}, {DLT_LINUX_SLL2, 20},
};

constexpr Time kLatest = Time{1} << 33;  // seconds since 1970: the year 2242

const LinkHeader* link_header(int type)
{
    const auto found = std::find_if(std::begin(kLinkHeaders), std::end(kLinkHeaders),
                                    [&](const LinkHeader& l) { return l.type == type; });
    return found == std::end(kLinkHeaders) ? nullptr : found;
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
        error = file_error(path, problem);
        return nullptr;
    }
    const int type = pcap_datalink(file);
    if (!link_header(type)) {
        const char* name = pcap_datalink_val_to_name(type);
        error = file_error(path, fmt::format("its link type is {}, and not Ethernet, raw IP, Linux cooked or loopback",
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
    constexpr std::size_t kHeader = wire::EthernetView::kHeader;
    const std::size_t skipped = link_header(link_type_)->length;
    const bool ethernet = link_type_ == DLT_EN10MB;
    for (;;) {
        pcap_pkthdr* header = nullptr;
        const u_char* bytes = nullptr;
        const int status = pcap_next_ex(file_, &header, &bytes);
        if (status != 1) {
            if (status != PCAP_ERROR_BREAK)
                error = file_error(path_, fmt::format("{}, behind packet {}", pcap_geterr(file_), read_));
            return false;
        }
        ++read_;
        if (header->caplen <= skipped) continue;  // nothing of it was captured
        const std::size_t made = ethernet ? 0 : kHeader;
        const std::size_t captured = std::min<std::size_t>(header->caplen - skipped, kLongest - made);
        const std::size_t whole = std::clamp<std::size_t>(header->len - std::min<std::size_t>(header->len, skipped),
                                                          captured, kLongest - made);
        // Nanoseconds, by the precision asked for; what no clock has said is bounded.
        frame.at = std::clamp<Time>(header->ts.tv_sec, 0, kLatest) * kSecond +
                   std::clamp<Time>(header->ts.tv_usec, 0, kSecond - 1);
        frame.cut_short = captured < whole;
        frame.bytes.assign(made + whole, 0);
        std::memcpy(frame.bytes.data() + made, bytes + skipped, captured);
        if (!ethernet) {
            const bool six = frame.bytes[made] >> 4 == 6;
            wire::write_ethernet(frame.bytes.data(), to_, from_, six ? wire::ether_type::ipv6 : wire::ether_type::ipv4);
            return true;
        }
        wire::EthernetView view;
        if (!wire::EthernetView::check(frame.bytes, view)) return true;
        const bool own = view.source() == to_;
        if (own && view.type() == wire::ether_type::arp) continue;
        if (own) std::copy(from_.begin(), from_.end(), frame.bytes.begin() + from_.size());
        if ((view.destination()[0] & 1) == 0 &&
            (view.type() == wire::ether_type::ipv4 || view.type() == wire::ether_type::ipv6))
            std::copy(to_.begin(), to_.end(), frame.bytes.begin());
        return true;
    }
}

}  // namespace anml::rt::io

// A capture file that is being read, pcap or pcapng, through libpcap: the IP packets of its frames, as they were sent.
//
// Each gets an Ethernet header from `from` to `to`, whatever its own link had (link_layer.h). What a sender's device
// would have completed is right: the header's checksum, and a total length of 0, which stands for all that was there
// (of TCP up to kLongest, RFC 2675 for IPv6). A packet of which the file has only the beginning gets zeros for the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "report/live/replay_report.h"
#include "wire/ethernet.h"

struct pcap;

namespace anml::rt::io {

class PcapReader {
  public:
    struct Frame {
        Time at = 0;                                   // ns since 1970
        std::optional<ReplayReport::Ignored> ignored;  // it has no packet for the network, and no bytes here
        std::vector<std::uint8_t> bytes;               // Ethernet header first
        bool cut_short = false;                        // the file did not have all of it
        bool repaired = false;                         // the header's checksum or length was not right
    };

    // Null: `error`.
    static std::unique_ptr<PcapReader> open(const std::string& path, const wire::MacAddress& from,
                                            const wire::MacAddress& to, std::string& error);
    ~PcapReader();
    PcapReader(const PcapReader&) = delete;
    PcapReader& operator=(const PcapReader&) = delete;

    // False: there is no further one, or it could not be read: `error`.
    bool next(Frame& frame, std::string& error);

    static constexpr std::size_t kLongest = 8 * 65535;  // bytes of TCP that Linux leaves to a device at once

  private:
    std::optional<ReplayReport::Ignored> take_packet(std::span<const std::uint8_t> captured, std::size_t length,
                                                     Frame& frame) const;
    PcapReader(pcap* file, std::string path, const wire::MacAddress& from, const wire::MacAddress& to);

    pcap* file_;
    std::string path_;
    wire::MacAddress from_, to_;
    int link_type_;
    std::uint64_t read_ = 0;
};

}  // namespace anml::rt::io

// A capture file that is being read, pcap or pcapng, through libpcap: its packets as Ethernet frames.
//
// Frames of an Ethernet are handed on as they are, but that IP packets to one host go to `to`, and that what `to` sent
// itself when the file was made comes from `from`, or is left out if it is ARP. Other link types (raw IP, Linux's
// cooked ones, BSD's loopback) are given a header. A packet of which the file has only the beginning gets zeros for the
// rest.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"
#include "wire/ethernet.h"

struct pcap;

namespace anml::rt::io {

class PcapReader {
  public:
    struct Frame {
        Time at = 0;                      // ns since 1970
        std::vector<std::uint8_t> bytes;  // Ethernet header first
        bool cut_short = false;           // the file did not have all of it
    };

    // Null: `error`. `from`, `to`: in the header where the file has none.
    static std::unique_ptr<PcapReader> open(const std::string& path, const wire::MacAddress& from,
                                            const wire::MacAddress& to, std::string& error);
    ~PcapReader();
    PcapReader(const PcapReader&) = delete;
    PcapReader& operator=(const PcapReader&) = delete;

    // False: there is no further one, or it could not be read: `error`.
    bool next(Frame& frame, std::string& error);

    static constexpr std::size_t kLongest = 14 + 65535;  // bytes of a frame; of longer ones the rest is left out

  private:
    PcapReader(pcap* file, std::string path, const wire::MacAddress& from, const wire::MacAddress& to);

    pcap* file_;
    std::string path_;
    wire::MacAddress from_, to_;
    int link_type_;
    std::uint64_t read_ = 0;
};

}  // namespace anml::rt::io

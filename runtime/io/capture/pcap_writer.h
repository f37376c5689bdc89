// A capture file that is being written: nanosecond pcap, link type RAW (IPv4 and IPv6) or Ethernet. Written through
// libpcap.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/time.h"

struct pcap;
struct pcap_dumper;

namespace anml::rt::io {

class PcapWriter {
  public:
    static constexpr std::size_t kSnapshot = 65535;  // bytes of a packet; none is longer

    enum class Link { raw, ethernet };
    // Makes or replaces the file. Null: `error`.
    static std::unique_ptr<PcapWriter> open(const std::string& path, std::string& error, Link link = Link::raw);
    ~PcapWriter();
    PcapWriter(const PcapWriter&) = delete;
    PcapWriter& operator=(const PcapWriter&) = delete;

    // `at`: ns since 1970. What fails is said by finish().
    void write(Time at, std::span<const std::uint8_t> packet);
    // False: the file is incomplete (disk full), `error` says so. Nothing may follow it.
    bool finish(std::string& error);

  private:
    PcapWriter(pcap* format, pcap_dumper* dumper, std::string path);
    void note_failure();

    pcap* format_;
    pcap_dumper* dumper_;
    std::string path_;
    int failure_ = 0;  // errno of the first failed write
};

}  // namespace anml::rt::io

#include "io/capture/pcap_writer.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace anml::rt::io {

std::unique_ptr<PcapWriter> PcapWriter::open(const std::string& path, std::string& error, Link link)
{
    pcap_t* format = pcap_open_dead_with_tstamp_precision(link == Link::raw ? DLT_RAW : DLT_EN10MB, kSnapshot,
                                                          PCAP_TSTAMP_PRECISION_NANO);
    if (!format) {
        error = fmt::format("cannot write capture file {}: out of memory", path);
        return nullptr;
    }
    std::FILE* file = std::fopen(path.c_str(), "we");  // a file of that name even if it is `-`, and no sandbox's
    pcap_dumper_t* dumper = file ? pcap_dump_fopen(format, file) : nullptr;
    if (!dumper) {
        error =
            fmt::format("cannot write capture file {}: {}", path, file ? pcap_geterr(format) : std::strerror(errno));
        if (file) std::fclose(file);
        pcap_close(format);
        return nullptr;
    }
    return std::unique_ptr<PcapWriter>(new PcapWriter(format, dumper, path));
}

PcapWriter::PcapWriter(pcap* format, pcap_dumper* dumper, std::string path)
    : format_(format), dumper_(dumper), path_(std::move(path))
{
}

PcapWriter::~PcapWriter()
{
    pcap_dump_close(dumper_);
    pcap_close(format_);
}

void PcapWriter::write(Time at, std::span<const std::uint8_t> packet)
{
    if (failure_) return;
    pcap_pkthdr header{};
    header.ts.tv_sec = at / kSecond;
    header.ts.tv_usec = at % kSecond;  // nanoseconds, by the file's precision
    header.caplen = header.len = static_cast<bpf_u_int32>(packet.size());
    pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, packet.data());
    note_failure();
}

bool PcapWriter::finish(std::string& error)
{
    if (!failure_ && pcap_dump_flush(dumper_) != 0) failure_ = errno;
    note_failure();
    if (!failure_) return true;
    error = fmt::format("capture file {} is incomplete: {}", path_, std::strerror(failure_));
    return false;
}

// libpcap drops fwrite's result; the stream remembers it.
void PcapWriter::note_failure()
{
    if (!failure_ && std::ferror(pcap_dump_file(dumper_))) failure_ = errno ? errno : EIO;
}

}  // namespace anml::rt::io

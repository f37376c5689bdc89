#include "io/capture.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "kernel/pool.h"
#include "wire/packet_codec.h"

namespace anml::rt::io {

namespace {

constexpr int kSnapshot = 65535;

class PcapFile final : public CaptureFile {
  public:
    PcapFile(pcap_t* format, pcap_dumper_t* dumper, std::string path, const Model& model, const BufferPool& buffers,
             Time epoch)
        : format_(format), dumper_(dumper), path_(std::move(path)), model_(model), buffers_(buffers), epoch_(epoch)
    {
    }

    ~PcapFile() override
    {
        pcap_dump_close(dumper_);
        pcap_close(format_);
    }

    void packet(LinkId, const Packet& packet, Time transmitted) override
    {
        if (failure_) return;
        const std::size_t length = wire::emit(packet, model_, buffers_, bytes_);
        const Time at = epoch_ + transmitted;
        pcap_pkthdr header{};
        header.ts.tv_sec = at / kSecond;
        header.ts.tv_usec = at % kSecond;  // nanoseconds, by the file's precision
        header.caplen = header.len = static_cast<bpf_u_int32>(length);
        pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, bytes_.data());
        note_failure();
    }

    bool finish(std::string& error) override
    {
        if (!failure_ && pcap_dump_flush(dumper_) != 0) failure_ = errno;
        note_failure();
        if (!failure_) return true;
        error = fmt::format("capture file {} is incomplete: {}", path_, std::strerror(failure_));
        return false;
    }

  private:
    // libpcap drops fwrite's result; the stream remembers it.
    void note_failure()
    {
        if (!failure_ && std::ferror(pcap_dump_file(dumper_))) failure_ = errno ? errno : EIO;
    }

    pcap_t* format_;
    pcap_dumper_t* dumper_;
    std::string path_;
    const Model& model_;
    const BufferPool& buffers_;
    Time epoch_;
    int failure_ = 0;  // errno of the first failed write
    std::array<std::uint8_t, kSnapshot> bytes_;
};

}  // namespace

std::unique_ptr<CaptureFile> CaptureFile::open(const std::string& path, const Model& model, const BufferPool& buffers,
                                               Time epoch_ns, std::string& error)
{
    pcap_t* format = pcap_open_dead_with_tstamp_precision(DLT_RAW, kSnapshot, PCAP_TSTAMP_PRECISION_NANO);
    if (!format) {
        error = fmt::format("cannot write capture file {}: out of memory", path);
        return nullptr;
    }
    pcap_dumper_t* dumper = pcap_dump_open(format, path.c_str());
    if (!dumper) {
        error = fmt::format("cannot write capture file {}", pcap_geterr(format));  // it names the path and the reason
        pcap_close(format);
        return nullptr;
    }
    return std::make_unique<PcapFile>(format, dumper, path, model, buffers, epoch_ns);
}

}  // namespace anml::rt::io

#include "io/capture.h"

#include <fmt/format.h>
#include <pcap/pcap.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "io/transmission_order.h"
#include "net/buffers.h"
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

    void packet(LinkId link, const Packet& packet, Time now, Time start) override
    {
        order_.take(link, start, {bytes_.data(), wire::emit(packet, model_, buffers_, bytes_)});
        write_before(now + 1);
    }

    void rate_changed(LinkId link, const RateChange& change) override
    {
        write_before(change.now);
        order_.move(link, change);
    }

    void failed(LinkId link, Time now) override
    {
        write_before(now);
        order_.forget(link);
    }

    bool finish(Time end, std::string& error) override
    {
        write_before(end);
        if (!failure_ && pcap_dump_flush(dumper_) != 0) failure_ = errno;
        note_failure();
        if (!failure_) return true;
        error = fmt::format("capture file {} is incomplete: {}", path_, std::strerror(failure_));
        return false;
    }

  private:
    void write_before(Time end)
    {
        order_.begun_before(end, [&](Time start, std::span<const std::uint8_t> bytes) {
            if (failure_) return;
            const Time at = epoch_ + start;
            pcap_pkthdr header{};
            header.ts.tv_sec = at / kSecond;
            header.ts.tv_usec = at % kSecond;  // nanoseconds, by the file's precision
            header.caplen = header.len = static_cast<bpf_u_int32>(bytes.size());
            pcap_dump(reinterpret_cast<u_char*>(dumper_), &header, bytes.data());
            note_failure();
        });
    }

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
    TransmissionOrder order_;
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
    std::FILE* file = std::fopen(path.c_str(), "we");  // a file of that name even if it is `-`, and no sandbox's
    pcap_dumper_t* dumper = file ? pcap_dump_fopen(format, file) : nullptr;
    if (!dumper) {
        error =
            fmt::format("cannot write capture file {}: {}", path, file ? pcap_geterr(format) : std::strerror(errno));
        if (file) std::fclose(file);
        pcap_close(format);
        return nullptr;
    }
    return std::make_unique<PcapFile>(format, dumper, path, model, buffers, epoch_ns);
}

}  // namespace anml::rt::io

#include "io/capture/capture.h"

#include <array>

#include "io/capture/pcap_writer.h"
#include "io/device/transmission_order.h"
#include "net/link/buffers.h"
#include "wire/packet_codec.h"

namespace anml::rt::io {

namespace {

class PcapFile final : public CaptureFile {
  public:
    PcapFile(std::unique_ptr<PcapWriter> writer, const Model& model, const BufferPool& buffers, Time epoch)
        : writer_(std::move(writer)), model_(model), buffers_(buffers), epoch_(epoch)
    {
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
        return writer_->finish(error);
    }

  private:
    void write_before(Time end)
    {
        order_.begun_before(
            end, [&](Time start, std::span<const std::uint8_t> bytes) { writer_->write(epoch_ + start, bytes); });
    }

    std::unique_ptr<PcapWriter> writer_;
    const Model& model_;
    const BufferPool& buffers_;
    Time epoch_;
    TransmissionOrder order_;
    std::array<std::uint8_t, PcapWriter::kSnapshot> bytes_;
};

}  // namespace

std::unique_ptr<CaptureFile> CaptureFile::open(const std::string& path, const Model& model, const BufferPool& buffers,
                                               Time epoch_ns, std::string& error, bool frames)
{
    std::unique_ptr<PcapWriter> writer =
        PcapWriter::open(path, error, frames ? PcapWriter::Link::ethernet : PcapWriter::Link::raw);
    return writer ? std::make_unique<PcapFile>(std::move(writer), model, buffers, epoch_ns) : nullptr;
}

}  // namespace anml::rt::io

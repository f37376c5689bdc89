// A packet socket on an existing Ethernet interface (packet(7)): a memory-mapped receive ring, and batches of sends.
//
// docs/decisions/0005-packet-io.md says why it is built this way.
#pragma once

#include <sys/socket.h>

#include <array>
#include <memory>
#include <vector>

#include "io/device/coalesce.h"
#include "io/device/descriptor.h"
#include "io/device/device.h"
#include "wire/ethernet.h"

namespace anml::rt::io {

class PacketSocket : public Device {
  public:
    // Sees ARP, and IPv4 for `mac`; without one all frames, with their tags. Null: `error` says what and how to mend
    // it.
    static std::unique_ptr<PacketSocket> open(const std::string& interface, const std::optional<wire::MacAddress>& mac,
                                              const Clock& clock, LiveReport& report, std::string& error);
    ~PacketSocket() override;

    std::size_t receive(std::span<Frame> frames) override;
    bool stamps() const override { return true; }
    int descriptor() const override { return receiver_.get(); }
    std::uint64_t kernel_drops() override;
    bool present() override;
    bool has_carrier() const;  // false: the other end of the link is down
    DeviceReport facts() override;

  protected:
    using Device::Device;
    bool prepare(const std::optional<wire::MacAddress>& mac, std::string& error);
    int index() const { return index_; }
    int receiver() const { return receiver_.get(); }
    // The queued frames as messages, of which those of several frames take a header before them (coalesce.h); `singly`:
    // none is. Returns how many.
    std::size_t gather(std::size_t count, bool singly);
    Coalescer::Message message(std::size_t i) { return coalescer_.message(i); }
    // Sends some of these; returns as transmit() does.
    std::size_t send(std::size_t first, std::size_t behind);

  private:
    static constexpr std::size_t kJumboSize = 1 << 17;

    bool claim(int index, std::string& error);
    bool open_receiver(int index, const std::optional<wire::MacAddress>& mac, std::string& error);
    bool open_sender(int index, std::string& error);
    bool read_jumbo(std::size_t i, Frame& frame);
    std::size_t transmit(std::size_t count) override;

    Descriptor claim_, receiver_, sender_;
    int index_ = 0;
    bool all_frames_ = false;
    bool around_queue_ = false;  // of the interface, on the way out
    std::uint8_t* ring_ = nullptr;
    std::size_t next_ = 0;                    // ring frame to look at next
    std::size_t returned_ = 0;                // ring frame to give back to the kernel next
    std::unique_ptr<std::uint8_t[]> jumbos_;  // super-frames of a batch
    std::uint64_t drops_ = 0;
    Coalescer coalescer_{Coalescer::kernel_takes_datagrams()};
    std::array<mmsghdr, kBatch> messages_{};
};

}  // namespace anml::rt::io

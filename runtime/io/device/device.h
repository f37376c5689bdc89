// What the live loop needs of a network device: Ethernet frames in and out, in batches.
//
// Frames to send are written in place: `slot()` is room for one, `commit()` queues it, `flush()` hands the queued ones
// to the kernel and records how late each was. Only one virtual call is made per batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/time.h"
#include "io/device/clock.h"
#include "report/live/device_report.h"
#include "report/live/live_counters.h"
#include "wire/ethernet.h"
#include "wire/offloads.h"

namespace anml::rt {
struct LiveReport;
}

namespace anml::rt::io {

// A frame as the kernel handed it over.
struct Frame {
    enum class Segments : std::uint8_t { none, tcp, udp };

    std::span<const std::uint8_t> bytes;  // Ethernet header first
    bool checksum_partial = false;        // the sender left its transport checksum to the device
    std::uint16_t checksum_start = 0, checksum_offset = 0;  // where that begins to count, and from there where it is
    wire::Transport transport = wire::Transport::good;  // of a file: what is not enters as it is
    Segments segments = Segments::none;   // a super-frame that the sender left to the device to split
    std::uint16_t segment_size = 0;       // transport payload of each segment
    wire::Cwr cwr = wire::Cwr::once;      // what CWR says in it
    Time stamp = 0;                       // when the kernel had it, CLOCK_REALTIME; 0: it does not say
    Time arrived = kNever;                // the same in the run's time, where the device knows it
};

class Device {
  public:
    static constexpr std::size_t kBatch = 64;
    static constexpr std::size_t kFrameCapacity = 14 + 65535;

    Device(std::string name, const Clock& clock, LiveReport& report);
    virtual ~Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const std::string& name() const { return name_; }
    EndpointCounters& counters() { return counters_; }  // of its endpoint

    // Fills `frames` from what has arrived and returns how many; they stay valid until the next call. Fewer than there
    // is room for: nothing is left.
    virtual std::size_t receive(std::span<Frame> frames) = 0;
    // Whether each frame has a stamp. Asked about once a second.
    virtual bool stamps() const = 0;
    // Readable when frames wait; -1: next_arrival() says when they come.
    virtual int descriptor() const = 0;
    // When the next frame will have come, where that is known; else kNever.
    virtual Time next_arrival() const { return kNever; }
    // The Ethernet address behind it, where nobody need be asked for it.
    virtual std::optional<wire::MacAddress> peer() const { return std::nullopt; }
    // False: it is gone for good, and gone() says why. Asked about once a second.
    virtual bool present() = 0;
    virtual std::string gone() const;
    // Whether the end takes back what was configured, for which it has to keep its capability.
    virtual bool restores() const { return false; }
    // Frames the kernel dropped before they could be read, since the device was opened.
    virtual std::uint64_t kernel_drops() = 0;
    // What it is, for the results.
    virtual DeviceReport facts() = 0;

    std::span<std::uint8_t, kFrameCapacity> slot()
    {
        return std::span<std::uint8_t, kFrameCapacity>(buffers_.get() + queued_ * kFrameCapacity, kFrameCapacity);
    }
    // `due`: when it should leave; kNever for frames of the emulator's own, which are not counted.
    // `alone`: the kernel gets it as it is.
    void commit(std::size_t length, Time due, bool alone = false)
    {
        lengths_[queued_] = static_cast<std::uint32_t>(length);
        due_[queued_] = due;
        alone_[queued_] = alone;
        if (++queued_ == kBatch) flush();
    }
    void flush();

  protected:
    // Sends the first `count` slots; returns how many the kernel refused for other reasons than a link that is down.
    virtual std::size_t transmit(std::size_t count) = 0;
    void count_link_down(std::size_t frames);
    void count_tagged();
    const Clock& clock() const { return clock_; }

    Time due(std::size_t i) const { return due_[i]; }
    bool alone(std::size_t i) const { return alone_[i]; }
    std::span<std::uint8_t> queued(std::size_t i) const { return {buffers_.get() + i * kFrameCapacity, lengths_[i]}; }

  private:
    std::string name_;
    const Clock& clock_;
    LiveReport& report_;
    EndpointCounters counters_;
    std::unique_ptr<std::uint8_t[]> buffers_;
    std::size_t queued_ = 0;
    std::uint32_t lengths_[kBatch];
    Time due_[kBatch];
    bool alone_[kBatch];
};

}  // namespace anml::rt::io

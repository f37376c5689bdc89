// Segments of TCP, or datagrams of UDP, that leave one after the other, as the one super-frame that a network card
// would have made of them on the way in (generic receive offload), so that the kernel carries them together.
//
// Only what may as well have arrived together: packets of a flow that were due within kCoalesced, in order, TCP's with
// the same acknowledgment, window and options, all but the last equally long. Slower links than about a gigabit per
// second never have full ones of these. IPv4 only.
#pragma once

#include <sys/uio.h>

#include <array>
#include <cstdint>
#include <span>

#include "base/time.h"
#include "io/device/device.h"
#include "io/device/virtio_header.h"

namespace anml::rt::io {

class Coalescer {
  public:
    static constexpr Time kCoalesced = 10 * kMicrosecond;

    // `datagrams`: the kernel takes super-frames of UDP too.
    explicit Coalescer(bool datagrams) : datagrams_(datagrams) {}
    static bool kernel_takes_datagrams();  // Linux 6.2

    // Starts anew.
    void clear() { groups_ = parts_ = 0; }
    // The next frame in order, which stays where it is, and may be changed; `due` as Device::commit has it; `alone`:
    // joins none.
    void add(std::span<std::uint8_t> frame, Time due, bool alone);
    // Behind the last one: what to hand to the kernel, a message each, its header (VirtioHeader) first.
    struct Message {
        std::span<iovec> parts;
        std::size_t frames;
        std::size_t bytes;  // of all parts
    };
    std::size_t finish();  // returns how many messages
    Message message(std::size_t i);

  private:
    struct Group {
        VirtioHeader header;
        std::size_t first_part, part_count, frames, bytes;
    };
    std::size_t headers_of(std::span<const std::uint8_t> frame) const;
    bool joins(std::span<const std::uint8_t> frame, Time due) const;
    void close();

    const bool datagrams_;
    std::array<Group, Device::kBatch> groups_of_;
    std::array<iovec, 2 * Device::kBatch> parts_of_;
    std::size_t groups_ = 0, parts_ = 0;
    // Of the latest group, which may go on:
    std::span<std::uint8_t> head_;  // its first frame
    std::size_t headers_ = 0;       // bytes of it before the payload; 0: nothing can join
    std::size_t segment_ = 0;       // its payload
    bool tcp_ = false;
    std::uint32_t next_ = 0;  // TCP: sequence number behind it
    std::size_t length_ = 0;  // of the packet that it makes, IP header included
    Time due_ = 0;            // of the first
    bool closed_ = false;     // the last one is shorter, or has PSH
};

}  // namespace anml::rt::io

// An AF_XDP socket on one receive queue of an interface, with its memory and its four rings
// (Documentation/networking/af_xdp.rst).
#pragma once

#include <linux/if_xdp.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/device/descriptor.h"
#include "io/xdp/xdp_program.h"

namespace anml::rt::io {

// Memory that is mapped for as long as the object lives.
class Mapping {
  public:
    Mapping() = default;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();
    // Of `file` from `offset` on, or of nothing (-1). False: errno.
    bool map(std::size_t size, int file, std::uint64_t offset);
    std::uint8_t* at(std::size_t offset = 0) const { return bytes_ + offset; }
    std::size_t size() const { return size_; }

  private:
    std::uint8_t* bytes_ = nullptr;
    std::size_t size_ = 0;
};

// A ring that is shared with the kernel: one side makes entries, the other takes them.
template <class Entry>
class XdpRing {
  public:
    // False: errno.
    bool open(int socket, int option, std::uint32_t entries, std::uint64_t page, const xdp_ring_offset& offsets);
    std::uint32_t entries() const { return mask_ + 1; }
    Entry& at(std::uint32_t i) const { return entries_[i & mask_]; }
    std::uint32_t produced() const { return __atomic_load_n(producer_, __ATOMIC_ACQUIRE); }
    std::uint32_t consumed() const { return __atomic_load_n(consumer_, __ATOMIC_ACQUIRE); }
    void produce(std::uint32_t up_to) { __atomic_store_n(producer_, up_to, __ATOMIC_RELEASE); }
    void consume(std::uint32_t up_to) { __atomic_store_n(consumer_, up_to, __ATOMIC_RELEASE); }
    bool wants_wakeup() const { return __atomic_load_n(flags_, __ATOMIC_RELAXED) & XDP_RING_NEED_WAKEUP; }

  private:
    Mapping memory_;
    std::uint32_t *producer_ = nullptr, *consumer_ = nullptr, *flags_ = nullptr;
    Entry* entries_ = nullptr;
    std::uint32_t mask_ = 0;
};

class XdpQueue {
  public:
    struct Wanted {
        int interface_index;
        std::uint32_t queue;
        std::uint32_t chunk;   // bytes of a frame with what is kept free before it, a power of two up to a page
        std::uint32_t frames;  // that may wait to be read, a power of two
        bool copy;             // zero-copy is not even tried
        bool sends;
    };
    // Kept free before each received frame.
    static constexpr std::uint32_t kHeadroom = 256;  // XDP_PACKET_HEADROOM

    // Returns 0 or an errno, and `step` says what failed.
    int open(const Wanted& wanted, std::string& step);
    int descriptor() const { return socket_.get(); }
    bool zero_copy() const { return zero_copy_; }

    // What has come until the last look may be taken, one by one, and stays valid until it is given back. Returns the
    // number behind the last one.
    std::uint32_t look();
    bool waiting() const { return next_ != seen_; }
    bool before(std::uint32_t number) const { return static_cast<std::int32_t>(number - next_) > 0; }  // the next one
    struct Received {
        std::span<const std::uint8_t> bytes;
        std::optional<XdpNote> note;
    };
    Received peek() const;
    void take() { ++next_; }
    void give_back();

    // Queues a frame of at most `chunk` bytes. False: the ring is full.
    bool push(std::span<const std::uint8_t> frame);
    // Has the kernel send what is queued; what it does not take now stays queued. Returns how many frames it took and
    // could not send.
    std::size_t kick();
    bool unsent() const { return sends_ && transmit_.consumed() != pushed_; }
    bool down() const { return down_; }  // the interface, as of the latest kick

    xdp_statistics statistics();

  private:
    int set_up_rings(const Wanted& wanted, std::string& step);
    void reap();

    Descriptor socket_;
    Mapping memory_;
    XdpRing<xdp_desc> receive_, transmit_;
    XdpRing<std::uint64_t> fill_, completion_;
    std::uint32_t chunk_ = 0;
    std::uint32_t seen_ = 0, next_ = 0, returned_ = 0, filled_ = 0, pushed_ = 0, reaped_ = 0;
    std::vector<std::uint64_t> free_;  // chunks to send from
    bool zero_copy_ = false, sends_ = false, down_ = false;
    xdp_statistics statistics_{};
};

}  // namespace anml::rt::io

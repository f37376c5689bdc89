// The program that an interface asks about each frame before the kernel's own way begins (XDP), and the map of AF_XDP
// sockets behind it.
//
// Frames of IPv4 and IPv6 to one Ethernet address go to the socket of their receive queue, with a note before them;
// everything else, and what is longer than a socket takes, goes on as if there were no program. By plain bpf(2): all of
// it goes with this process's descriptors, however it ends.
#pragma once

#include <cstdint>

#include "io/device/descriptor.h"
#include "wire/ethernet.h"

namespace anml::rt::io {

// What the program leaves before a frame, where the driver has room for that.
struct XdpNote {
    static constexpr std::uint32_t kMark = 0x4c4d4e41;

    std::uint64_t arrived;  // CLOCK_MONOTONIC, ns
    std::uint32_t mark;
    std::uint32_t passed;  // frames of the same address before it that were too long
};
static_assert(sizeof(XdpNote) == 16);

class XdpProgram {
  public:
    static constexpr std::uint32_t kQueues = 16;

    // Both return 0 or an errno. `longest`: frame that is taken, in bytes with its Ethernet header.
    int load(const wire::MacAddress& mac, std::uint32_t longest);
    // In the driver, else in front of the kernel's stack (generic mode), unless somebody else's program is there.
    int attach(int interface_index);
    // From now on frames of this receive queue go to that socket. Returns 0 or an errno.
    int direct(std::uint32_t queue, int socket);

    bool generic() const { return generic_; }
    int refusal() const { return refusal_; }  // errno of the driver, where the mode is generic
    int descriptor() const { return program_.get(); }

  private:
    Descriptor sockets_, passed_, program_, link_;
    bool generic_ = false;
    int refusal_ = 0;
};

}  // namespace anml::rt::io

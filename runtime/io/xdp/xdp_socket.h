// An existing Ethernet interface through AF_XDP: unicast IP to the model comes to sockets of its receive queues before
// the kernel makes anything of it; ARP, groups, and what is too long still come through the packet socket.
//
// docs/decisions/0045-af-xdp.md says why it is built this way.
#pragma once

#include <memory>
#include <vector>

#include "io/device/packet_socket.h"
#include "io/xdp/xdp_program.h"
#include "io/xdp/xdp_queue.h"

namespace anml::rt::io {

class XdpSocket final : public PacketSocket {
  public:
    // As PacketSocket::open with `heard`; IP to `mac` comes past the kernel's stack. Takes root.
    static std::unique_ptr<XdpSocket> open(const std::string& interface, const wire::MacAddress& mac,
                                           const std::optional<wire::MacAddress>& heard, const Clock& clock,
                                           LiveReport& report, std::string& error);

    std::size_t receive(std::span<Frame> frames) override;
    // As far as has been seen: not every driver has room for the program's note.
    bool stamps() const override { return stamped_ && !unstamped_; }
    int descriptor() const override { return waits_.get(); }
    std::uint64_t kernel_drops() override;
    DeviceReport facts() override;
    // "native mode, copying"
    std::string mode() const;
    // Why the driver does not take the program; "": it does.
    std::string refusal() const;

  private:
    using PacketSocket::PacketSocket;
    bool attach(const wire::MacAddress& mac, std::string& error);
    bool open_queues(std::uint32_t count, std::string& error);
    bool join_waits(std::string& error);
    Frame frame_of(const XdpQueue::Received& received, Time now);
    bool is_behind_others(const XdpQueue::Received& received) const;
    bool is_lost(Time now);
    Frame next_other();
    std::size_t transmit(std::size_t count) override;
    std::size_t send_ring();

    XdpProgram program_;
    std::vector<std::unique_ptr<XdpQueue>> queues_;
    Descriptor waits_;  // epoll: all of the sockets
    wire::MacAddress mac_{};
    std::uint32_t chunk_ = 0, longest_ = 0;
    std::array<Frame, kBatch> others_;  // what came through the packet socket
    std::size_t other_ = 0, other_count_ = 0;
    std::uint32_t passed_ = 0;  // of them, those that were too long, and such as were lost
    Time awaited_since_ = kNever;
    std::uint64_t dropped_ = 0;  // of the packet socket, as far as they are dealt with
    std::uint64_t too_long_ = 0;
    std::size_t lost_ = 0;  // frames of the ring, since the latest transmission
    bool stamped_ = false, unstamped_ = false;
};

}  // namespace anml::rt::io

// A TAP interface of this machine: the emulated network appears behind it.
//
// The interface is made, given the endpoint's address and a route for the model's addresses, and all of that goes again
// with the object. A TAP interface that existed before is used as it is and stays.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/device/coalesce.h"
#include "io/device/descriptor.h"
#include "io/device/device.h"
#include "io/device/model_prefixes.h"
#include "io/device/netlink.h"

namespace anml::rt::io {

// The addresses that a real host behind a device needs.
struct HostAddresses {
    std::uint32_t address = 0;            // of the endpoint; all in host byte order. 0: the host has its own
    std::uint32_t length = 32;            // of the prefix that is on the link with it
    std::uint32_t anycast = 0;            // that it has besides; 0: none
    std::vector<AddressPrefix> prefixes;  // of the model, through `gateway`: its pool, and addresses outside of it
    std::uint32_t gateway = 0;
    std::optional<Ipv6> ipv6{}, anycast6{};  // of the endpoint, alone on the link; that it has besides
    std::vector<Subnet> prefixes6{};  // as `prefixes`, through `gateway6`, which is link-local
    Ipv6 gateway6{};
    std::uint32_t mtu = 0;  // of its interface; 0: as it is

    std::string shown() const;  // "10.1.0.1 and 2001:db8::1"; "": the host has its own
};

class TapDevice final : public Device {
  public:
    // Null: `error` says what and how to mend it.
    static std::unique_ptr<TapDevice> open(const std::string& interface, const HostAddresses& host, const Clock& clock,
                                           LiveReport& report, std::string& error);
    ~TapDevice() override;

    std::size_t receive(std::span<Frame> frames) override;
    bool stamps() const override { return false; }
    int descriptor() const override { return tap_.get(); }
    bool present() override;
    bool restores() const override;
    DeviceReport facts() override { return {"tap", std::nullopt}; }
    std::uint64_t kernel_drops() override;

  private:
    using Device::Device;
    static constexpr std::size_t kSuperCapacity = 1 << 17;  // of a frame with its header
    void accept_offloads();
    bool configure(const HostAddresses& host, std::string& error);
    bool configure_ipv6(std::string& error);
    bool persistent() const;  // it was there before, and stays
    std::size_t transmit(std::size_t count) override;

    Descriptor tap_;
    Coalescer coalescer_{Coalescer::kernel_takes_datagrams()};
    Netlink netlink_;
    HostAddresses host_;
    int index_ = 0;
    bool address_added_ = false, anycast_added_ = false, anycast6_added_ = false;
    std::vector<AddressPrefix> routes_added_;
    bool ipv6_added_ = false;
    std::vector<Subnet> routes6_added_;
    std::uint64_t drops_before_ = 0, drops_ = 0;
    std::unique_ptr<std::uint8_t[]> frames_;
};

}  // namespace anml::rt::io

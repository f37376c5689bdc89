// The few rtnetlink requests (rtnetlink(7)) that set up interfaces. Each returns 0 or an errno.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/device/descriptor.h"
#include "net/address/address_table.h"

namespace anml::rt::io {

// Acts on the network namespace in which it was made.
class Netlink {
  public:
    Netlink();

    // A veth pair: `name` here, `peer` in the network namespace of process `owner`.
    int add_veth(const std::string& name, const std::string& peer, pid_t owner);
    int set_up(int index);
    int set_mtu(int index, std::uint32_t mtu);
    // Answers ARP there for addresses that are reached through other interfaces (RFC 1027), at once.
    int set_proxy_arp(int index);
    // Addresses in host byte order; the first `length` bits are what is on the link. EEXIST where it was there before.
    int add_address(int index, std::uint32_t address, std::uint32_t length);
    int delete_address(int index, std::uint32_t address, std::uint32_t length);
    // A route to a prefix through a gateway that is taken to be on the link although no address says so; without a
    // gateway, all zeros, the prefix is on the link.
    int add_route(int index, std::uint32_t prefix, std::uint32_t length, std::uint32_t gateway);
    int delete_route(int index, std::uint32_t prefix, std::uint32_t length, std::uint32_t gateway);
    // The same of IPv6. An address is used at once, whoever else may have it (RFC 4862, 5.4).
    int add_address(int index, const Ipv6& address, std::uint32_t length);
    int delete_address(int index, const Ipv6& address, std::uint32_t length);
    int add_route(int index, const Ipv6& prefix, std::uint32_t length, const Ipv6& gateway);
    int delete_route(int index, const Ipv6& prefix, std::uint32_t length, const Ipv6& gateway);
    // The interface through which packets to `address` leave; 0: none.
    int route_interface(std::uint32_t address);
    int route_interface(const Ipv6& address);
    // Packets that the interface could not send since it was made.
    std::uint64_t transmit_drops(int index);

  private:
    class Request;
    // `answer`: the first message of this type in answer to the request goes there.
    int send(Request& request, std::uint16_t type = 0, std::vector<char>* answer = nullptr);
    using Bytes = std::span<const std::uint8_t>;  // of an address, as on the wire
    int address(std::uint16_t type, std::uint16_t flags, int index, Bytes address, std::uint32_t length);
    int leaves_by(Bytes address);
    int route(std::uint16_t type, std::uint16_t flags, int index, Bytes prefix, std::uint32_t length, Bytes gateway);

    Descriptor socket_;
    int failure_;  // errno, where there is no socket
    std::uint32_t sequence_ = 0;
};

}  // namespace anml::rt::io

// Facts about a network interface of the current namespace, and switching its offloads off.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace anml::rt::io {

struct InterfaceFacts {
    int index = 0;
    bool up = false;
    bool ethernet = false;
    int mtu = 0;
};

// Nothing: there is no such interface (errno ENODEV), or errno says why it cannot be looked at.
std::optional<InterfaceFacts> interface_facts(const std::string& name);

// Whether it is a TAP (or TUN) device that nobody has at the other end.
bool is_free_tap(const std::string& name);

// Its index in the network namespace of `socket`, 0: it is not there.
int interface_index(int socket, const std::string& name);

// Whether packets can leave; asked in the network namespace of `socket`.
bool has_carrier(int socket, const std::string& name);

// Of its device, 1 where the driver doesn't say.
std::uint32_t receive_queues(const std::string& name);

// No address of IPv6 there, and nothing that one would say. Where that is not allowed, nothing happens.
void switch_ipv6_off(const std::string& name);

// Makes the kernel send whole frames of MTU size with complete checksums on this interface. Returns 0 or errno.
int switch_offloads_off(const std::string& name);

}  // namespace anml::rt::io

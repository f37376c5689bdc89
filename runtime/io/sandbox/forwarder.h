// `--attach ENDPOINT=forward:NAME`: the network namespace in which the emulator was started is a router before the
// endpoint's host. It gets an interface NAME, whose other end is in the emulator's own namespace and goes with that.
// Its kernel forwards IPv4 between NAME and its other interfaces, and answers ARP at NAME for what it reaches by them.
#pragma once

#include <string>

#include "io/device/descriptor.h"
#include "io/device/netlink.h"
#include "io/device/tap.h"

namespace anml::rt::io {

class Forwarder {
  public:
    // Made in that namespace. False: it cannot forward, `error`.
    bool begin(std::string& error);
    // In the emulator's: `interface` is there, `name` in the other, with routes to what `host` has them to.
    bool join(const std::string& name, const std::string& interface, const HostAddresses& host, std::string& error);

  private:
    Netlink there_;
    Descriptor socket_;
};

}  // namespace anml::rt::io

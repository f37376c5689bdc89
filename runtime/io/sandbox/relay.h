// Servers and clients of this machine at an endpoint: `--attach ENDPOINT=localhost`, `--attach ENDPOINT=listen:...`;
// and a server elsewhere, `--attach ENDPOINT=to:...`.
//
// A sandbox has the endpoint's address. Of `localhost` it has a listener for each port of TCP at which somebody listens
// on this machine's loopback, of `to` for the one; of `listen` this machine has one. A process that stays where the
// emulator was started hands their connections on, both ways, as a proxy does: TCP of the emulated path begins or ends
// at the sandbox. UDP of `to` and `listen` is handed on by datagrams (datagram_relay.h).
#pragma once

#include <cstdint>
#include <string>

#include "io/device/descriptor.h"

namespace anml::rt::io {

struct Attachment;

// Where connections of `listen` and `to` go on to.
struct RelayTarget {
    std::string address;  // a number
    std::uint16_t port = 0;
    bool udp = false;
};

// Starts that process, which ends with the emulator. The sandbox's end of a channel to it; an invalid one: `error`.
// Before the emulator enters any namespace.
Descriptor begin_relay(const Attachment& attachment, std::string& error);

// Whether all that were begun have their first listeners, so that commands meet them.
bool relays_are_ready();

// The other side, in the sandbox: makes the sockets that it asks for.
[[noreturn]] void serve_relay(int channel, const RelayTarget& target);

}  // namespace anml::rt::io

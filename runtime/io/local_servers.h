// The servers of this machine at an endpoint: `--attach ENDPOINT=localhost`.
//
// A sandbox has the endpoint's address, and in it a listener for each port of TCP at which somebody listens on this
// machine's loopback. A process that stays where the emulator was started hands their connections on, both ways, as a
// proxy does: TCP of the emulated path is between the client and the sandbox.
#pragma once

#include <string>

#include "io/descriptor.h"

namespace anml::rt::io {

// Starts that process, which ends with the emulator. The sandbox's end of a channel to it; an invalid one: `error`.
// Before the emulator enters any namespace.
Descriptor begin_local_servers(std::string& error);

// The other side, in the sandbox: makes the listeners that it asks for.
[[noreturn]] void listen_for_local_servers(int channel);

}  // namespace anml::rt::io

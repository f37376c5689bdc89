// The first process of a sandbox's namespaces, and what it tells the emulator.
#pragma once

#include <string>
#include <vector>

#include "io/tap.h"

namespace anml::rt::io {

inline constexpr const char* kSandboxInterface = "eth0";

// A message over the channel, a datagram each.
struct SandboxMessage {
    enum class Kind : int {
        go,       // from the emulator: the interface is there
        ready,    // the network is set up
        run,      // from the emulator: start COMMAND
        started,  // COMMAND runs
        failed,   // it does not: `text` and errno `value`
        ended     // COMMAND ended with exit status `value`
    } kind;
    int value = 0;
    char text[120] = {};
};

// Runs in the cloned process and never returns. `channel`: a SOCK_SEQPACKET socket to the emulator.
[[noreturn]] void run_sandbox_init(int channel, const HostAddresses& host, const std::vector<std::string>& command);

}  // namespace anml::rt::io

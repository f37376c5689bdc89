// The first process of a sandbox's namespaces, and what it tells the emulator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/device/tap.h"
#include "io/live.h"
#include "io/sandbox/relay.h"

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
        ended,    // COMMAND ended with exit status `value`
        empty     // and so has all that it started
    } kind;
    int value = 0;
    char text[120] = {};
};

// What a sandbox is made of.
struct SandboxSettings {
    HostAddresses host;
    std::vector<std::string> command;  // empty: that of relay.h
    std::string name;   // of the host
    std::string hosts;  // lines of /etc/hosts, before those of this machine
    std::optional<SandboxUser> user;
    Time stop_timeout = 500 * kMillisecond;  // from SIGTERM to SIGKILL
    CommandStreams streams = CommandStreams::error;
    bool own_output = false;  // and input
    int relay = -1;  // channel
    RelayTarget relay_to;

    bool at_terminal() const
    {
        return streams == CommandStreams::terminal || streams == CommandStreams::when_it_asks;
    }
};

// Of this process in its new user namespace: who it was, outside, is this user and group inside. False: errno.
bool map_user(unsigned inside, unsigned outside, unsigned group_inside, unsigned group_outside);

// `reason`: an errno.
std::string why_not_started(const std::string& command, int reason);
// As shells have it: 127 there is no such command, 126 it cannot be run. What is looked for in PATH was not found.
int not_started_status(const std::string& command, int reason);

// Runs in the cloned process and never returns. `channel`: a SOCK_SEQPACKET socket to the emulator.
[[noreturn]] void run_sandbox_init(int channel, const SandboxSettings& settings);

}  // namespace anml::rt::io

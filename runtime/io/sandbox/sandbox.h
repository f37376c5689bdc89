// A server command in a network, process and mount namespace of its own, joined to the emulator by a veth pair.
//
// The first process of the namespace is a small init of ours: it sets the network up, starts COMMAND, reaps what dies,
// and takes everything with it when it ends, which it does at the latest with the emulator.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/device/descriptor.h"
#include "io/sandbox/sandbox_init.h"
#include "io/sandbox/terminal.h"

namespace anml::rt::io {

// Enters a network namespace for the emulator's ends of the veth pairs. Before the first sandbox, and after every
// device that is to be found where the emulator was started.
bool enter_network_namespace(std::string& error);

class Sandbox {
  public:
    // Everything but COMMAND. `interface`: the name of the emulator's end. Null: `error`.
    static std::unique_ptr<Sandbox> make(const std::string& interface, const SandboxSettings& settings,
                                         std::string& error);
    ~Sandbox();

    // Has COMMAND started, without waiting for it.
    void start_command();
    // False: COMMAND could not be started, `error`.
    bool started(std::string& error);
    // Exit status of COMMAND once it has ended, 128 + signal if one ended it, 127 or 126 if it could not be started; it
    // may have left others running.
    std::optional<int> command_status();
    // COMMAND has ended, and left nobody.
    bool over();
    // It has ended, and had the terminal.
    bool left_terminal();
    // Sends SIGINT to every process of the sandbox.
    void interrupt();
    // Ends every process of the sandbox, politely first. Returns the processor time they took, seconds.
    double stop();
    // Behind that: somebody had not ended in time.
    bool killed() const { return killed_; }

    pid_t first_process() const { return init_; }
    int descriptor() const { return channel_.get(); }

  private:
    Sandbox() = default;
    void read_channel();

    pid_t init_ = -1;
    Time stop_timeout_ = 0;
    Descriptor channel_;  // to the init
    std::optional<int> status_;
    bool empty_ = false;
    std::optional<TerminalLoan> terminal_;
    std::string command_;  // its first word
    std::string error_;    // why it could not be started
    double processor_seconds_ = 0;
    bool killed_ = false;
};

}  // namespace anml::rt::io

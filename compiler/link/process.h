// Running another program and looking for files around this one.
#pragma once

#include <signal.h>
#include <spawn.h>

#include <string>
#include <string_view>
#include <vector>

namespace anml {

struct ProcessResult {
    int exit_code = -1;   // -1: it could not be started or was killed
    std::string output;   // standard output and error, in the order written
    std::string problem;  // why exit_code is -1
};

// Runs `command` (command[0] is a path) without a shell and with no input, and waits for it. Signals that would end
// this process are held back meanwhile and delivered once the signal mask is restored, so that callers can tidy up
// first.
ProcessResult run_process(const std::vector<std::string>& command);

// Starts the program of that path with no signal held back in it, whatever this process holds back. command[0] is what
// it takes for its name; `actions` may be null. 0, or errno.
int spawn_process(const std::string& path, const std::vector<std::string>& command,
                  const posix_spawn_file_actions_t* actions, pid_t& child);

// Holds SIGINT, SIGTERM and SIGHUP back as long as it lives.
class SignalHold {
  public:
    SignalHold();
    ~SignalHold();
    SignalHold(const SignalHold&) = delete;
    SignalHold& operator=(const SignalHold&) = delete;

  private:
    sigset_t before_;
};

std::string find_program(std::string_view name);  // in PATH; "" if it isn't there
std::string executable_folder();                  // of this process, "" if unknown

}  // namespace anml

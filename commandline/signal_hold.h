// Signals that would end the process wait until it has tidied up.
#pragma once

#include <signal.h>

#include <array>

namespace anml::commandline {

// Holds SIGINT, SIGTERM, SIGHUP and SIGPIPE back as long as it lives, whichever thread they reach: a mask would hold
// back only what reaches this one. Then the last of them is given way. Processes that are started meanwhile hold
// nothing back. Holds may lie within each other.
class SignalHold {
  public:
    SignalHold();
    ~SignalHold();
    SignalHold(const SignalHold&) = delete;
    SignalHold& operator=(const SignalHold&) = delete;

  private:
    static constexpr std::array kHeld{SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    std::array<struct sigaction, kHeld.size()> before_{};
};

}  // namespace anml::commandline

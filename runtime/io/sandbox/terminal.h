// The terminal at standard input, and whose it is: the process group that it sends its signals to.
#pragma once

#include <sys/types.h>
#include <termios.h>

namespace anml::rt::io {

// Whether there is one, and this process in its foreground.
bool has_terminal();

// From the foreground or from behind it.
void give_terminal(pid_t group);

// Takes the terminal back, with its modes, from whom it was given to meanwhile.
class TerminalLoan {
  public:
    TerminalLoan();
    ~TerminalLoan() { end(); }
    TerminalLoan(const TerminalLoan&) = delete;
    TerminalLoan& operator=(const TerminalLoan&) = delete;

    void end();

  private:
    termios modes_{};
    bool lent_ = false;
};

}  // namespace anml::rt::io

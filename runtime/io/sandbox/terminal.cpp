#include "io/sandbox/terminal.h"

#include <unistd.h>

#include <csignal>

namespace anml::rt::io {

bool has_terminal() { return tcgetpgrp(STDIN_FILENO) == getpgid(0); }

void give_terminal(pid_t group)
{
    const auto before = signal(SIGTTOU, SIG_IGN);
    tcsetpgrp(STDIN_FILENO, group);
    signal(SIGTTOU, before);
}

TerminalLoan::TerminalLoan() : lent_(has_terminal() && tcgetattr(STDIN_FILENO, &modes_) == 0) {}

void TerminalLoan::end()
{
    if (!lent_) return;
    lent_ = false;
    give_terminal(getpgid(0));
    tcsetattr(STDIN_FILENO, TCSADRAIN, &modes_);
}

}  // namespace anml::rt::io

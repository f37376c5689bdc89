// What runs programs and must end in order: while one of these lives, SIGINT and SIGTERM are noted and end nothing by
// themselves. The programs that it runs get an interrupt of the terminal, too.
#pragma once

#include <signal.h>

namespace anml {

class Interrupts {
  public:
    Interrupts()
    {
        struct sigaction note{};
        note.sa_handler = [](int signal) { seen_ = signal; };
        sigaction(SIGINT, &note, &int_);
        sigaction(SIGTERM, &note, &term_);
    }
    ~Interrupts()
    {
        sigaction(SIGINT, &int_, nullptr);
        sigaction(SIGTERM, &term_, nullptr);
    }
    Interrupts(const Interrupts&) = delete;
    Interrupts& operator=(const Interrupts&) = delete;

    static int seen() { return seen_; }  // the latest signal of this process; 0: none

  private:
    inline static volatile sig_atomic_t seen_ = 0;
    struct sigaction int_{}, term_{};
};

}  // namespace anml

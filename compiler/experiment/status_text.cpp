#include "experiment/status_text.h"

#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <string_view>
#include <utility>

namespace anml {

namespace {

constexpr std::array<std::pair<int, std::string_view>, 12> kEnding{{{SIGHUP, "SIGHUP"},
                                                                    {SIGINT, "SIGINT"},
                                                                    {SIGQUIT, "SIGQUIT"},
                                                                    {SIGILL, "SIGILL"},
                                                                    {SIGABRT, "SIGABRT"},
                                                                    {SIGBUS, "SIGBUS"},
                                                                    {SIGFPE, "SIGFPE"},
                                                                    {SIGKILL, "SIGKILL"},
                                                                    {SIGSEGV, "SIGSEGV"},
                                                                    {SIGPIPE, "SIGPIPE"},
                                                                    {SIGTERM, "SIGTERM"},
                                                                    {SIGXCPU, "SIGXCPU"}}};

}  // namespace

std::string status_text(int status)
{
    const int signal = status - 128;
    if (signal == SIGKILL) return "was killed by signal 9 (SIGKILL; out of memory?)";
    for (const auto& [number, name] : kEnding)
        if (number == signal) return fmt::format("was ended by signal {} ({})", signal, name);
    return fmt::format("failed with status {}", status);
}

}  // namespace anml

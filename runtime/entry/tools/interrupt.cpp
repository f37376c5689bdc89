#include "entry/tools/interrupt.h"

#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <ctime>

namespace anml::rt::entry {

namespace {

constexpr unsigned kSignalPatience = 10;  // s

// A signal handler can reach nothing else.
std::atomic<bool> stop_requested{false};
std::atomic<int> signal_number{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::int64_t milliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * std::int64_t{1000} + now.tv_nsec / 1'000'000;
}

// The second one ends the process at once, but where it is the first one's echo: supervisors signal a process and then
// its group.
void on_signal(int number)
{
    constexpr std::int64_t kEcho = 100;
    static std::atomic<std::int64_t> first{0};
    std::int64_t none = 0;
    const std::int64_t now = milliseconds();
    if (!first.compare_exchange_strong(none, now)) {
        if (now - none < kEcho) return;
        std::signal(number, SIG_DFL);
        std::raise(number);
        return;
    }
    signal_number.store(number, std::memory_order_relaxed);
    stop_requested.store(true);
    alarm(kSignalPatience);
}

void on_alarm(int)
{
    constexpr char kSaid[] =
        "error: the run does not come to a point at which it can stop: it is ended without results\n";
    [[maybe_unused]] auto written = write(STDERR_FILENO, kSaid, sizeof kSaid - 1);
    _exit(128 + signal_number.load(std::memory_order_relaxed));
}

}  // namespace

const std::atomic<bool>& catch_interrupts()
{
    std::signal(SIGALRM, on_alarm);
    for (int number : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action{};
        if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;  // nohup
        action = {};
        action.sa_handler = on_signal;
        action.sa_flags = 0;
        sigaction(number, &action, nullptr);
    }
    return stop_requested;
}

void stopped() { alarm(0); }

void interrupted_elsewhere(int number)
{
    int none = 0;
    signal_number.compare_exchange_strong(none, number);
    stop_requested.store(true);
}

int interrupted_by() { return signal_number.load(); }

}  // namespace anml::rt::entry

#include "entry/interrupt.h"

#include <csignal>

namespace anml::rt::entry {

namespace {

// A signal handler can reach nothing else.
std::atomic<bool> stop_requested{false};
std::atomic<int> signal_number{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void on_signal(int number)
{
    signal_number.store(number, std::memory_order_relaxed);
    stop_requested.store(true);
}

}  // namespace

const std::atomic<bool>& catch_interrupts()
{
    for (int number : {SIGINT, SIGTERM}) {
        struct sigaction action{};
        action.sa_handler = on_signal;
        action.sa_flags = static_cast<int>(SA_RESETHAND);  // the default action is back for the second
        sigaction(number, &action, nullptr);
    }
    return stop_requested;
}

int interrupted_by() { return signal_number.load(); }

}  // namespace anml::rt::entry

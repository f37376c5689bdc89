#include "commandline/signal_hold.h"

#include <atomic>

namespace anml::commandline {
namespace {

// A signal handler can reach nothing else.
std::atomic<int> waiting{0};
static_assert(std::atomic<int>::is_always_lock_free);

void note(int signal) { waiting.store(signal, std::memory_order_relaxed); }

}  // namespace

SignalHold::SignalHold()
{
    struct sigaction action{};
    action.sa_handler = note;
    action.sa_flags = SA_RESTART;
    for (std::size_t i = 0; i < kHeld.size(); ++i) sigaction(kHeld[i], &action, &before_[i]);
}

SignalHold::~SignalHold()
{
    for (std::size_t i = 0; i < kHeld.size(); ++i) sigaction(kHeld[i], &before_[i], nullptr);
    if (const int signal = waiting.exchange(0); signal != 0) raise(signal);
}

}  // namespace anml::commandline

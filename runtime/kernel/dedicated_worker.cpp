// A worker with one task of its own. Task::state_ is `running`, or `idle` while the worker sleeps or is about to.
#include "base/pause.h"
#include "kernel/scheduler.h"

namespace anml::rt::cct {

namespace {

// A neighbour's round takes about a microsecond. One that takes far longer has more to do than this task, or no
// processor, which it may get when this worker sleeps.
constexpr unsigned kLooks = 64;   // at the clock, in pauses of 20 to 40 ns, before another round takes what has come
constexpr unsigned kRounds = 16;  // without progress, before the worker sleeps

}  // namespace

// What may end the sleep was stored before this; the sleeper looks for it once more after it has said that it sleeps.
void Scheduler::wake_sleeper(Task& task)
{
    barrier_.light();
    if (task.state_.load(std::memory_order_relaxed) != Task::idle) [[likely]]
        return;
    task.state_.store(Task::running, std::memory_order_release);
    task.state_.notify_one();
}

// Rounds go on while the task waits, and after it has finished: others may wait for room in its rings.
void Scheduler::run_dedicated(Task& task)
{
    unsigned rounds = 0;
    while (unfinished_.load(std::memory_order_acquire) != 0) {
        const Round round = run_round(task);
        bool moved = round.outcome == Outcome::more;
        for (unsigned i = 0; i < kLooks && !moved; ++i) {
            pause_briefly();
            moved = round.outcome == Outcome::waits && round.critical->clock() > round.safe;
        }
        if (moved) {
            if (rounds >= kRounds) task.state_.store(Task::running, std::memory_order_relaxed);
            rounds = 0;
        } else if (++rounds == kRounds) {
            task.state_.store(Task::idle, std::memory_order_relaxed);
            barrier_.heavy();  // one more round now sees what came before somebody could know
        } else if (rounds > kRounds) {
            task.state_.wait(Task::idle, std::memory_order_acquire);
            rounds = 0;
        }
    }
}

}  // namespace anml::rt::cct

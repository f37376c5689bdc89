// Critical Channel Traversing (Xiao, Unger, Simmonds, Cleary; PADS 1999), the sender-side form without busy waiting
// (Simmonds, Kiddle, Unger; PADS 2002).
//
// A task runs all its events below its safe time (the least clock of its in-channels), publishes the clocks of its
// out-channels, then waits on its critical in-channel, the one with the least clock; whoever advances that clock puts
// it back on the ready queue. A worker runs its own ready tasks by least time, and takes another's after a while with
// nothing to do; between the steps of a run the tasks are dealt out anew where the events of the last step say so.
//
// With a task for each worker and a processor for each of these there is nothing to schedule: each is dedicated to its
// own, looking at the critical channel's clock until that moves, and sleeping only after a while
// (dedicated_worker.cpp). A handover then costs a cache line or two, and no lock.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "base/asymmetric_barrier.h"
#include "base/time.h"
#include "kernel/channel.h"
#include "kernel/round_observer.h"

namespace anml::rt::cct {

class Scheduler;
class Post;

// What takes part, such as a cluster of a model. Its virtual functions are called per round, never per event.
class Task {
  public:
    Task() = default;
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    virtual ~Task() = default;

    struct Out {
        ChannelState* channel;
        Task* to;  // null: in another process, and the post looks at the channel
    };
    std::vector<ChannelState*> in;
    std::vector<Out> out;

  protected:
    friend class Scheduler;

    // Moves everything in the rings of the in-channels to the task's own queue; wakes producers that wait for room.
    virtual void drain(Scheduler& scheduler) = 0;
    // Executes every event earlier than `safe`, in order, at most up to where an out-channel has no room. Puts the
    // messages into the rings. Returns the time of the earliest event left, kNever if none.
    virtual Time execute(Time safe) = 0;
    // The clock of out-channel `index` when nothing earlier than `bound` will be executed any more: bound + lookahead.
    virtual Time promise(std::size_t index, Time bound) = 0;
    // True while a message waits for room in a ring: the task has then marked itself with wait_for_room and woken the
    // consumer, who can always drain. It must not promise a clock beyond the waiting message.
    virtual bool blocked(Scheduler& scheduler) = 0;
    // Events executed since the task was made.
    virtual std::uint64_t executed() const = 0;
    // For the observer: messages that left on out-channel `index` since then.
    virtual std::uint64_t sent(std::size_t index) const = 0;

  private:
    enum State : std::uint32_t { idle, queued, running, wanted };
    alignas(kCacheLine) std::atomic<std::uint32_t> state_{idle};  // others look at it in each of their rounds
    alignas(kCacheLine) Time time_ = 0;                           // priority: nothing earlier is left to execute
    Time slice_ = kNever;                                         // simulated time that a round covers at most
    std::uint32_t worker_ = 0;                                    // affinity
    std::uint32_t index_ = 0;                                     // in the scheduler's list
    std::uint64_t dealt_ = 0;  // events that it had executed when tasks were last dealt out
    bool finished_ = false;
};

class Scheduler {
  public:
    // `processors` of the machine: with more workers than that none is dedicated to a task. `post`: carries what
    // crosses to other processes of the run, if there are any; worker 0 has it do so, between rounds.
    Scheduler(std::vector<Task*> tasks, unsigned workers, unsigned processors = std::thread::hardware_concurrency(),
              Post* post = nullptr);
    ~Scheduler();

    // Runs every event before `end` of every task; the calling thread is worker 0. All messages that are then left are
    // at or after `end`. May be called again with a later end.
    void run(Time end);
    // Puts the task on a ready queue unless it is there; if it runs, it will run once more.
    void wake(Task& task);

    // How long worker 0 had nothing to do because something was to come from other processes: s.
    double waited() const { return waited_; }

    const std::vector<Task*>& tasks() const { return tasks_; }
    unsigned workers() const { return static_cast<unsigned>(workers_.size()); }

    // Tells it of all rounds; before the first run. It lives as long.
    void observe(RoundObserver& observer);

  private:
    struct Worker;
    // How a round of a task ended. `finished`: it has nothing to do before the end. `stuck`: a message waits for room.
    // `more`: the clocks allow more than the round covered. `waits`: for `critical` to pass `safe`.
    enum class Outcome { finished, stuck, more, waits };
    struct Round {
        Outcome outcome;
        Time safe;
        ChannelState* critical;
    };
    void work(unsigned index);
    void judge_dedication(double wall, double processor);
    void run_dedicated(Task& task);
    void wake_sleeper(Task& task);
    bool visit(Task& task);
    Round run_round(Task& task);
    void deal_out();
    struct Published {
        Time lookahead;  // the least that came of it
        bool moved;      // a clock
    };
    Published publish(Task& task, Time bound, bool finished);
    void finish(Task& task);
    void enqueue(Task& task);
    Task* take(Worker& worker);
    void sleep();
    bool carry();

    std::vector<Task*> tasks_;
    Post* const post_;
    std::vector<std::unique_ptr<Worker>> workers_;
    RoundObserver* observer_ = nullptr;
    Time end_ = 0;
    double waited_ = 0;
    bool slicing_ = false;
    bool may_dedicate_ = false;  // there is a worker for each task, and a processor for each worker
    bool dedicated_ = false;     // in this run each worker has one task, its own
    unsigned resting_ = 0;       // runs until dedication is tried again
    unsigned pause_ = 1;         // how many the next failure makes
    AsymmetricBarrier barrier_;
    std::atomic<std::uint32_t> unfinished_{0};  // tasks, and one more where there are other processes
    std::atomic<std::uint32_t> sleeping_{0};
    std::atomic<std::uint32_t> signal_{0};
};

}  // namespace anml::rt::cct

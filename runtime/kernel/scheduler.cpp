#include "kernel/scheduler.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "base/pause.h"
#include "base/processors.h"
#include "kernel/post.h"

namespace anml::rt::cct {

namespace {

// Rounds of so many events cost little beside them, and neighbours need not wait long for the clocks.
constexpr std::uint64_t kFewEvents = 16, kManyEvents = 256;
// Rounds in which a task covers its lookahead; fewer where other processes wait, whom it costs a microsecond to tell.
struct Slices {
    Time least, most;
};
constexpr Slices kNear = {4, 32}, kFar = {2, 8};

// What the next round should cover: a part of the lookahead, so that neighbours learn in good time how far they may go.
// Had each run as far as the other's clock allows, one would always wait while the other runs.
Time next_slice(Time slice, Time lookahead, std::uint64_t events, Slices slices)
{
    const Time least = std::max<Time>(1, lookahead / slices.most), most = std::max<Time>(1, lookahead / slices.least);
    if (events < kFewEvents && slice < most) slice *= 2;
    if (events > kManyEvents) slice /= 2;
    return std::clamp(slice, least, most);
}

}  // namespace

// Held for a few instructions, and seldom wanted by two.
class SpinLock {
  public:
    void lock()
    {
        while (flag_.test_and_set(std::memory_order_acquire))
            while (flag_.test(std::memory_order_relaxed)) pause_briefly();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

struct alignas(kCacheLine) Scheduler::Worker {
    SpinLock lock;
    std::vector<Task*> ready;  // a few tasks: the least is found by looking
    std::atomic<std::uint32_t> count{0};
};

Scheduler::Scheduler(std::vector<Task*> tasks, unsigned workers, unsigned processors, Post* post)
    : tasks_(std::move(tasks)), post_(post)
{
    for (unsigned i = 0; i < workers; ++i) {
        workers_.push_back(std::make_unique<Worker>());
        workers_.back()->ready.reserve(tasks_.size());
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        tasks_[i]->worker_ = static_cast<std::uint32_t>(i * workers / tasks_.size());
        tasks_[i]->index_ = static_cast<std::uint32_t>(i);
    }
    slicing_ = workers > 1 || post_;
    may_dedicate_ = !post_ && workers > 1 && workers == tasks_.size() && workers <= processors;
}

Scheduler::~Scheduler() = default;

std::int64_t wall_clock()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

void Scheduler::observe(RoundObserver& observer)
{
    observer_ = &observer;
    slicing_ = true;  // the rounds that several workers would run
}

void Scheduler::enqueue(Task& task)
{
    if (observer_) observer_->ready(task.index_);
    Worker& worker = *workers_[task.worker_];
    worker.lock.lock();
    worker.ready.push_back(&task);
    worker.count.store(static_cast<std::uint32_t>(worker.ready.size()), std::memory_order_seq_cst);
    worker.lock.unlock();
    if (sleeping_.load(std::memory_order_seq_cst) != 0) {
        signal_.fetch_add(1, std::memory_order_seq_cst);
        signal_.notify_all();
    }
}

void Scheduler::wake(Task& task)
{
    if (dedicated_) return wake_sleeper(task);
    std::uint32_t state = task.state_.load(std::memory_order_seq_cst);
    for (;;) {
        switch (state) {
            case Task::queued:
            case Task::wanted:
                return;
            case Task::idle:
                if (task.state_.compare_exchange_weak(state, Task::queued, std::memory_order_seq_cst)) {
                    enqueue(task);
                    return;
                }
                break;
            case Task::running:
                if (task.state_.compare_exchange_weak(state, Task::wanted, std::memory_order_seq_cst)) return;
                break;
        }
    }
}

// Publishes the clocks.
Scheduler::Published Scheduler::publish(Task& task, Time bound, bool finished)
{
    Published result{kNever, false};
    for (std::size_t i = 0; i < task.out.size(); ++i) {
        ChannelState& channel = *task.out[i].channel;
        const Time before = channel.promised(), promise = finished ? kNever : task.promise(i, bound);
        result.lookahead = std::min(result.lookahead, promise - bound);
        if (dedicated_ ? channel.announce(promise) : channel.advance(promise)) wake(*task.out[i].to);
        if (channel.promised() == before) continue;
        result.moved = true;
        if (observer_) observer_->published(task.index_, i, task.sent(i), channel.promised());
    }
    return result;
}

// Takes what has come, executes what the clocks allow or a part of it, publishes how far that went.
Scheduler::Round Scheduler::run_round(Task& task)
{
    const std::int64_t began = observer_ ? wall_clock() : 0;
    Time safe = end_;
    ChannelState* critical = nullptr;
    for (ChannelState* channel : task.in)
        if (Time clock = channel->clock(); clock < safe) safe = clock, critical = channel;
    task.drain(*this);
    const std::uint64_t before = task.executed();
    const Time until = safe - task.time_ > task.slice_ ? task.time_ + task.slice_ : safe;
    const std::int64_t drained = observer_ ? wall_clock() : 0;
    const Time left = task.execute(until);
    const std::int64_t executed = observer_ ? wall_clock() : 0;
    const bool stuck = task.blocked(*this);
    const Time bound = std::min(left, safe);
    const bool finished = !stuck && bound >= end_;
    const std::uint64_t events = task.executed() - before;
    const Published published = publish(task, bound, finished);
    if (slicing_ && bound > task.time_ && !stuck)
        task.slice_ = next_slice(task.slice_, published.lookahead, events, post_ ? kFar : kNear);
    task.time_ = bound;
    if (observer_ && (events != 0 || published.moved))
        observer_->round(task.index_, until, events, executed - drained, wall_clock() - began);
    if (finished) finish(task);
    const Outcome outcome = finished       ? Outcome::finished
                            : stuck        ? Outcome::stuck
                            : bound < safe ? Outcome::more
                                           : Outcome::waits;
    return {outcome, safe, critical};
}

// False: the task waits for its critical channel or for room, or has finished. True: it could go on, but others on its
// worker are behind.
bool Scheduler::visit(Task& task)
{
    for (;;) {
        const Round round = run_round(task);
        if (post_ && task.worker_ == 0) carry();
        if (round.outcome == Outcome::more) {
            if (workers_[task.worker_]->count.load(std::memory_order_relaxed) != 0) return true;
        } else if (round.outcome != Outcome::waits || round.critical->wait_beyond(round.safe)) {
            return false;
        }
    }
}

void Scheduler::finish(Task& task)
{
    if (task.finished_) return;  // it was woken to make room for others
    task.finished_ = true;
    if (unfinished_.fetch_sub(1, std::memory_order_seq_cst) != 1) return;
    if (dedicated_)
        for (Task* other : tasks_) wake_sleeper(*other);
    signal_.fetch_add(1, std::memory_order_seq_cst);
    signal_.notify_all();
}

Task* Scheduler::take(Worker& worker)
{
    if (worker.count.load(std::memory_order_relaxed) == 0) return nullptr;
    worker.lock.lock();
    Task* task = nullptr;
    if (!worker.ready.empty()) {
        auto least = std::min_element(worker.ready.begin(), worker.ready.end(),
                                      [](const Task* a, const Task* b) { return a->time_ < b->time_; });
        task = *least;
        *least = worker.ready.back();
        worker.ready.pop_back();
        worker.count.store(static_cast<std::uint32_t>(worker.ready.size()), std::memory_order_relaxed);
    }
    worker.lock.unlock();
    return task;
}

// Gives each task to the worker with the least to do, those with the most events in the last step first, if that beats
// the present division: a task that moves leaves its caches behind.
void Scheduler::deal_out()
{
    constexpr double kWorthMoving = 0.9;
    std::vector<std::uint64_t> present(workers_.size(), 0), planned(workers_.size(), 0);
    std::vector<std::pair<std::uint64_t, Task*>> by_events;
    for (Task* task : tasks_) {
        const std::uint64_t events = task->executed() - task->dealt_;
        task->dealt_ += events;
        present[task->worker_] += events;
        by_events.emplace_back(events, task);
    }
    std::sort(by_events.begin(), by_events.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second->index_ < b.second->index_;
    });
    std::vector<std::uint32_t> worker;
    for (const auto& [events, task] : by_events) {
        worker.push_back(
            static_cast<std::uint32_t>(std::min_element(planned.begin(), planned.end()) - planned.begin()));
        planned[worker.back()] += events;
    }
    const auto most = [](const std::vector<std::uint64_t>& loads) {
        return static_cast<double>(*std::max_element(loads.begin(), loads.end()));
    };
    if (most(planned) >= kWorthMoving * most(present)) return;
    for (std::size_t i = 0; i < worker.size(); ++i) by_events[i].second->worker_ = worker[i];
}

// Announces the sleep, looks once more, sleeps until somebody enqueues or all is done.
void Scheduler::sleep()
{
    const std::uint32_t seen = signal_.load(std::memory_order_seq_cst);
    sleeping_.fetch_add(1, std::memory_order_seq_cst);
    bool any = unfinished_.load(std::memory_order_seq_cst) == 0;
    for (auto& worker : workers_) any |= worker->count.load(std::memory_order_seq_cst) != 0;
    if (!any) signal_.wait(seen, std::memory_order_seq_cst);
    sleeping_.fetch_sub(1, std::memory_order_seq_cst);
}

// Has the post carry what there is. True: something moved.
bool Scheduler::carry()
{
    const bool finished = unfinished_.load(std::memory_order_seq_cst) == 1;
    const bool moved = post_->carry(*this, finished);
    if (!finished || !post_->over()) return moved;
    unfinished_.store(0, std::memory_order_seq_cst);
    signal_.fetch_add(1, std::memory_order_seq_cst);
    signal_.notify_all();
    return true;
}

void Scheduler::work(unsigned index)
{
    // In pauses of some 20 ns: a task of another worker is taken late, because what it touches is in that one's caches;
    // sleep comes later still, because a neighbour's round is seldom longer.
    constexpr unsigned kPatience = 500, kSpins = 2500;
    const bool carries = post_ && index == 0;
    unsigned idle = 0;
    std::chrono::steady_clock::time_point idle_since;
    const auto goes_on = [&] {
        if (carries && idle != 0)
            waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - idle_since).count();
        idle = 0;
    };
    while (unfinished_.load(std::memory_order_acquire) != 0) {
        if (carries && carry()) goes_on();
        Task* task = take(*workers_[index]);
        for (std::size_t i = 1; !task && idle >= kPatience && i < workers_.size(); ++i)
            task = take(*workers_[(index + i) % workers_.size()]);
        if (!task) {
            if (carries) {
                if (idle == 0) idle_since = std::chrono::steady_clock::now();
                post_->rest(++idle);
            } else if (++idle < kSpins) {
                pause_briefly();
            } else {
                sleep();
                idle = kPatience;
            }
            continue;
        }
        goes_on();
        task->worker_ = index;
        if (observer_) observer_->taken(task->index_);
        task->state_.store(Task::running, std::memory_order_seq_cst);
        for (;;) {
            if (visit(*task)) {
                task->state_.store(Task::queued, std::memory_order_seq_cst);
                enqueue(*task);
                break;
            }
            std::uint32_t state = Task::running;
            if (task->state_.compare_exchange_strong(state, Task::idle, std::memory_order_seq_cst)) break;
            task->state_.store(Task::running, std::memory_order_seq_cst);  // wanted meanwhile
        }
    }
}

namespace {

double seconds(clockid_t clock)
{
    timespec now{};
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace

// Workers that are dedicated to their tasks are busy all the time, waiting or not. Where they get clearly less than a
// processor each, others want the machine: then a task whose worker has no processor should be run by the next worker
// that has one, which is what ready queues are for. Dedication is tried again later, less often each time that it
// fails.
void Scheduler::judge_dedication(double wall, double processor)
{
    constexpr double kShare = 0.75, kLongEnough = 1e-3;
    constexpr unsigned kMostPause = 64;  // runs
    if (!dedicated_ || wall < kLongEnough) return;
    if (processor >= kShare * wall * static_cast<double>(workers_.size())) {
        pause_ = 1;
        return;
    }
    resting_ = pause_;
    pause_ = std::min(2 * pause_, kMostPause);
}

void Scheduler::run(Time end)
{
    dedicated_ = may_dedicate_ && (resting_ == 0 || --resting_ == 0);
    const double wall = seconds(CLOCK_MONOTONIC), processor = seconds(CLOCK_PROCESS_CPUTIME_ID);
    const Time begin = end_;
    end_ = end;
    if (observer_) observer_->begin_step();
    unfinished_.store(static_cast<std::uint32_t>(tasks_.size() + (post_ ? 1 : 0)), std::memory_order_seq_cst);
    for (Task* task : tasks_) {
        task->finished_ = false;
        task->time_ = begin;
        task->state_.store(dedicated_ ? Task::running : Task::idle, std::memory_order_seq_cst);
        for (ChannelState* channel : task->in) channel->restart(begin);
    }
    for (auto& worker : workers_) {  // finished tasks may have been woken once more
        worker->ready.clear();
        worker->count.store(0, std::memory_order_seq_cst);
    }
    if (post_) post_->begin(begin, end);
    if (!dedicated_) {
        deal_out();
        for (Task* task : tasks_) wake(*task);
    }
    // A dedicated worker is never idle, so that Linux may take long to move it away from another's processor.
    const Processors processors;
    const bool apart = dedicated_ && processors.count() >= workers_.size();
    const auto worker = [&](unsigned i) {
        if (!dedicated_) return work(i);
        if (apart) processors.keep_to(i);
        run_dedicated(*tasks_[i]);
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < workers_.size(); ++i) threads.emplace_back(worker, i);
    worker(0);
    for (auto& thread : threads) thread.join();
    if (apart) processors.release();
    judge_dedication(seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - processor);
    if (observer_) observer_->end_step(begin);
}

}  // namespace anml::rt::cct

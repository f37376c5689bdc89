#include "kernel/scheduler.h"

#include <algorithm>
#include <thread>

namespace anml::rt::cct {

namespace {

constexpr Time kSlices = 4;  // rounds in which a task covers its lookahead

class SpinLock {
  public:
    void lock()
    {
        while (flag_.test_and_set(std::memory_order_acquire))
            while (flag_.test(std::memory_order_relaxed)) __builtin_ia32_pause();
    }
    void unlock() { flag_.clear(std::memory_order_release); }

  private:
    std::atomic_flag flag_ = ATOMIC_FLAG_INIT;
};

}  // namespace

struct alignas(kCacheLine) Scheduler::Worker {
    SpinLock lock;
    std::vector<Task*> ready;  // a few tasks: the least is found by looking
    std::atomic<std::uint32_t> count{0};
};

Scheduler::Scheduler(std::vector<Task*> tasks, unsigned workers) : tasks_(std::move(tasks))
{
    for (unsigned i = 0; i < workers; ++i) {
        workers_.push_back(std::make_unique<Worker>());
        workers_.back()->ready.reserve(tasks_.size());
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        tasks_[i]->worker_ = static_cast<std::uint32_t>(i * workers / tasks_.size());
        tasks_[i]->index_ = static_cast<std::uint32_t>(i);
    }
    slicing_ = workers > 1;
}

Scheduler::~Scheduler() = default;

void Scheduler::record()
{
    recorder_ = std::make_unique<Recorder>(tasks_);
    slicing_ = true;  // the rounds that several workers would run
}

void Scheduler::enqueue(Task& task)
{
    if (recorder_) {
        TaskRecord& record = (*recorder_)[task.index_];
        ++record.wakes;
        record.ready_since = Recorder::clock();
    }
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

// Publishes the clocks. The least lookahead that came of it.
Time Scheduler::publish(Task& task, Time bound, bool finished)
{
    Time lookahead = kNever;
    for (std::size_t i = 0; i < task.out.size(); ++i) {
        ChannelState& channel = *task.out[i].channel;
        const Time before = channel.promised(), promise = finished ? kNever : task.promise(i, bound);
        lookahead = std::min(lookahead, promise - bound);
        if (channel.advance(promise)) wake(*task.out[i].to);
        if (recorder_ && channel.promised() != before) {
            TaskRecord& record = (*recorder_)[task.index_];
            RecordedChannel& out = record.out[i];
            const std::uint64_t messages = task.sent(i);
            if (messages == out.messages) ++out.null_messages;
            out.messages = messages;
            out.publications.push_back({channel.promised(), static_cast<std::uint32_t>(record.rounds.size())});
        }
    }
    return lookahead;
}

// A round covers a part of the lookahead only, so that neighbours learn in good time how far they may go: had each run
// as far as the other's clock allows, one would always wait while the other runs.
void Scheduler::visit(Task& task)
{
    for (;;) {
        const std::int64_t began = recorder_ ? Recorder::clock() : 0;
        Time safe = end_;
        ChannelState* critical = nullptr;
        for (ChannelState* channel : task.in)
            if (Time clock = channel->clock(); clock < safe) safe = clock, critical = channel;
        task.drain(*this);
        const Time until = safe - task.time_ > task.slice_ ? task.time_ + task.slice_ : safe;
        const std::int64_t drained = recorder_ ? Recorder::clock() : 0;
        const Time left = task.execute(until);
        const std::int64_t executed = recorder_ ? Recorder::clock() : 0;
        const bool stuck = task.blocked(*this);
        const Time bound = std::min(left, safe);
        const bool finished = !stuck && bound >= end_;
        const Time lookahead = publish(task, bound, finished);
        task.time_ = bound;
        if (slicing_ && !stuck) task.slice_ = std::max<Time>(1, lookahead / kSlices);
        if (recorder_) {
            TaskRecord& record = (*recorder_)[task.index_];
            const std::uint64_t events = task.executed();
            record.rounds.push_back({until, static_cast<std::uint32_t>(events - record.events)});
            record.events = events;
            ++record.all_rounds;
            record.executing += executed - drained;
            record.busy += Recorder::clock() - began;
        }
        if (finished) finish(task);
        if (finished || stuck) return;  // who makes room for a stuck task makes it ready
        if (bound < safe) continue;     // the rest of what these clocks allow
        if (critical->wait_beyond(safe)) return;
    }
}

void Scheduler::finish(Task& task)
{
    if (task.finished_) return;  // it was woken to make room for others
    task.finished_ = true;
    if (unfinished_.fetch_sub(1, std::memory_order_seq_cst) != 1) return;
    signal_.fetch_add(1, std::memory_order_seq_cst);
    signal_.notify_all();
}

Task* Scheduler::next(unsigned index)
{
    auto take = [](Worker& worker) -> Task* {
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
    };
    if (Task* task = take(*workers_[index])) return task;
    for (std::size_t i = 1; i < workers_.size(); ++i)
        if (Task* task = take(*workers_[(index + i) % workers_.size()])) {
            task->worker_ = index;
            return task;
        }
    return nullptr;
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

void Scheduler::work(unsigned index)
{
    constexpr unsigned kSpins = 2000;  // about 50 us: a neighbour's round is seldom longer
    unsigned idle = 0;
    while (unfinished_.load(std::memory_order_acquire) != 0) {
        Task* task = next(index);
        if (!task) {
            if (++idle < kSpins) {
                __builtin_ia32_pause();
            } else {
                sleep();
                idle = 0;
            }
            continue;
        }
        idle = 0;
        if (recorder_) {
            TaskRecord& record = (*recorder_)[task->index_];
            record.ready += Recorder::clock() - record.ready_since;
        }
        task->state_.store(Task::running, std::memory_order_seq_cst);
        for (;;) {
            visit(*task);
            std::uint32_t state = Task::running;
            if (task->state_.compare_exchange_strong(state, Task::idle, std::memory_order_seq_cst)) break;
            task->state_.store(Task::running, std::memory_order_seq_cst);  // wanted meanwhile
        }
    }
}

void Scheduler::run(Time end)
{
    const Time begin = end_;
    end_ = end;
    if (recorder_) recorder_->begin_step();
    unfinished_.store(static_cast<std::uint32_t>(tasks_.size()), std::memory_order_seq_cst);
    for (Task* task : tasks_) {
        task->finished_ = false;
        task->time_ = begin;
        task->state_.store(Task::idle, std::memory_order_seq_cst);
        for (ChannelState* channel : task->in) channel->restart(begin);
    }
    for (auto& worker : workers_) {  // finished tasks may have been woken once more
        worker->ready.clear();
        worker->count.store(0, std::memory_order_seq_cst);
    }
    for (Task* task : tasks_) wake(*task);
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < workers_.size(); ++i) threads.emplace_back([this, i] { work(i); });
    work(0);
    for (auto& thread : threads) thread.join();
    if (recorder_) recorder_->end_step(begin);
}

}  // namespace anml::rt::cct

// Records the rounds of a parallel run, for `simulate --profile`: a run without one has no recorder and reads no clock.
//
// Between the steps of a run the rounds are scheduled once more on other numbers of processors (makespan.h) and
// forgotten.
#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"
#include "kernel/channel.h"
#include "kernel/round_observer.h"
#include "profile/profile.h"

namespace anml::rt::cct {

class Task;

struct RecordedRound {
    Time until;            // it executed the events before it that were left
    std::uint32_t events;  // so many
};

// A clock that a round published.
struct Publication {
    Time clock;
    std::uint32_t round;  // index of the sender's
};

struct RecordedChannel {
    std::uint32_t from = 0, to = 0;
    std::vector<Publication> publications;  // of the step, both members ascending
    std::uint64_t messages = 0, null_messages = 0;
};

struct alignas(kCacheLine) TaskRecord {
    std::vector<RecordedRound> rounds;  // of the step
    std::vector<RecordedChannel> out;   // by out-channel
    std::uint64_t events = 0, all_rounds = 0, wakes = 0;
    std::int64_t executing = 0, busy = 0, ready = 0;  // ns of wall time; executing is the events' part of busy
    std::int64_t ready_since = 0;
};

class Recorder final : public RoundObserver {
  public:
    explicit Recorder(const std::vector<Task*>& tasks);

    void begin_step() override;
    void end_step(Time begin) override;
    void ready(std::uint32_t task) override;
    void taken(std::uint32_t task) override;
    void published(std::uint32_t task, std::size_t index, std::uint64_t messages, Time clock) override;
    void round(std::uint32_t task, Time until, std::uint64_t events, std::int64_t executing,
               std::int64_t busy) override;

    Profile profile(unsigned threads) const;

  private:
    double event_cost() const;  // ns, means of the run so far
    double round_cost() const;

    std::vector<TaskRecord> records_;
    std::int64_t step_began_ = 0, elapsed_ = 0;
    double work_ = 0, critical_path_ = 0;  // ns
    std::vector<double> makespans_;        // ns, by place in kProcessors
};

}  // namespace anml::rt::cct

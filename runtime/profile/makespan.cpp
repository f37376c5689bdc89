#include "profile/makespan.h"

#include <algorithm>
#include <queue>
#include <utility>

namespace anml::rt::cct {

namespace {

class Replay {
  public:
    Replay(const std::vector<TaskRecord>& tasks, Time begin, RoundCost cost) : tasks_(tasks), cost_(cost)
    {
        for (std::uint32_t task = 0; task < tasks.size(); ++task) {
            state_.emplace_back();
            for (const RecordedChannel& channel : tasks[task].out) channels_.push_back({&channel, begin});
        }
        std::size_t next = 0;
        for (std::uint32_t task = 0; task < tasks.size(); ++task) {
            state_[task].first_out = next;
            for (const RecordedChannel& channel : tasks[task].out) state_[channel.to].in.push_back(next++);
        }
    }

    double run(unsigned processors)
    {
        for (std::uint32_t task = 0; task < tasks_.size(); ++task) consider(task);
        double now = 0;
        for (;;) {
            for (; processors > 0 && !ready_.empty(); --processors) {
                const std::uint32_t task = ready_.top().second;
                ready_.pop();
                const RecordedRound& round = tasks_[task].rounds[state_[task].done];
                running_.push({now + cost_.per_round + cost_.per_event * round.events, task});
            }
            if (running_.empty()) return now;
            const std::uint32_t task = running_.top().second;
            now = running_.top().first;
            running_.pop();
            ++processors;
            complete(task);
        }
    }

  private:
    struct ChannelState {
        const RecordedChannel* record;
        Time clock;
        std::size_t published = 0;
    };
    struct TaskState {
        std::size_t first_out = 0;    // of channels_
        std::vector<std::size_t> in;  // of channels_
        std::uint32_t done = 0;       // rounds
        bool busy = false;            // running, or ready to
    };
    template <class Key>
    using Earliest =
        std::priority_queue<std::pair<Key, std::uint32_t>, std::vector<std::pair<Key, std::uint32_t>>, std::greater<>>;

    // Makes the task's next round ready if nothing holds it up.
    void consider(std::uint32_t task)
    {
        TaskState& state = state_[task];
        if (state.busy || state.done == tasks_[task].rounds.size()) return;
        const Time until = tasks_[task].rounds[state.done].until;
        for (const std::size_t channel : state.in)
            if (channels_[channel].clock < until) return;
        state.busy = true;
        ready_.push({until, task});
    }

    void complete(std::uint32_t task)
    {
        TaskState& state = state_[task];
        state.busy = false;
        const std::uint32_t round = state.done++;
        for (std::size_t i = 0; i < tasks_[task].out.size(); ++i) {
            ChannelState& channel = channels_[state.first_out + i];
            const std::vector<Publication>& all = channel.record->publications;
            if (channel.published == all.size() || all[channel.published].round != round) continue;
            channel.clock = all[channel.published++].clock;
            consider(channel.record->to);
        }
        consider(task);
    }

    const std::vector<TaskRecord>& tasks_;
    RoundCost cost_;
    std::vector<TaskState> state_;
    std::vector<ChannelState> channels_;
    Earliest<Time> ready_;      // by simulated time
    Earliest<double> running_;  // by when they end
};

}  // namespace

double makespan(const std::vector<TaskRecord>& tasks, Time begin, unsigned processors, RoundCost cost)
{
    return Replay(tasks, begin, cost).run(processors);
}

}  // namespace anml::rt::cct

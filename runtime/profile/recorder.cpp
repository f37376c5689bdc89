#include "profile/recorder.h"

#include <algorithm>
#include <array>

#include "kernel/scheduler.h"
#include "profile/makespan.h"

namespace anml::rt::cct {

namespace {

constexpr std::array<unsigned, 4> kProcessors{2, 4, 8, 64};

}  // namespace

Recorder::Recorder(const std::vector<Task*>& tasks) : records_(tasks.size()), makespans_(kProcessors.size(), 0)
{
    for (std::uint32_t from = 0; from < tasks.size(); ++from) {
        for (const Task::Out& out : tasks[from]->out) {
            const auto to = std::find(tasks.begin(), tasks.end(), out.to) - tasks.begin();
            records_[from].out.push_back({from, static_cast<std::uint32_t>(to), {}});
        }
    }
}

double Recorder::event_cost() const
{
    std::uint64_t events = 0;
    std::int64_t executing = 0;
    for (const TaskRecord& record : records_) {
        events += record.events;
        executing += record.executing;
    }
    return events == 0 ? 0 : static_cast<double>(executing) / static_cast<double>(events);
}

double Recorder::round_cost() const
{
    std::uint64_t rounds = 0;
    std::int64_t rest = 0;
    for (const TaskRecord& record : records_) {
        rounds += record.all_rounds;
        rest += record.busy - record.executing;
    }
    return rounds == 0 ? 0 : static_cast<double>(rest) / static_cast<double>(rounds);
}

void Recorder::ready(std::uint32_t task)
{
    ++records_[task].wakes;
    records_[task].ready_since = wall_clock();
}

void Recorder::taken(std::uint32_t task) { records_[task].ready += wall_clock() - records_[task].ready_since; }

void Recorder::round(std::uint32_t task, Time until, std::uint64_t events, std::int64_t executing, std::int64_t busy)
{
    TaskRecord& record = records_[task];
    record.rounds.push_back({until, static_cast<std::uint32_t>(events)});
    record.events += events;
    ++record.all_rounds;
    record.executing += executing;
    record.busy += busy;
}

void Recorder::published(std::uint32_t task, std::size_t index, std::uint64_t messages, Time clock)
{
    TaskRecord& record = records_[task];
    RecordedChannel& out = record.out[index];
    if (messages == out.messages) ++out.null_messages;
    out.messages = messages;
    out.publications.push_back({clock, static_cast<std::uint32_t>(record.rounds.size())});
}

void Recorder::begin_step()
{
    step_began_ = wall_clock();
    for (TaskRecord& record : records_) {
        record.rounds.clear();
        for (RecordedChannel& channel : record.out) channel.publications.clear();
    }
}

void Recorder::end_step(Time begin)
{
    elapsed_ += wall_clock() - step_began_;
    const RoundCost cost{event_cost(), round_cost()};
    std::uint64_t events = 0, rounds = 0;
    for (const TaskRecord& record : records_) {
        rounds += record.rounds.size();
        for (const RecordedRound& round : record.rounds) events += round.events;
    }
    work_ += cost.per_event * static_cast<double>(events) + cost.per_round * static_cast<double>(rounds);
    const auto tasks = static_cast<unsigned>(records_.size());
    const double critical = makespan(records_, begin, tasks, cost);
    critical_path_ += critical;
    for (std::size_t i = 0; i < kProcessors.size(); ++i)
        makespans_[i] += kProcessors[i] < tasks ? makespan(records_, begin, kProcessors[i], cost) : critical;
}

Profile Recorder::profile(unsigned threads) const
{
    constexpr double kSecondNs = 1e9;
    Profile profile;
    profile.threads = threads;
    for (const TaskRecord& record : records_) {
        const double busy = static_cast<double>(record.busy), ready = static_cast<double>(record.ready);
        profile.tasks.push_back({record.events, record.all_rounds, record.wakes, busy / kSecondNs, ready / kSecondNs,
                                 std::max(0.0, static_cast<double>(elapsed_) - busy - ready) / kSecondNs});
        for (const RecordedChannel& channel : record.out)
            profile.channels.push_back({channel.from, channel.to, channel.messages, channel.null_messages});
    }
    profile.event_seconds = event_cost() / kSecondNs;
    profile.round_seconds = round_cost() / kSecondNs;
    profile.work = work_ / kSecondNs;
    profile.critical_path = critical_path_ / kSecondNs;
    for (std::size_t i = 0; i < kProcessors.size(); ++i)
        profile.speed_ups.push_back({kProcessors[i], makespans_[i] > 0 ? work_ / makespans_[i] : 1});
    return profile;
}

}  // namespace anml::rt::cct

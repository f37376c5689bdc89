// PHOLD (Fujimoto 1990) on the parallel kernel's interface: logical processes split evenly over tasks; each event
// schedules one more, lookahead + exponential(mean) later, at the same process or, one in four, at a random one.
// Usage: phold [processes [tasks [workers [simulated ms [room in a channel [mpi | profile]]]]]]. Prints events per
// second and a digest that depends on the number of processes and the time alone. With `mpi`, started by mpirun, the
// tasks are dealt to the ranks, and workers are those of each. With `profile` a line says what a profile
// (profile/profile.h) has.
#include <fmt/format.h>

#include <bit>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "common/mix.h"
#include "entry/run/mpi.h"
#include "kernel/channel.h"
#include "kernel/event.h"
#include "kernel/event_queue.h"
#include "kernel/post.h"
#include "kernel/scheduler.h"
#include "profile/recorder.h"

using namespace anml::rt;

namespace {

constexpr Time kLookahead = kMillisecond;
constexpr double kMean = 1e6;  // ns
constexpr double kRemote = 0.25;

struct Process {
    std::uint64_t random = 0;
    std::uint32_t sequence = 0;

    std::uint64_t bits() { return mix(random += 0x9e3779b97f4a7c15u); }
    double unit() { return static_cast<double>((bits() >> 11) + 1) * 0x1p-53; }  // (0, 1]
    Time delay() { return static_cast<Time>(-kMean * std::log(unit())); }
};

class PholdTask final : public cct::Task {
  public:
    PholdTask(std::uint32_t index, std::uint32_t processes, std::uint32_t tasks)
        : index_(index),
          processes_(processes),
          tasks_(tasks),
          state_((processes - index + tasks - 1) / tasks),
          to_(tasks)
    {
        for (std::uint32_t i = 0; i < state_.size(); ++i) {
            const std::uint32_t id = index + i * tasks;
            state_[i].random = mix(id + 12345);
            queue_.push({state_[i].delay(), id, state_[i].sequence++, id, 0});
        }
    }
    void connect(PholdTask& other, std::size_t room)
    {
        Link& link = leads_to(other.index_, &other, room);
        other.comes(link);
    }
    // The other end is in another process.
    void connect_out(cct::Post& post, std::uint32_t number, unsigned rank, std::uint32_t other, std::size_t room)
    {
        Link& link = leads_to(other, nullptr, room);
        post.add(number, rank, std::make_unique<Leaving>(link.channel, *this, room));
    }
    void connect_in(cct::Post& post, std::uint32_t number, unsigned rank, std::size_t room)
    {
        foreign_.push_back(std::make_unique<Link>(nullptr, this, room));
        comes(*foreign_.back());
        post.add(number, rank, std::make_unique<Coming>(foreign_.back()->channel, *this, room));
    }
    std::uint64_t events = 0, digest = 0;

  protected:
    void drain(cct::Scheduler& scheduler) override
    {
        for (Link* link : from_)
            if (link->channel.drain([this](const Event& event) { queue_.push(event); }) && link->from)
                scheduler.wake(*link->from);
    }
    Time execute(Time safe) override
    {
        if (held_back_) flush();
        for (Event event; !held_back_ && queue_.pop(safe - 1, event);) step(event);
        return queue_.next_time();
    }
    Time promise(std::size_t index, Time bound) override
    {
        Time earliest = bound + kLookahead;
        for (const Event& event : links_[index]->waiting) earliest = std::min(earliest, event.time);
        return earliest;
    }
    bool blocked(cct::Scheduler& scheduler) override
    {
        if (!held_back_) return false;
        for (auto& link : links_) {
            if (link->waiting.empty()) continue;
            if (!link->channel.wait_for_room()) scheduler.wake(*this);
            if (link->to) scheduler.wake(*link->to);
        }
        return true;
    }
    std::uint64_t executed() const override { return events; }
    std::uint64_t sent(std::size_t index) const override { return links_[index]->channel.claimed(); }

  private:
    struct Link {
        Link(PholdTask* f, PholdTask* t, std::size_t room) : from(f), to(t), channel(room) {}
        PholdTask *from, *to;  // null: in another process
        Channel<Event> channel;
        std::vector<Event> waiting;
    };

    // The ends of a channel between processes: events as they lie in memory.
    class Leaving final : public cct::Departure {
      public:
        Leaving(Channel<Event>& channel, cct::Task& task, std::size_t r)
            : Departure(channel, task, r), channel_(channel)
        {
        }
        Taken take(std::vector<std::uint8_t>& bytes, std::uint64_t most, std::size_t full) override
        {
            const auto drained = channel_.drain_while([&](const Event& event) {
                if (most == 0 || bytes.size() >= full) return false;
                --most;
                const auto* from = reinterpret_cast<const std::uint8_t*>(&event);
                bytes.insert(bytes.end(), from, from + sizeof event);
                return true;
            });
            return {drained.taken, drained.all, drained.starved};
        }

      private:
        Channel<Event>& channel_;
    };
    class Coming final : public cct::Arrival {
      public:
        Coming(Channel<Event>& channel, cct::Task& task, std::size_t r) : Arrival(channel, task, r), channel_(channel)
        {
        }
        std::optional<std::span<const std::uint8_t>> put(std::span<const std::uint8_t> bytes,
                                                         std::uint32_t messages) override
        {
            if (bytes.size() / sizeof(Event) < messages) return std::nullopt;
            for (; messages != 0; --messages, bytes = bytes.subspan(sizeof(Event)))
                std::memcpy(channel_.claim(), bytes.data(), sizeof(Event));
            return bytes;
        }
        std::uint64_t taken() const override { return channel_.taken(); }

      private:
        Channel<Event>& channel_;
    };

    Link& leads_to(std::uint32_t other, PholdTask* task, std::size_t room)
    {
        links_.push_back(std::make_unique<Link>(this, task, room));
        Link& link = *links_.back();
        to_[other] = &link;
        out.push_back({&link.channel, task});
        return link;
    }
    void comes(Link& link)
    {
        in.push_back(&link.channel);
        from_.push_back(&link);
    }

    void step(const Event& event)
    {
        Process& process = state_[event.stream / tasks_];
        ++events;
        digest += mix(static_cast<std::uint64_t>(event.time) ^ static_cast<std::uint64_t>(event.stream) << 40);
        Event next{event.time + kLookahead + process.delay(), event.stream, process.sequence++, event.stream, 0};
        if (process.unit() <= kRemote)
            next.stream = static_cast<std::uint32_t>(static_cast<double>(process.bits() >> 11) * 0x1p-53 * processes_);
        const std::uint32_t task = next.stream % tasks_;
        if (task == index_) {
            queue_.push(next);
            return;
        }
        Link& link = *to_[task];
        Event* slot = link.waiting.empty() ? link.channel.claim() : nullptr;
        if (slot) {
            *slot = next;
        } else {
            link.waiting.push_back(next);
            held_back_ = true;
        }
    }
    void flush()
    {
        held_back_ = false;
        for (auto& link : links_) {
            std::size_t moved = 0;
            for (Event* slot; moved < link->waiting.size() && (slot = link->channel.claim()); ++moved)
                *slot = link->waiting[moved];
            link->waiting.erase(link->waiting.begin(), link->waiting.begin() + static_cast<std::ptrdiff_t>(moved));
            held_back_ |= !link->waiting.empty();
        }
    }

    std::uint32_t index_, processes_, tasks_;
    std::vector<Process> state_;
    EventQueue queue_;
    std::vector<Link*> to_;  // by task
    std::vector<Link*> from_;
    std::vector<std::unique_ptr<Link>> links_, foreign_;
    bool held_back_ = false;
};

void print_profile(const Profile& profile)
{
    std::uint64_t rounds = 0, messages = 0;
    for (const Profile::Task& task : profile.tasks) rounds += task.rounds;
    for (const Profile::Channel& channel : profile.channels) messages += channel.messages;
    for (const Profile::SpeedUp& speed_up : profile.speed_ups)
        if (speed_up.processors == 2)
            fmt::print("{} rounds, {} messages, {:.4f} times as fast on 2 processors\n", rounds, messages,
                       speed_up.factor);
}

}  // namespace

int main(int argc, char** argv)
{
    const auto argument = [&](int i, unsigned fallback) {
        return argc > i ? static_cast<unsigned>(std::strtoul(argv[i], nullptr, 10)) : fallback;
    };
    const unsigned processes = argument(1, 65536), tasks = argument(2, 2), workers = argument(3, 1);
    const unsigned milliseconds = argument(4, 100), room = std::bit_ceil(argument(5, 4096));
    std::unique_ptr<entry::Mpi> mpi;
    std::unique_ptr<cct::Post> post;
    unsigned rank = 0, ranks = 1;
    const std::string_view how = argc > 6 ? argv[6] : "";
    if (!how.empty() && how != "mpi" && how != "profile") {
        fmt::print(stderr, "phold: {} is neither mpi nor profile\n", how);
        return 2;
    }
    if (how == "mpi") {
        std::string error;
        mpi = entry::Mpi::join(error);
        if (!mpi) {
            fmt::print(stderr, "{}\n", error);
            return 1;
        }
        rank = mpi->rank();
        ranks = mpi->size();
        if (ranks > 1) post = std::make_unique<cct::Post>(*mpi);
    }
    const auto rank_of = [&](unsigned task) { return task % ranks; };
    std::vector<std::unique_ptr<PholdTask>> all(tasks);
    std::vector<cct::Task*> pointers;
    for (unsigned i = 0; i < tasks; ++i) {
        if (rank_of(i) != rank) continue;
        all[i] = std::make_unique<PholdTask>(i, processes, tasks);
        pointers.push_back(all[i].get());
    }
    for (unsigned a = 0; a < tasks; ++a)
        for (unsigned b = 0; b < tasks; ++b) {
            if (a == b) continue;
            if (all[a] && all[b])
                all[a]->connect(*all[b], room);
            else if (all[a])
                all[a]->connect_out(*post, a * tasks + b, rank_of(b), b, room);
            else if (all[b])
                all[b]->connect_in(*post, a * tasks + b, rank_of(a), room);
        }
    cct::Scheduler scheduler(pointers, workers, std::thread::hardware_concurrency(), post.get());
    cct::Recorder recorder(pointers);
    if (how == "profile") scheduler.observe(recorder);
    if (post) post->gather({}), post->broadcast({});
    const auto started = std::chrono::steady_clock::now();
    scheduler.run(milliseconds * kMillisecond);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    std::uint64_t events = 0, digest = 0;
    for (const auto& task : all) {
        if (!task) continue;
        events += task->events;
        digest += task->digest;
    }
    if (post) {
        std::vector<std::uint8_t> own(2 * sizeof events);
        std::memcpy(own.data(), &events, sizeof events);
        std::memcpy(own.data() + sizeof events, &digest, sizeof digest);
        events = digest = 0;
        for (const std::vector<std::uint8_t>& bytes : post->gather(own)) {
            std::uint64_t sums[2];
            std::memcpy(sums, bytes.data(), sizeof sums);
            events += sums[0];
            digest += sums[1];
        }
    }
    if (mpi) mpi->leave();
    if (rank != 0) return 0;
    fmt::print("{} processes, {} tasks, {} workers: {:.2f} M events/s, {} events, digest {:016x}\n", processes, tasks,
               workers * ranks, static_cast<double>(events) / seconds / 1e6, events, digest);
    if (how == "profile") print_profile(recorder.profile(workers));
}

// Channels between tasks of different processes: each is a pair of channels, one in either process, and the post, which
// takes messages and clock out of the one, and puts them into the other.
//
// A message of the post has what some channels have handed over since the last one: for each the messages of its ring,
// and behind them the clock that holds when they have been put in. Since these arrive in order, the clock cannot
// overtake. What a ring has room for is known to its sender: `taken` comes back, now and then. So nothing waits in the
// post itself, and a sender whose ring is full waits as it would for a consumer in its own process.
//
// A step is over when every process knows that all have finished it: a rank says so to all others behind its last
// message, and goes on carrying until all have.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/ranks.h"
#include "kernel/scheduler.h"

namespace anml::rt::cct {

// The end of a channel whose messages leave for another process. Task `task` produces, the post consumes.
class Departure {
  public:
    Departure(ChannelState& s, Task& t, std::uint64_t r) : state(s), task(t), room(r) {}
    virtual ~Departure() = default;

    static constexpr std::size_t kLongest = Ranks::kMostBytes - (std::size_t{16} << 10);

    struct Taken {
        std::uint32_t messages;
        bool all;      // that were there
        bool starved;  // the task waits for room
    };
    // Appends messages to `bytes`, at most `most`, and none once there are `full` bytes; none is longer than kLongest.
    virtual Taken take(std::vector<std::uint8_t>& bytes, std::uint64_t most, std::size_t full) = 0;

    ChannelState& state;
    Task& task;
    const std::uint64_t room;  // of the ring at the other end
};

// The other one: the post produces, `task` consumes.
class Arrival {
  public:
    Arrival(ChannelState& s, Task& t, std::uint64_t r) : state(s), task(t), room(r) {}
    virtual ~Arrival() = default;

    // Puts `messages` into the ring, which has room for them. Returns the bytes behind them; nothing: they are damaged.
    virtual std::optional<std::span<const std::uint8_t>> put(std::span<const std::uint8_t> bytes,
                                                             std::uint32_t messages) = 0;
    virtual std::uint64_t taken() const = 0;  // messages so far

    ChannelState& state;
    Task& task;
    const std::uint64_t room;
};

class Post {
  public:
    explicit Post(Ranks& ranks);
    ~Post();

    Ranks& ranks() { return ranks_; }

    // The end of channel `number`, which has it in both processes; the other end is at `rank`.
    void add(std::uint32_t number, unsigned rank, std::unique_ptr<Departure> end);
    void add(std::uint32_t number, unsigned rank, std::unique_ptr<Arrival> end);

    // Of the scheduler: a step from `begin` to `end` begins, whose channels have restarted, but for departures'.
    void begin(Time begin, Time end);
    // Sends what there is, and puts in what has come. `finished`: the tasks of this process have finished the step.
    // True: something moved.
    bool carry(Scheduler& scheduler, bool finished);
    // The two halves of it where there is no scheduler, in one step whose end nobody knows before. A clock that alone
    // has moved is sent if it did so by `stride` at least.
    bool take_in() { return receive_some(nullptr); }
    void send_off(Time stride, bool finished);
    // What has come that no other process of this run would send: "" nothing.
    const std::string& wrong() const { return wrong_; }
    bool over() const;  // all processes have finished it
    void rest(std::uint32_t times);
    // What all others hear when this process has finished the step: 0 where there is nothing to say. And the greatest
    // that has been heard.
    void say(std::uint32_t word) { word_ = word; }
    std::uint32_t heard() const { return heard_; }

    // Between steps, all ranks alike. What rank 0 says, everywhere; what all say, by rank, at rank 0. Empty: who should
    // have said it has gone.
    std::vector<std::uint8_t> broadcast(std::vector<std::uint8_t> said);
    std::vector<std::vector<std::uint8_t>> gather(std::vector<std::uint8_t> said);

  private:
    struct Peer;
    struct Out;
    struct In;

    bool send_some(Scheduler* scheduler, unsigned rank, bool finished, Time stride);
    bool flush(Peer& peer, unsigned rank);
    bool receive_some(Scheduler* scheduler);
    void refuse(unsigned from);
    void read_records(Scheduler* scheduler, unsigned from, std::span<const std::uint8_t> bytes);
    void send_whole(unsigned to, std::span<const std::uint8_t> bytes);
    std::vector<std::uint8_t> receive_whole(unsigned from);
    unsigned awaited() const;

    Ranks& ranks_;
    std::vector<Peer> peers_;  // by rank
    std::vector<Out*> out_;    // by number of the channel; null: it does not leave from here
    std::vector<In*> in_;      // the same
    std::string wrong_;
    Time end_ = 0;
    std::uint64_t step_ = 0;
    std::uint32_t word_ = 0, heard_ = 0;
};

}  // namespace anml::rt::cct

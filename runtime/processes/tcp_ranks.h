// The processes of a live run on several machines, which are connected each with each: what the post sends
// (kernel/post.h), and words about the run beside it.
#pragma once

#include <poll.h>

#include <functional>
#include <string>
#include <vector>

#include "base/time.h"
#include "kernel/ranks.h"
#include "processes/connection.h"

namespace anml::rt::processes {

class TcpRanks final : public cct::Ranks {
  public:
    // By rank; the own one is not connected.
    TcpRanks(unsigned rank, std::vector<Connection> connections);

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return static_cast<unsigned>(connections_.size()); }
    bool send(unsigned to, std::span<const std::uint8_t> message) override;
    // Words that come are heard meanwhile.
    std::optional<Message> receive() override;
    // False: the awaited one has gone, or has said nothing for `patience`.
    bool rest(std::uint32_t times, unsigned awaited) override;
    Time patience = 60 * kSecond;  // with a page of results that another one writes

    void say(unsigned to, std::span<const std::uint8_t> word);
    void say_all(std::span<const std::uint8_t> word);
    std::function<void(unsigned from, std::span<const std::uint8_t> word)> heard;
    // Hears words alone: what is for the post waits. True: there was one.
    bool hear();

    // Whether anything has come from it since this was last asked.
    bool has_spoken(unsigned rank)
    {
        const bool spoken = spoken_[rank];
        spoken_[rank] = false;
        return spoken;
    }

    void push();  // writes what waits
    std::vector<pollfd> waits() const;
    const std::string& address(unsigned rank) const { return addresses_[rank]; }
    // "process 1 (10.0.0.2)".
    std::string name(unsigned rank) const;
    // Of one that has gone: what there is to say; "": all are there.
    std::string gone() const;

  private:
    std::optional<Message> receive(bool words_only);

    unsigned rank_;
    std::vector<Connection> connections_;
    std::vector<std::string> addresses_;
    std::vector<bool> spoken_;
    std::uint64_t words_ = 0;
    Time resting_since_ = 0;
    unsigned next_ = 0;  // whose frame is looked for first
};

}  // namespace anml::rt::processes

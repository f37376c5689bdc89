// Packets that cross to another process: the ends of such a channel. On the way each is a Crossing and the bytes of its
// buffer behind it, as they lie in memory: all processes of a run are the same program.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "kernel/post.h"
#include "net/crossing.h"

namespace anml::rt {

class CrossingDeparture final : public cct::Departure {
  public:
    CrossingDeparture(Outbox& outbox, cct::Task& task) : Departure(outbox.channel, task, Outbox::kRoom), outbox_(outbox)
    {
    }
    Taken take(std::vector<std::uint8_t>& bytes, std::uint64_t most, std::size_t full) override;

  private:
    Outbox& outbox_;
};

class CrossingArrival final : public cct::Arrival {
  public:
    // `may_arrive`: what of a packet only the layers above know.
    CrossingArrival(Outbox& outbox, cct::Task& task, std::function<bool(const Crossing&)> may_arrive)
        : Arrival(outbox.channel, task, Outbox::kRoom), outbox_(outbox), may_arrive_(std::move(may_arrive))
    {
    }
    // Of the links whose packets it carries: first, first + 2, ...
    void expect(LinkId first, std::uint32_t count);
    std::optional<std::span<const std::uint8_t>> put(std::span<const std::uint8_t> bytes,
                                                     std::uint32_t messages) override;
    std::uint64_t taken() const override { return outbox_.channel.taken(); }

  private:
    struct Links {
        LinkId first;
        std::uint32_t count;
    };
    bool expects(LinkId link) const;

    Outbox& outbox_;
    std::function<bool(const Crossing&)> may_arrive_;
    std::vector<Links> links_;  // in order; none lies within another
};

}  // namespace anml::rt

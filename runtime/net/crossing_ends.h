// Packets that cross to another process: the ends of such a channel. On the way each is a Crossing and the bytes of its
// buffer behind it, as they lie in memory: all processes of a run are the same program.
#pragma once

#include <cstdint>
#include <span>
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
    CrossingArrival(Outbox& outbox, cct::Task& task) : Arrival(outbox.channel, task, Outbox::kRoom), outbox_(outbox) {}
    std::optional<std::span<const std::uint8_t>> put(std::span<const std::uint8_t> bytes,
                                                     std::uint32_t messages) override;
    std::uint64_t taken() const override { return outbox_.channel.taken(); }

  private:
    Outbox& outbox_;
};

}  // namespace anml::rt

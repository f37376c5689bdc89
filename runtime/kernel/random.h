// Counter-based random numbers: Random123's Philox4x32-10 (Salmon et al., SC 2011). A number is a function of
// (seed, user, purpose, index), so it depends neither on the order of events nor on anybody else's draws.
// net/samples.h turns them into what a model's distributions say.
#pragma once

#include <array>
#include <cstdint>

#include "base/ids.h"

namespace anml::rt {

enum class Purpose : std::uint32_t {
    start,
    think,
    service,
    pairing,
    impairment,
    amount,
    sending,
    silence,
    document,
    choice,
    place,
    queue,
    pages,
    parts,
    pause,
    hit,
    pick,
    backoff,
    processing,
    computing,
    air,
    fluid,
    text,
    row
};

// 64 random bits. `row` tells apart several users of one purpose at one node (workload or server row).
std::uint64_t random_bits(std::uint64_t seed, NodeId node, Purpose purpose, std::uint32_t row, std::uint64_t index);

// As many numbers as one sample takes: the first is made of random_bits(seed, user, purpose, row, index).
class Draws {
  public:
    // `index` below 2^40.
    Draws(std::uint64_t seed, std::uint32_t user, Purpose purpose, std::uint32_t row, std::uint64_t index)
        : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
          counter_{static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), user,
                   static_cast<std::uint32_t>(purpose) << 24 ^ row}
    {
    }

    std::uint64_t bits();
    double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)

  private:
    std::array<std::uint32_t, 2> key_;
    std::array<std::uint32_t, 4> counter_;
    std::uint64_t second_ = 0;  // half of the last block
    bool has_second_ = false;
};

}  // namespace anml::rt

// Counter-based random numbers: Random123's Philox4x32-10 (Salmon et al., SC 2011). A number is a function of
// (seed, node, purpose, index), so it depends neither on the order of events nor on anybody else's draws.
// The distributions are written here with plain arithmetic, because libm and std:: differ between machines.
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "base/time.h"
#include "kernel/packet.h"

namespace anml::rt {

class Model;

enum class Purpose : std::uint32_t { start, think, service, pairing };

// 64 random bits. `row` tells apart several users of one purpose at one node (workload or server row).
std::uint64_t random_bits(std::uint64_t seed, NodeId node, Purpose purpose, std::uint32_t row, std::uint64_t index);

// A value of the distribution from 64 random bits, not negative.
double sample(const Model& model, const abi::Distribution& distribution, std::uint64_t bits);

// Draw number `index` of a random time, rounded to ns.
Time draw_time(const Model& model, const abi::Distribution& distribution, std::uint64_t seed, NodeId node,
               Purpose purpose, std::uint32_t row, std::uint64_t index);

// The natural logarithm of x > 0, the same bits on every machine, relative error below 1e-14.
double natural_log(double x);

}  // namespace anml::rt

// What is drawn from the distributions of a model. Expressions over several draws are functions that the model's object
// brings along (abi::Sampler).
#pragma once

#include <cstdint>

#include "abi/image.h"
#include "base/ids.h"
#include "base/time.h"
#include "kernel/random.h"

namespace anml::rt {

class Model;

// A value of the distribution, not negative. `state`: the user's words, as many as a computed one has; zeros before the
// first sample.
double sample(const Model& model, const abi::Distribution& distribution, Draws& draws, double* state);

// Draw number `index` of a random time, rounded to ns.
Time draw_time(const Model& model, const abi::Distribution& distribution, std::uint64_t seed, NodeId node,
               Purpose purpose, std::uint32_t row, std::uint64_t index, double* state);

// Words of state that each user of the distribution needs.
inline std::uint32_t state_words(const abi::Distribution& distribution)
{
    return distribution.kind == abi::DistributionKind::computed ? distribution.b : 0;
}

}  // namespace anml::rt

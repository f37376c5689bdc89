// What a model draws at random, in words.
#pragma once

#include <cstdint>
#include <string>

#include "abi/image.h"

namespace anml::rt {

class Model;

// "1.8 ms", "uniform in 1 ms .. 2 ms", "exponential with mean 2 ms"
std::string describe_distribution(const Model& model, const abi::Distribution& distribution, abi::Unit unit);
// "loss 0.01, jitter 1 ms" of a direction of a link, "" where it is not impaired.
std::string describe_impairment(const Model& model, std::uint32_t impairment);

}  // namespace anml::rt

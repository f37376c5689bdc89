// What a model draws at random and what its records say, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "abi/image.h"

namespace anml::rt {

class Model;

// "1.8 ms", "uniform in 1 ms .. 2 ms", "exponential with mean 2 ms"
std::string describe_distribution(const Model& model, const abi::Distribution& distribution, abi::Unit unit);
// "interval 20 ms, payload 1000 B" of a record.
std::string describe_values(const Model& model, std::uint32_t record);
// "traffic.Cbr" of a record.
std::string_view schema_name(const abi::Image& image, std::uint32_t record);
// "red: min_threshold 30 KB, max_threshold 90 KB" of a record, "" of kNone.
std::string describe_record(const Model& model, std::uint32_t record);
// "loss 0.01, jitter 1 ms" of a direction of a link, "" where it is not impaired.
std::string describe_impairment(const Model& model, std::uint32_t impairment);

}  // namespace anml::rt

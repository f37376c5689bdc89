// Tunables on the command line: `--set D=4ms`, checked against the model's names, units and ranges.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "abi/image.h"
#include "report/figures.h"

namespace anml::rt {
class Model;

namespace entry {

// Gives a tunable a value, NAME=VALUE; "" or what is wrong with it.
std::string apply_setting(const abi::Image& image, const std::string& setting, std::vector<double>& values);

// Values of all tunables in ParameterRow::tunable order, canonical units. nullopt: `error`.
std::optional<std::vector<double>> bind_tunables(const abi::Image& image, std::span<const std::string> settings,
                                                 std::string& error);

// Every parameter with the value it has in this run.
std::vector<RunInfo::Parameter> parameters_of(const abi::Image& image, std::span<const double> tunables);

// One message per `require` that does not hold with the model's tunables, which are among `parameters`.
std::vector<std::string> violated_requirements(const Model& model, std::span<const RunInfo::Parameter> parameters);

}  // namespace entry
}  // namespace anml::rt

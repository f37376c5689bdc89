// What a live run will ask of this machine: what the compiler expects of the model's workloads, and how fast the
// machine is.
#pragma once

#include <optional>
#include <string>

#include "commandline/machine_checks.h"
#include "entry/options/options.h"
#include "report/live/live_report.h"

namespace anml::rt {
class Model;
}

namespace anml::rt::entry {

// Takes some milliseconds. Nothing: no workload is started, or the compiler expects nothing of them.
std::optional<Forecast> forecast(const Model& model, const Options& options);

// Whether a live run with all endpoints attached fits this machine.
commandline::MachineCheck check_forecast(const abi::Image& image);

// A line for the terminal, and what to do where it will not fit.
std::string describe(const Forecast& forecast, const Options& options);

}  // namespace anml::rt::entry

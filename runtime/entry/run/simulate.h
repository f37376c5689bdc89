// The parts of `simulate` that runs of their own have in common with those that share a beginning (run_points.cpp).
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "entry/run/run.h"
#include "simulator/simulator.h"

namespace anml::rt::entry {

// "": somebody answers all workloads.
std::string why_not_simulated(const Run& run);

// Starts workloads and the timeline, as the options say.
void begin_simulation(Run& run, Simulator& simulator);

// In steps that take a few hundredths of a second each, so that Ctrl-C and what is done `between` them react. Ends
// early where it shall stop.
void simulate_before(Simulator& simulator, Time end, const std::atomic<bool>& stop,
                     const std::function<void()>& between);

}  // namespace anml::rt::entry

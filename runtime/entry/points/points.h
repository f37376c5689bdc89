// Points of an experiment that one emulator runs: `simulate --points FILE`, with a line of JSON for each,
//   {"arguments": ["--seed", "1", "--set", "D=4ms", "--results", "a.json"], "log": "a.log"}
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "entry/options/options.h"

namespace anml::rt::entry {

struct Point {
    Options options;
    std::vector<std::string> command;  // the command line of its own run
    std::vector<double> tunables;
    std::string log;              // the file that has what the run prints; "": none, and errors go to standard error
    std::optional<Ending> wrong;  // why it cannot be run
};

inline constexpr std::size_t kMostPoints = 100'000;

// nullopt: `error`, the file is none. Points that are wrong for themselves say so.
std::optional<std::vector<Point>> read_points(const abi::Image& image, const std::string& program,
                                              const std::string& file, std::string& error);

// Runs each as if it were alone, so many at a time; those that are the same up to a time are one run until then. Says
// what came of each in a line of JSON on standard output. Returns the process's exit code.
int run_points(const abi::Image& image, const std::vector<Point>& points, unsigned jobs);

}  // namespace anml::rt::entry

// Where the warm-up of a simulation ends: MSER, the marginal standard error rule (White, "An Effective Truncation
// Heuristic for Bias Reduction in Simulation Output", Simulation 69(6), 1997), of means of five values each as MSER-5
// (White, Cobb and Spratt, "A Comparison of Five Steady-State Truncation Heuristics for Simulation", WSC 2000).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace anml {

inline constexpr std::size_t kMserJoins = 5;     // values that one mean is of
inline constexpr std::size_t kMserFewest = 20;   // means, below which it says nothing
inline constexpr std::size_t kMserLastLeft = 5;  // means at the end that are never left out: of few the error is chance

struct Truncation {
    std::size_t leaves_out = 0;  // values at the beginning; a multiple of `joins`
    bool settled = true;         // false: the minimum lies in the second half, and so the series is too short to tell
    std::size_t in_first_half = 0;  // what would be left out by the minimum of the first half
};

// Of values in the order of time, equally long: the beginning without which the standard error of the mean of what is
// left would be the least. What is over of the last mean counts for nothing. Nothing of fewer than kMserFewest means.
std::optional<Truncation> mser(std::span<const double> values, std::size_t joins = kMserJoins);

}  // namespace anml

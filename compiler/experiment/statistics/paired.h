// Two designs that were run with the same seeds (common random numbers): the difference, and what the seeds did for it.
#pragma once

#include <cstddef>
#include <span>

#include "experiment/statistics/interval.h"

namespace anml {

// Of values whose i-th ones had the same seed. The interval is right whatever else the two have in common, also where
// they draw differently: the differences of different seeds are independent (Law, Simulation Modeling and Analysis,
// 10.2.1). Then `correlation` is about 0, and it is a little wider than Welch's.
struct PairedDifference {
    Interval interval;  // of the second's mean less the first's
    std::size_t pairs = 0;
    double correlation = 0;    // of the two; 0 where one of them does not vary
    double variance_left = 1;  // of the difference's variance, as a share of what independent runs would have
};
// Of equally many values each, two at least.
PairedDifference paired_difference(std::span<const double> first, std::span<const double> second,
                                   double confidence = kConfidence);

}  // namespace anml

// How long the warm-up of an experiment's runs has to be: by MSER-5 (experiment/statistics/mser.h), of pilot runs; and whether the
// one that they had was long enough.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/outcome.h"

namespace anml {

// Of each combination, whose series are averaged: a single one's truncation is chance to a good part (Hoad, Robinson
// and Davies, "Automating Warm-up Length Estimation", JORS 61(9), 2010).
inline constexpr std::size_t kPilotRuns = 3;

// What a run did over time.
struct Series {
    std::string name;
    double seconds = 0;                         // that a value is of
    std::vector<std::optional<double>> values;  // nothing: too little happened
};
// Values of the same place averaged, of those that are there. Equal names, and as many values as the shortest has.
Series averaged(const std::vector<Series>& all);

struct Transient {
    double seconds = 0;
    bool settled = true;  // false: the run is too short to tell, or nothing is ever steady
};
// By MSER-5; of fewer than 100 values by MSER of the values themselves. A minimum in the second half is taken for
// chance, and that of the first half holds, where the second quarter is as the second half. Nothing: it has too few
// values, or more than a fifth of them are missing.
std::optional<Transient> transient_of(const Series& series);

// The combinations that are piloted: the first and the last level of factors that are numbers, all of others, and the
// ends of a search; of factors of too many combinations each alone beside the others' first levels.
std::vector<Settings> pilot_points(const ExperimentInfo& info);

// Of pilot runs, each combination's one after the other. Where a measure has too little in a part, seconds of all
// workloads speak for it.
FoundWarmup find_warmup(const ExperimentRequest& request, const std::vector<EndedRun>& pilots);

// Of simulated repetitions, three at least: for each combination whose figures a transient behind the warm-up has
// moved, a sentence. It has where the mean behind the warm-up is another than that behind MSER's truncation, with 99 %
// for all that is tried together, by more than 1 %. Models with a timeline have no steady state, and none is looked
// for.
std::vector<std::string> late_transients(const ExperimentRequest& request, const std::vector<PointOutcome>& points,
                                         const std::vector<EndedRun>& runs);

}  // namespace anml

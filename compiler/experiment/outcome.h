// What an experiment came to: a point for each combination of levels, and where its searches ended.
#pragma once

#include <string>
#include <vector>

#include "experiment/interval.h"
#include "experiment/runner.h"
#include "experiment/search.h"

namespace anml {

struct PointOutcome {
    Settings settings;
    std::size_t runs = 0, failed = 0, met = 0;  // repetitions; without an end; that met all thresholds
    std::vector<std::vector<double>> values;    // by measure, of those that have it
};

struct SearchOutcome {
    Settings settings;  // of the other factors
    Search::Outcome outcome{};
    std::string low, high;  // levels
    std::size_t runs = 0;
};

struct ExperimentOutcome {
    std::vector<PointOutcome> points;
    std::vector<SearchOutcome> searches;
};

PointOutcome point_of(const Settings& settings, const std::vector<const EndedRun*>& runs, std::size_t measures);

std::string described(const Settings& settings);  // "clients = 4, gap = 20 ms"
// For people, on standard output.
std::string show_outcome(const ExperimentRequest& request, const ExperimentOutcome& outcome);
// The files of the folder.
nlohmann::ordered_json summary_json(const ExperimentRequest& request, const ExperimentOutcome& outcome);
std::string runs_csv(const ExperimentRequest& request, const std::vector<EndedRun>& runs);

}  // namespace anml

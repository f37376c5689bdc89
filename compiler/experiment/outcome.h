// What an experiment came to: a point for each combination of levels, and where its searches ended.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiment/runner.h"
#include "experiment/statistics/interval.h"
#include "experiment/statistics/search.h"

namespace anml {

// Of a measure at a point.
struct Estimate {
    std::vector<double> values;            // of the runs that have one
    std::vector<std::size_t> repetitions;  // which those are
    std::optional<double> mean;            // of them
    Interval interval;                     // around it, where there is one
    std::size_t batches = 0;               // that it comes from; 0: from the values
    std::string missing;                   // why there is none: "one run"
};

struct PointOutcome {
    Settings settings;
    std::size_t runs = 0, failed = 0, met = 0;  // repetitions; without an end; that met all thresholds
    bool judged = true;                         // false: of runs too little was measured to tell
    bool asked = false;                         // something is required, or a run has failed
    std::vector<Estimate> measures;
};

struct SearchStep {
    std::string level;
    double value = 0;  // canonical
    bool holds = false;
    bool judged = true;    // false: too little was measured to tell
    std::size_t runs = 0;  // that said so
};

struct SearchOutcome {
    Settings settings;  // of the other factors
    Search::Outcome outcome{};
    std::string low, high;  // levels
    std::size_t runs = 0;
    std::vector<SearchStep> steps;
    bool failed = false;  // no run at its lower end came to an end, and so it came to nothing
    bool unjudged() const { return !steps.empty() && !steps.back().judged; }  // and that ended it
};

// The warm-up that pilot runs found: the longest of those of all measures and combinations that settle.
struct FoundWarmup {
    double seconds = 0;
    std::string by;  // the measure that decided
    Settings at;
    struct Unsettled {
        Settings settings;
        std::string measure;
    };
    std::vector<Unsettled> unsettled;
    double pilot_seconds = 0;   // that each pilot run lasts
    std::vector<double> alone;  // s that the pilot runs of `at` say of `by`, each by itself
    std::size_t pilots = 0;     // in all
    bool is_late() const { return seconds > kLateShare * pilot_seconds; }
    // Of a pilot run, behind which what is found is not to be relied on. MSER's minimum in the second half says nothing
    // at all (Hoad, Robinson and Davies); between a third and a half little is left that it could be told from.
    static constexpr double kLateShare = 1.0 / 3;
    std::string wrong;  // why there is none; "": there is
};

// Runs whose beginnings were simulated once for several of them.
struct SharedBeginnings {
    std::size_t runs = 0;
    double least = 0, most = 0;  // simulated s, of each of them
};
SharedBeginnings shared_beginnings(const std::vector<EndedRun>& runs);

struct ExperimentOutcome {
    std::vector<PointOutcome> points;
    std::vector<SearchOutcome> searches;
    std::vector<Settings> skipped;  // behind levels that ended a sweep
    std::size_t missing = 0;        // combinations that nobody got to, for want of time or behind a run that failed
    bool out_of_time = false;
    std::optional<FoundWarmup> warmup;
    std::vector<std::string> notes;  // what whoever reads the figures should know
    SharedBeginnings shared;         // of all runs
    bool left = false;               // they were handed to others, and have not ended
    bool interrupted = false;
};

PointOutcome point_of(const ExperimentRequest& request, const Settings& settings,
                      const std::vector<const EndedRun*>& runs);

std::string described(const Settings& settings);  // "clients = 4, gap = 20 ms"
// Which measure is the furthest from the precision, where all repetitions were not enough; "": none is.
std::string imprecise(const ExperimentRequest& request, const PointOutcome& point);
std::string warmup_text(const FoundWarmup& found);  // "4.5 s, found by MSER-5 ..."
// "10 of 12 runs shared the beginning up to 80 s ..."; "": none did.
std::string shared_text(const SharedBeginnings& shared, std::size_t runs);
std::string interval_method(const ExperimentRequest& request);
// For people, on standard output.
std::string show_outcome(const ExperimentRequest& request, const ExperimentOutcome& outcome);
// The files of the folder.
nlohmann::ordered_json summary_json(const ExperimentRequest& request, const ExperimentOutcome& outcome,
                                    const std::vector<EndedRun>& runs);
nlohmann::ordered_json warmup_json(const FoundWarmup& found);
// What the levels change, a line for each difference; "": there is none.
std::string differences_csv(const ExperimentRequest& request, const ExperimentOutcome& outcome);
std::string runs_csv(const ExperimentRequest& request, const std::vector<EndedRun>& runs);

}  // namespace anml

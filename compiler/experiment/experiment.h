// anmlc experiment: runs a model for all combinations of its factors' levels, or searches for the value at which it no
// longer does what is required, and says what came of it.
//
// The folder of an experiment:
//   experiment.json   what it is of: factors, repetitions, seed, versions, machine
//   model/            the sources as they were
//   emulators/N       an executable for each combination that is compiled
//   runs/NAME/        of each run: manifest.json, results.json, log
//   launch/           of runs that others run: what they are given, and what they said
//   runs.csv          a line per run
//   summary.json      means with their 95 % confidence intervals (docs/experiment.schema.json)
// A run whose manifest says that it has ended, with the same emulator, is not run again. One experiment at a time runs
// in a folder.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "elaborate/network.h"
#include "experiment/launch/launch_request.h"
#include "source/source_set.h"

namespace anml {

struct ExperimentRequest {
    std::string name;
    std::string about;  // what its `///` says
    ExperimentInfo info;
    std::vector<std::string> measures;   // "p99(browse)"
    std::vector<Dimension> dimensions;   // of them; of a ratio none
    std::vector<bool> sums;              // whether it is that of all parts of a run together: `completed`
    std::vector<std::string> compiling;  // the command that compiles it, but for -D of its factors and -o
    std::string folder;
    std::string version;
    unsigned jobs = 1;
    std::vector<std::string> defines;  // "clients=4": what the command line says besides
    std::optional<double> duration;    // s, of a live run, as far as it is known beforehand
    bool quiet = false;                // says nothing of how far it is
    bool dry_run = false;              // only says what it would run
    bool fresh = false;                // runs that are there already are run again
    bool sharing = false;              // runs may have a beginning in common that is simulated once
    LaunchRequest launch;              // of simulated runs
};

struct ExperimentEnd {
    int status = 0;           // exit status: 99 where a sweep does not meet what is required, or a search finds nothing
                              // that does; 1 after an error; 130 where it was interrupted
    bool summarized = false;  // the folder has a summary of these runs
};
// Prints what is found on standard output, and how far it is on standard error.
ExperimentEnd run_experiment(const ExperimentRequest& request, const SourceSet& sources);

// anmlc rerun: the run of that folder again, and what differs. The exit status: 1 where it is not what it was.
int rerun(const std::string& folder);

}  // namespace anml

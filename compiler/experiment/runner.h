// Runs what an experiment asks for, beside each other as far as that is allowed, and keeps what came of it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/run_folder.h"

namespace anml {

struct EndedRun {
    RunSpec spec;
    RunOutcome outcome;
};

class Runner {
  public:
    Runner(const ExperimentRequest& request, std::size_t expected) : request_(request), expected_(expected) {}

    // All repetitions [first, last] of these combinations. False: it cannot go on, and has said why, or was
    // interrupted.
    bool run(const std::vector<Settings>& points, std::size_t first, std::size_t last);

    const std::vector<EndedRun>& runs() const { return runs_; }
    std::vector<const EndedRun*> runs_of(const Settings& settings) const;
    void expect(std::size_t runs) { expected_ = runs; }  // in all
    static bool interrupted();
    void clear_line();

  private:
    bool compile(const std::vector<Settings>& points);
    Settings compiled(const Settings& settings) const;
    RunSpec spec(const Settings& settings, std::size_t repetition) const;
    void ended(EndedRun run);
    std::string how_far() const;
    void progress(const std::string& text);  // on a terminal; "": how far it is
    const FactorInfo& factor(const std::string& name) const;

    const ExperimentRequest& request_;
    std::map<Settings, std::string> emulators_, hashes_;
    std::map<Settings, std::vector<std::string>> compilations_;
    std::vector<EndedRun> runs_;
    std::size_t expected_, afresh_ = 0;
    double seconds_ = 0;  // that those took
};

}  // namespace anml

// Runs what an experiment asks for, beside each other as far as that is allowed, and keeps what came of it.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/launch/launcher.h"
#include "experiment/progress.h"
#include "experiment/run_folder.h"

namespace anml {

inline constexpr unsigned kPilotParts = 200;

struct EndedRun {
    RunSpec spec;
    RunOutcome outcome;
};

class Runner {
  public:
    explicit Runner(const ExperimentRequest& request);

    // All repetitions [first, last] of these combinations. False: it cannot go on, and has said why, was interrupted,
    // or has no more time.
    bool run(const std::vector<Settings>& points, std::size_t first, std::size_t last);

    // So many runs of each of these without a warm-up, in as many parts as kPilotParts, with seeds that no repetition
    // has. In `pilots/` of the folder.
    bool pilot(const std::vector<Settings>& points, std::size_t count, std::vector<EndedRun>& into);
    void set_warmup(const std::string& time) { warmup_ = time; }  // of all runs from now on

    const std::vector<EndedRun>& runs() const { return runs_; }
    std::vector<const EndedRun*> runs_of(const Settings& settings) const;
    void expect(std::size_t runs) { progress_.expect(runs + pilots_); }  // in all
    static bool interrupted();
    bool out_of_time() const { return out_of_time_; }
    void clear_line() const { progress_.clear(); }
    // Why runs are missing that were handed over, or are to be run by others; "": none are. And the exit status of
    // that.
    const std::string& left() const { return left_; }
    int left_status() const { return left_status_; }

  private:
    bool run_all(const std::vector<RunSpec>& specs, std::vector<EndedRun>& into);
    bool compile(const std::vector<Settings>& points);
    Settings compiled(const Settings& settings) const;
    RunSpec spec(const Settings& settings, std::size_t repetition, bool pilot = false) const;
    unsigned beside() const { return request_.info.live ? 1 : std::max(1u, request_.jobs); }
    std::string folder_of(const RunSpec& run) const;
    void tell_failure(const EndedRun& run) const;
    // Where others run them: runner_elsewhere.cpp.
    bool run_elsewhere(const std::vector<RunSpec>& specs);
    bool prepare(const std::vector<const RunSpec*>& missing, std::vector<LaunchedRun>& runs);
    bool plan(const std::vector<const RunSpec*>& missing);
    bool submit(std::vector<const RunSpec*> missing);
    bool take_if_ended(const RunSpec& spec, bool failed_too);
    void take_ended(std::vector<const RunSpec*>& missing);
    bool in_time();  // to begin another run
    std::string make_folder(const RunSpec& spec) const;
    // False: it cannot write, and has said so.
    bool end(const RunSpec& spec, int status, double seconds, std::vector<EndedRun>& into);
    const FactorInfo& factor(const std::string& name) const;

    const ExperimentRequest& request_;
    std::map<Settings, std::string> emulators_, hashes_;
    std::map<Settings, std::vector<std::string>> compilations_;
    std::vector<EndedRun> runs_;
    std::size_t pilots_ = 0;
    std::string warmup_;  // "": the model's
    Progress progress_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    bool out_of_time_ = false;
    std::unique_ptr<Launcher> launcher_;
    std::string left_;
    int left_status_ = 0;
};

}  // namespace anml

// Hands runs to what runs them: Slurm, GNU parallel, or a plan on paper.
//
// The folder of an experiment stays the truth. A run that is handed over has in runs/NAME/:
//   prepared   its manifest, but for what comes of it
//   command    a shell's: the emulator with its arguments; "$1" is where results go
// and launch/run.sh, a shell script, runs it and writes manifest.json in the end. It needs the folder, no anmlc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/run_folder.h"

namespace anml {

struct LaunchedRun {
    std::string name;      // its folder below runs/
    std::string emulator;  // "emulators/1", relative to the folder
};

class Launcher {
  public:
    virtual ~Launcher() = default;

    // Names of runs that an earlier process has submitted, and that may still run or begin.
    virtual std::vector<std::string> under_way() { return {}; }
    // "": these runs begin as soon as there is room; else why not.
    virtual std::string submit(const std::vector<LaunchedRun>& runs) = 0;
    // What a person reads of what was submitted: "as job 12".
    virtual std::string said() const = 0;
    // Whether any of these runs, which have not ended, may still run or begin.
    virtual bool working(const std::vector<std::string>& missing) = 0;
    // What is known of them since, in a person's words: "2 RUNNING, 9 PENDING: Resources"; "": nothing.
    virtual std::string states() const { return ""; }
    // Whether somebody has cancelled it before it began.
    virtual bool was_cancelled(const std::string& run) const { return run.empty(); }
    // Where more is said of it, in a person's words: "`squeue --jobs=12`".
    virtual std::string more() const = 0;
    // The last lines that were printed while this run was tried, "" where nothing was.
    virtual std::string last_words(const std::string& run) const = 0;
    // "", or what is not cancelled and why.
    virtual std::string begin_no_more() = 0;  // what runs goes on
    virtual std::string cancel() = 0;
    virtual void finish() {}  // all runs have ended: what it leaves to write and to remove
};

// Before anything is compiled: whether the programs are there that it needs, and take the arguments. "" or why not.
std::string try_slurm(const LaunchRequest& launch);
std::string try_parallel(const LaunchRequest& launch);

std::unique_ptr<Launcher> make_slurm(const ExperimentRequest& request);
std::unique_ptr<Launcher> make_parallel(const ExperimentRequest& request);

// The plan of these runs: launch/plan.jsonl, launch/Snakefile. "": written; else why not.
std::string write_plan(const std::string& folder, const std::vector<LaunchedRun>& runs);
// One of earlier is no longer true.
void remove_plan(const std::string& folder);

// launch/run.sh. "": written; else why not.
std::string write_run_script(const std::string& folder);
// What it needs of a run, in the run's folder; what another emulator or a failure left there goes. False: errno says
// why.
bool prepare_run(const std::string& folder, const RunSpec& spec, LaunchedRun& run);

double seconds_now();  // of a clock that nobody sets

std::string shell_word(const std::string& word);  // quoted
// A free name for files of a submission: "FOLDER/launch/3".
std::string next_submission(const std::string& folder);
// The command has run, and `said` is what it printed: its exit status, -1 where it does not begin. The folder is that
// of the experiment.
int run_tool(const std::vector<std::string>& command, const std::string& folder, std::string& said);
// What whoever has the run wrote last into its claim, where it writes something else every few seconds; "": nobody has.
std::string sign_of_life(const std::string& folder, const std::string& run);
// The last lines of what is written in the file, as many as a person reads; "" of none.
std::string last_lines_of(const std::string& path);
std::string without_end(std::string text);  // without line ends there
// "a, b, c and 9 more".
std::string first_of(const std::vector<std::string>& names);

}  // namespace anml

// What `simulate` and `live` share: the model with its tunables, the window, capture files, and the results at the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "entry/options/change_syntax.h"
#include "entry/options/options.h"
#include "io/capture/capture.h"
#include "io/capture/connection_file.h"
#include "net/model.h"
#include "report/figures.h"
#include "simulator/simulator.h"

namespace anml::rt {
struct Statistics;
}

namespace anml::rt::entry {

// Who simulates the nodes that send what some links carry, and so can capture it.
struct Senders {
    bool here = false;
    std::optional<std::uint32_t> elsewhere;  // a process of a divided run

    std::string why_not_here() const;
};

class Run {
  public:
    // nullopt-like: null and `error` (with the exit code) when the options don't fit the model or a file cannot be
    // written.
    static std::unique_ptr<Run> prepare(const abi::Image& image, const Options& options,
                                        const std::vector<std::string>& command_line, Ending& error);

    const Model& model() const { return model_; }
    // Between processes: rows as Image::task_rows, of which process `own` is this one.
    void divide(std::vector<abi::TaskRow> rows, std::uint32_t processes, std::uint32_t own)
    {
        model_.divide(std::move(rows), processes);
        own_ = own;
    }
    Senders senders(const std::vector<LinkId>& links) const;
    const Options& options() const { return options_; }
    Time duration() const { return duration_; }
    Time warmup() const { return info_.warmup; }  // that is excluded from the figures
    RunInfo& info() { return info_; }
    const std::vector<RunInfo::Parameter>& parameters() const { return info_.parameters; }
    // Of --changes, in the order of time.
    const std::vector<WordedChange>& changes() const { return worded_; }
    const std::vector<EnteredChange>& entered() const { return entered_; }
    // What may be changed while it runs, behind those.
    ChangeReader& reader() { return reader_; }

    // Goes on as another run of the same image, which has been the same so far: with its tunables, options and files.
    void become(const Run& other);

    // Opens the capture files and watches their links, and opens the file of connections where this process writes it.
    // `epoch`: wall time of simulated time 0, ns; 0: none.
    bool start_captures(Simulator& simulator, Time epoch, std::string& error);

    // Of several processes that simulate, before start_captures(): whether this one writes the file of connections.
    void writes_connections(bool writes) { writes_connections_ = writes; }
    io::ConnectionFile* connections() { return connections_.get(); }  // null: none is written here
    // Writes those that are open, too; finish() and fail() do it. `failed`: the run has. False: it has said why not.
    bool close_connections(Simulator& simulator, bool failed);

    // The run could not be carried out: says so, in the results too. The process's exit code.
    int fail(Simulator& simulator, const std::string& error);

    // Closes the captures, prints the summary, writes the results. The process's exit code.
    int finish(Simulator& simulator);

  private:
    Run(const abi::Image& image, std::vector<double> tunables, const Options& options);
    bool read_changes(std::string& error);
    int check(std::string& error) const;  // kExitOk, or the status and the reason why the run cannot start
    std::string why_not_replayed(const io::Attachment& attached, const std::vector<std::string>& written) const;
    std::string workload_that_asks(NodeId node) const;
    bool close_captures(Time end);
    bool write_results(const Statistics& statistics, const Figures& figures) const;

    Model model_;
    std::uint32_t own_ = 0;  // process, of a divided run
    Options options_;
    RunInfo info_;
    Time duration_ = 0;
    ChangeReader reader_;
    std::vector<WordedChange> worded_;
    std::vector<EnteredChange> entered_;
    std::vector<std::unique_ptr<io::CaptureFile>> captures_;
    std::unique_ptr<io::ConnectionFile> connections_;
    bool writes_connections_ = true;
};

struct MpiRun;  // mpi_run.h

// The two commands. Both print, and return the process's exit code. `mpi_run`: with other processes, of which rank 0
// does so.
int run_simulate(Run& run, MpiRun* mpi_run = nullptr);
int run_live(Run& run);

}  // namespace anml::rt::entry

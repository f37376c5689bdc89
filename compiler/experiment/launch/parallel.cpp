// GNU parallel: on this machine, or by ssh on others.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "base/process.h"
#include "commandline/whole_file.h"
#include "experiment/launch/launcher.h"
#include "experiment/workers.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

class Parallel : public Launcher {
  public:
    explicit Parallel(const ExperimentRequest& request) : request_(request) {}
    ~Parallel() override
    {
        if (workers_.running() > 0) cancel();
        finish();
    }

    std::string submit(const std::vector<LaunchedRun>& runs) override
    {
        const std::string path = next_submission(request_.folder), number = fs::path(path).filename().string();
        std::string names;
        std::set<std::string> emulators;
        for (const LaunchedRun& run : runs) names += run.name + "\n", emulators.insert(run.emulator);
        if (!commandline::write_whole(path + ".names", names))
            return fmt::format("cannot write `{}.names`: {}", path, std::strerror(errno));
        const LaunchRequest& launch = request_.launch;
        const std::string here = fs::absolute(request_.folder).lexically_normal().string();
        std::vector<std::string> words{"sh", "-c", fmt::format("exec parallel {} \"$@\"", launch.arguments),
                                       "parallel"};
        if (launch.jobs > 0) words.push_back(fmt::format("--jobs={}", launch.jobs));
        words.insert(words.end(), {"--joblog", fmt::format("{}/launch/{}.joblog", here, number)});
        if (launch.copy_files) {
            // Each submission has a folder of its own there, which goes in the end. `/./`: paths below this one.
            char machine[256] = "";
            gethostname(machine, sizeof machine - 1);
            const std::string below = here + "/./";
            there_ = fmt::format("anml-{}-{}-{}", machine, getpid(), number);
            words.insert(words.end(), {"--workdir", there_, "--cleanup", "--basefile", below + "launch/run.sh"});
            for (const std::string& emulator : emulators) words.insert(words.end(), {"--basefile", below + emulator});
            for (const char* name : {"prepared", "command"})
                words.insert(words.end(), {"--transferfile", fmt::format("{}runs/{{}}/{}", below, name)});
            for (const char* name : {"results.json", "log", "manifest.json"})  // the last one says that all are there
                words.insert(words.end(), {"--return", fmt::format("{}runs/{{}}/{}", below, name)});
        } else {
            words.insert(words.end(), {"--workdir", here});
        }
        words.insert(words.end(),
                     {"--arg-file", fmt::format("{}/launch/{}.names", here, number), "sh", "launch/run.sh", "{}"});
        log_ = fmt::format("{}/launch/{}.log", request_.folder, number);
        const std::string wrong = workers_.start(0, words, log_);
        return wrong.empty() ? "" : fmt::format("cannot begin parallel: {}", wrong);
    }

    std::string said() const override { return "to GNU parallel, which writes " + log_; }
    bool working(const std::vector<std::string>&) override
    {
        workers_.wait(0);
        return workers_.running() > 0;
    }
    std::string more() const override { return log_; }
    std::string last_words(const std::string&) const override { return last_lines_of(log_); }
    std::string begin_no_more() override { return workers_.signal(0, SIGHUP), ""; }
    std::string cancel() override { return workers_.signal(0, SIGTERM), ""; }
    void finish() override
    {
        constexpr int kLongest = 60'000;  // ms
        workers_.wait(kLongest);
        remove_copies();
    }

  private:
    // GNU parallel removes the files that it brought, and leaves the folders.
    void remove_copies()
    {
        if (there_.empty()) return;
        std::string ignored;
        run_tool({"sh", "-c", fmt::format("exec parallel {} \"$@\"", request_.launch.arguments), "parallel", "--nonall",
                  "rm", "-rf", there_},
                 request_.folder, ignored);
        there_.clear();
    }

    const ExperimentRequest& request_;
    std::string log_, there_;  // there_: the folder of copies on the other hosts, "": none
    Workers workers_;
};

}  // namespace

std::string try_parallel(const LaunchRequest& launch)
{
    const std::string program = find_program("parallel");
    const ProcessResult version = program.empty() ? ProcessResult{} : run_process({program, "--version"});
    if (program.empty()) return "--launcher=parallel: GNU parallel is not there: no `parallel` on the PATH";
    if (version.exit_code != 0 || !version.output.starts_with("GNU parallel"))
        return fmt::format("--launcher=parallel: GNU parallel is not there: `{} --version` says: {}", program,
                           version.output);
    if (launch.arguments.empty()) return "";
    // Once on each host, here where none is named: options that it does not know, hosts that do not answer.
    ProcessResult tried =
        run_process({"/bin/sh", "-c", fmt::format("exec parallel {} --nonall true", launch.arguments)});
    if (tried.exit_code == 0) return "";
    if (const auto usage = tried.output.find("Usage:\n"); usage != std::string::npos) tried.output.resize(usage);
    return fmt::format("--launcher-args: `parallel {} --nonall true` says:\n{}", launch.arguments,
                       without_end(tried.output));
}

std::unique_ptr<Launcher> make_parallel(const ExperimentRequest& request)
{
    return std::make_unique<Parallel>(request);
}

}  // namespace anml

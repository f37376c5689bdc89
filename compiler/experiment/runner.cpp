#include "experiment/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/read_file.h"
#include "commandline/streams.h"
#include "experiment/interrupts.h"
#include "experiment/workers.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

std::string last_lines(const std::string& log)
{
    std::string text;
    read_file(log, std::size_t{1} << 20, Readable::files, text);
    constexpr std::size_t kShown = 2000;
    return text.size() > kShown ? "...\n" + text.substr(text.size() - kShown) : text;
}

}  // namespace

Runner::Runner(const ExperimentRequest& request)
    : request_(request),
      progress_(request.name,
                request.info.live            ? 1
                : request.launch.elsewhere() ? 0
                                             : request.jobs,
                request.duration, request.quiet)
{
}

bool Runner::interrupted() { return Interrupts::seen() != 0; }

bool Runner::in_time()
{
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    out_of_time_ |= request_.info.within > 0 && seconds > request_.info.within / 1e9;
    return !out_of_time_;
}

std::string Runner::folder_of(const RunSpec& run) const
{
    return fmt::format("{}/runs/{}", request_.folder, run_name(run.settings, run.repetition));
}

void Runner::tell_failure(const EndedRun& run) const
{
    clear_line();
    commandline::say(fmt::format("anmlc: the run in `{}` failed with status {}:\n{}", folder_of(run.spec),
                                 run.outcome.status, last_lines(folder_of(run.spec) + "/log")));
}

const FactorInfo& Runner::factor(const std::string& name) const
{
    return *std::find_if(request_.info.factors.begin(), request_.info.factors.end(),
                         [&](const FactorInfo& f) { return f.name == name; });
}

// Of them, those that are compiled.
Settings Runner::compiled(const Settings& settings) const
{
    Settings result;
    for (const auto& setting : settings)
        if (const FactorInfo& f = factor(setting.first); !f.tunable && !f.attribute) result.push_back(setting);
    return result;
}

bool Runner::compile(const std::vector<Settings>& points)
{
    std::vector<Settings> missing;
    for (const Settings& point : points)
        if (const Settings own = compiled(point); !emulators_.contains(own)) {
            const std::string path = fmt::format("{}/emulators/{}", request_.folder, emulators_.size() + 1);
            std::vector<std::string> command = request_.compiling;
            for (const auto& [name, level] : own) {
                command.push_back("-D");
                command.push_back(fmt::format("{}={}", name, level));
            }
            command.insert(command.end(), {"-o", path});
            compilations_[own] = command;
            emulators_[own] = path;
            missing.push_back(own);
        }
    Workers workers;
    if (!missing.empty())
        progress_.tell(fmt::format("compiling {} {}", missing.size(), missing.size() == 1 ? "emulator" : "emulators"));
    std::size_t next = 0, done = 0;
    while (done < missing.size() && !interrupted()) {
        while (next < missing.size() && workers.running() < std::max(1u, request_.jobs)) {
            const std::string& path = emulators_[missing[next]];
            std::vector<std::string> command = compilations_[missing[next]];
            command.back() += ".new";
            const std::string error = workers.start(next, command, path + ".log");
            if (!error.empty()) return commandline::say(fmt::format("anmlc: cannot compile: {}\n", error)), false;
            ++next;
        }
        progress_.show(fmt::format("compiling {} of {}", done + 1, missing.size()));
        const auto ended = workers.wait(500);
        if (!ended) continue;
        ++done;
        const std::string& path = emulators_[missing[ended->id]];
        const std::string log = path + ".log";
        if (ended->status != 0) {
            clear_line();
            return commandline::say(last_lines(log)), false;
        }
        // One that is the same stays: runs of it may go on, on other machines, too.
        std::string bytes, before;
        read_file(path + ".new", std::size_t{1} << 30, Readable::files, bytes);
        read_file(path, std::size_t{1} << 30, Readable::files, before);
        hashes_[missing[ended->id]] = hash_of(bytes);
        std::error_code error, ignored;
        bytes == before ? static_cast<void>(fs::remove(path + ".new", error)) : fs::rename(path + ".new", path, error);
        if (error) return commandline::say(fmt::format("anmlc: cannot write `{}`: {}\n", path, error.message())), false;
        if (fs::file_size(log, ignored) == 0) fs::remove(log, ignored);
    }
    return !interrupted();
}

RunSpec Runner::spec(const Settings& settings, std::size_t repetition) const
{
    const ExperimentInfo& info = request_.info;
    RunSpec run;
    run.settings = settings;
    run.repetition = repetition;
    run.seed = info.seed + repetition - 1;
    const Settings own = compiled(settings);
    run.emulator = emulators_.at(own);
    run.emulator_hash = hashes_.at(own);
    run.compile = compilations_.at(own);
    run.command = {run.emulator, info.live ? "live" : "simulate", "--seed", std::to_string(run.seed)};
    if (!info.live) run.command.insert(run.command.end(), {"--threads", "1"});
    if (info.batches > 0) run.command.insert(run.command.end(), {"--batches", std::to_string(info.batches)});
    std::string server = info.server;
    for (const auto& [name, level] : settings) {
        if (factor(name).tunable) {
            run.command.push_back("--set");
            run.command.push_back(fmt::format("{}={}", name, level));
        } else if (factor(name).attribute) {
            server = level;
        }
    }
    if (info.live) run.command.insert(run.command.end(), {"--sandbox", "--", "sh", "-c", server});
    return run;
}

// With the results' path before what follows `--`.
static std::vector<std::string> with_results(std::vector<std::string> command, const std::string& results)
{
    const auto place = std::find(command.begin(), command.end(), "--sandbox");
    command.insert(place, {"--results", results});
    return command;
}

bool Runner::run(const std::vector<Settings>& points, std::size_t first, std::size_t last)
{
    const Interrupts noted;
    if (!compile(points)) return false;
    std::vector<RunSpec> specs;
    for (std::size_t repetition = first; repetition <= last; ++repetition)
        for (const Settings& point : points) specs.push_back(spec(point, repetition));
    if (request_.launch.elsewhere()) return run_elsewhere(specs);
    Workers workers;
    std::size_t next = 0;
    const auto look = [&] {
        std::vector<Progress::Under> running;
        for (const auto& [id, seconds] : workers.under_way()) running.push_back({&specs[id].settings, seconds});
        std::vector<const Settings*> waiting;
        for (std::size_t i = next; i < specs.size(); ++i) waiting.push_back(&specs[i].settings);
        progress_.set_under_way(std::move(running), std::move(waiting));
    };
    const auto ended = [&](EndedRun run, std::optional<double> seconds) {
        progress_.ended(run.spec.settings, seconds);
        runs_.push_back(std::move(run));
    };
    while (((next < specs.size() && !out_of_time_) || workers.running() > 0) && !interrupted()) {
        while (next < specs.size() && workers.running() < beside()) {
            const RunSpec& spec = specs[next];
            const std::string folder = folder_of(spec);
            if (auto before = request_.fresh ? std::nullopt : read_run(folder, manifest_of(spec), request_.measures)) {
                ended({spec, std::move(*before)}, std::nullopt);
                ++next;
                continue;
            }
            if (!in_time()) break;
            std::error_code error;
            fs::remove_all(folder, error);
            fs::create_directories(folder, error);
            std::string wrong = error ? error.message() : "";
            if (wrong.empty())
                wrong = workers.start(next, with_results(spec.command, folder + "/results.json"), folder + "/log");
            if (!wrong.empty())
                return commandline::say(fmt::format("anmlc: cannot run in `{}`: {}\n", folder, wrong)), false;
            ++next;
        }
        look();
        progress_.show();
        const auto done = workers.wait(500);
        if (!done) continue;
        const RunSpec& spec = specs[done->id];
        EndedRun run{spec, read_outcome(folder_of(spec), done->status, request_.measures)};
        run.outcome.seconds = done->seconds;
        if (interrupted()) break;
        auto manifest = manifest_of(spec);
        manifest["status"] = done->status;
        manifest["seconds"] = done->seconds;
        manifest["folder"] = fs::current_path().string();
        if (!write_json(folder_of(spec) + "/manifest.json", manifest))
            return commandline::say(fmt::format("anmlc: cannot write in `{}`\n", folder_of(spec))), false;
        if (!run.outcome.good()) tell_failure(run);
        ended(std::move(run), done->seconds);
        look();
        progress_.tell();
    }
    progress_.set_under_way({}, {});
    return !interrupted() && !out_of_time_;
}

std::vector<const EndedRun*> Runner::runs_of(const Settings& settings) const
{
    std::vector<const EndedRun*> result;
    for (const EndedRun& run : runs_)
        if (run.spec.settings == settings) result.push_back(&run);
    std::sort(result.begin(), result.end(),
              [](const EndedRun* a, const EndedRun* b) { return a->spec.repetition < b->spec.repetition; });
    return result;
}

}  // namespace anml

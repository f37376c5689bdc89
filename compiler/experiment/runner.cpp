#include "experiment/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/files/read_file.h"
#include "commandline/streams.h"
#include "experiment/emulator_cache.h"
#include "experiment/interrupts.h"
#include "experiment/shared_runs.h"
#include "experiment/status_text.h"
#include "experiment/workers.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRepetitions = 1000;  // std.Experiment

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

void Runner::tell_failure(const EndedRun& run) const
{
    clear_line();
    commandline::say(fmt::format("anmlc: the run in `{}` {}:\n{}", folder_of(run.spec), status_text(run.outcome.status),
                                 last_lines(folder_of(run.spec) + "/log")));
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
            if (const auto hash = request_.fresh ? std::nullopt : cached_emulator(path, command))
                hashes_[own] = *hash;
            else
                missing.push_back(own);
        }
    Workers workers;
    const auto begun = fs::file_time_type::clock::now();
    if (!missing.empty())
        progress_.tell(fmt::format("compiling {} {}", missing.size(), missing.size() == 1 ? "emulator" : "emulators"));
    std::size_t next = 0, done = 0;
    while (done < missing.size() && !interrupted()) {
        while (next < missing.size() && workers.running() < std::max(1u, request_.jobs)) {
            const std::string& path = emulators_[missing[next]];
            std::vector<std::string> command = compilations_[missing[next]];
            command.back() += ".new";
            command.insert(command.end(), {"-MD", "-MF", path + ".d"});
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
            std::string levels;
            for (const auto& [name, level] : missing[ended->id])
                levels += fmt::format("{}`{} = {}`", levels.empty() ? "" : ", ", name, level);
            std::string said = last_lines(log);
            if (!said.empty() && !levels.empty())
                said = fmt::format("anmlc: with {}, as `vary` has it:\n{}", levels, said);
            return commandline::say(said.empty() ? fmt::format("anmlc: the compilation of `{}` {}\n", path,
                                                               status_text(ended->status))
                                                 : said),
                   false;
        }
        // One that is the same stays: runs of it may go on, on other machines, too.
        std::string bytes, before;
        read_file(path + ".new", std::size_t{1} << 30, Readable::files, bytes);
        read_file(path, std::size_t{1} << 30, Readable::files, before);
        hashes_[missing[ended->id]] = hash_of(bytes);
        std::error_code error, ignored;
        bytes == before ? static_cast<void>(fs::remove(path + ".new", error)) : fs::rename(path + ".new", path, error);
        if (error) return commandline::say(fmt::format("anmlc: cannot write `{}`: {}\n", path, error.message())), false;
        std::string rule;
        read_file(path + ".d", std::size_t{1} << 24, Readable::files, rule);
        fs::remove(path + ".d", ignored);
        cache_emulator(path, compilations_[missing[ended->id]], begun, files_of_rule(rule),
                       hashes_[missing[ended->id]]);
        if (fs::file_size(log, ignored) == 0) fs::remove(log, ignored);
    }
    return !interrupted();
}

RunSpec Runner::spec(const Settings& settings, std::size_t repetition, bool pilot) const
{
    const ExperimentInfo& info = request_.info;
    RunSpec run;
    run.settings = settings;
    run.repetition = repetition;
    run.pilot = pilot;
    run.seed = info.seed + (pilot ? kMostRepetitions : 0) + repetition - 1;
    const Settings own = compiled(settings);
    run.emulator = emulators_.at(own);
    run.emulator_hash = hashes_.at(own);
    run.compile = compilations_.at(own);
    run.command = {run.emulator, info.live ? "live" : "simulate", "--seed", std::to_string(run.seed)};
    if (!info.live) run.command.insert(run.command.end(), {"--threads", "1"});
    const auto parts = pilot ? kPilotParts : info.batches;
    if (parts > 0) run.command.insert(run.command.end(), {"--batches", std::to_string(parts)});
    const std::string warmup = pilot ? "0s" : warmup_;
    if (!warmup.empty()) run.command.insert(run.command.end(), {"--warmup", warmup});
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

std::string Runner::folder_of(const RunSpec& spec) const { return run_folder(request_.folder, spec); }

// Empty, for the run. "" or why not.
std::string Runner::make_folder(const RunSpec& spec) const
{
    std::error_code error;
    fs::remove_all(folder_of(spec), error);
    fs::create_directories(folder_of(spec), error);
    return error ? error.message() : "";
}

bool Runner::end(const RunSpec& spec, int status, double seconds, std::vector<EndedRun>& into)
{
    EndedRun run{spec, read_outcome(folder_of(spec), status, request_.measures)};
    run.outcome.seconds = seconds;
    auto manifest = manifest_of(spec);
    manifest["status"] = status;
    manifest["seconds"] = seconds;
    manifest["folder"] = fs::current_path().string();
    if (!write_json(folder_of(spec) + "/manifest.json", manifest))
        return commandline::say(fmt::format("anmlc: cannot write in `{}`\n", folder_of(spec))), false;
    if (!run.outcome.good()) tell_failure(run);
    progress_.ended(spec.settings, seconds);
    into.push_back(std::move(run));
    return true;
}

bool Runner::run(const std::vector<Settings>& points, std::size_t first, std::size_t last)
{
    const Interrupts noted;
    if (!compile(points)) return false;
    std::vector<RunSpec> specs;
    for (std::size_t repetition = first; repetition <= last; ++repetition)
        for (const Settings& point : points) specs.push_back(spec(point, repetition));
    if (request_.launch.elsewhere()) return run_elsewhere(specs);
    return run_all(specs, runs_);
}

bool Runner::pilot(const std::vector<Settings>& points, std::size_t count, std::vector<EndedRun>& into)
{
    const Interrupts noted;
    if (!compile(points)) return false;
    std::vector<RunSpec> specs;
    for (const Settings& point : points)
        for (std::size_t i = 1; i <= count; ++i) specs.push_back(spec(point, i, true));
    pilots_ = specs.size();
    progress_.expect(pilots_);
    return run_all(specs, into);
}

bool Runner::run_all(const std::vector<RunSpec>& specs, std::vector<EndedRun>& into)
{
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        auto before =
            request_.fresh ? std::nullopt : read_run(folder_of(specs[i]), manifest_of(specs[i]), request_.measures);
        if (!before) {
            missing.push_back(i);
            continue;
        }
        progress_.ended(specs[i].settings, std::nullopt);
        into.push_back({specs[i], std::move(*before)});
    }
    // What a process runs: one of them, or several that may have a beginning in common. When those are to end by a
    // time, which of them have begun nobody knows.
    std::vector<std::vector<std::size_t>> units;
    if (request_.sharing && request_.info.within == 0)
        units = runs_together(specs, missing);
    else
        for (const std::size_t run : missing) units.push_back({run});
    const bool shared = std::any_of(units.begin(), units.end(), [](const auto& unit) { return unit.size() > 1; });
    const unsigned each =
        shared ? std::max(1u, beside() / static_cast<unsigned>(std::min<std::size_t>(units.size(), beside())))
               : 1;                              // runs at a time, of a process
    std::map<std::size_t, SharedRuns> together;  // by unit
    Workers workers;
    std::size_t next = 0;
    const auto look = [&] {
        std::vector<Progress::Under> running;
        std::vector<const Settings*> waiting;
        for (const auto& [unit, seconds] : workers.under_way()) {
            const auto group = together.find(unit);
            if (group == together.end()) {
                running.push_back({&specs[units[unit].front()].settings, seconds});
                continue;
            }
            for (std::size_t i = 0; i < group->second.left().size(); ++i) {
                const Settings& settings = specs[group->second.left()[i]].settings;
                if (i < each)
                    running.push_back({&settings, 0});
                else
                    waiting.push_back(&settings);
            }
        }
        for (std::size_t unit = next; unit < units.size(); ++unit)
            for (const std::size_t run : units[unit]) waiting.push_back(&specs[run].settings);
        progress_.set_under_way(std::move(running), std::move(waiting));
    };
    const auto start = [&](std::size_t unit) {
        const std::vector<std::size_t>& runs = units[unit];
        for (const std::size_t run : runs)
            if (const std::string wrong = make_folder(specs[run]); !wrong.empty()) return wrong;
        const RunSpec& spec = specs[runs.front()];
        const auto command = [&](const RunSpec& of) {
            return with_results(of.command, folder_of(of) + "/results.json");
        };
        if (runs.size() == 1) return workers.start(unit, command(spec), folder_of(spec) + "/log");
        SharedRuns& group = together.try_emplace(unit, request_.folder, unit, runs).first->second;
        std::vector<SharedRuns::Point> all;
        for (const std::size_t run : runs) all.push_back({command(specs[run]), folder_of(specs[run]) + "/log"});
        if (const std::string wrong = group.write(all); !wrong.empty()) return wrong;
        return workers.start(unit, group.command(spec.emulator, each), group.said());
    };
    const auto end_shared = [&] {
        for (auto& [unit, group] : together)
            for (const SharedRuns::Ended& ended : group.ended()) {
                if (!end(specs[ended.run], ended.status, ended.seconds, into)) return false;
                look();
                progress_.tell();
            }
        return true;
    };
    while (((next < units.size() && !out_of_time_) || workers.running() > 0) && !interrupted()) {
        while (next < units.size() && workers.running() < std::max(1u, beside() / each)) {
            if (!in_time()) break;
            if (const std::string wrong = start(next); !wrong.empty())
                return commandline::say(fmt::format("anmlc: cannot run in `{}`: {}\n",
                                                    folder_of(specs[units[next].front()]), wrong)),
                       false;
            ++next;
        }
        look();
        progress_.show();
        const auto done = workers.wait(500);
        if (interrupted()) break;
        if (!end_shared()) return false;
        if (!done) continue;
        if (const auto group = together.find(done->id); group != together.end()) {
            // Of which it said nothing, because it broke down: each for itself.
            for (const std::size_t run : group->second.left()) units.push_back({run});
            together.erase(group);
            continue;
        }
        if (!end(specs[units[done->id].front()], done->status, done->seconds, into)) return false;
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

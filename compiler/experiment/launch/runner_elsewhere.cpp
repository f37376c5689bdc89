// Runs that others run: handed over, waited for, and read when they have ended.
#include <fmt/format.h>
#include <linux/magic.h>
#include <poll.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>

#include "commandline/streams.h"
#include "experiment/interrupts.h"
#include "experiment/launch/launcher.h"
#include "experiment/launch/silence.h"
#include "experiment/runner.h"

namespace anml {

namespace fs = std::filesystem;

namespace {

constexpr int kFirstLook = 50, kLook = 500;  // ms between looks at the folder, at first and later

// Looks after the end: a file system of several machines shows late what has been written, a disk of this one at once.
int looks_after_end(const std::string& folder)
{
    constexpr int kOfSeveral = 40, kOfOne = 3;
    constexpr unsigned long kDisks[] = {BTRFS_SUPER_MAGIC,     EXT4_SUPER_MAGIC, F2FS_SUPER_MAGIC,
                                        OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC,      XFS_SUPER_MAGIC};
    struct statfs found {};
    if (statfs(folder.c_str(), &found) != 0) return kOfSeveral;
    const bool disk = std::find(std::begin(kDisks), std::end(kDisks), found.f_type) != std::end(kDisks);
    return disk ? kOfOne : kOfSeveral;
}

constexpr std::size_t kAsked = 100;  // runs that are missing, for what was said of one

bool complain(const std::string& what)
{
    commandline::say(fmt::format("anmlc: {}\n", what));
    return false;
}

std::vector<std::string> names_of(const std::vector<const RunSpec*>& specs)
{
    std::vector<std::string> names;
    for (const RunSpec* spec : specs) names.push_back(run_name(spec->settings, spec->repetition));
    return names;
}

std::string runs_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "run" : "runs"); }

}  // namespace

// Takes note of a run that has ended. False: it has not.
bool Runner::take_if_ended(const RunSpec& spec, bool failed_too)
{
    const std::string folder = folder_of(spec);
    const auto manifest = manifest_of(spec);
    std::error_code unread;
    fs::directory_iterator{folder, unread};  // opening it has NFS ask the server what is in it
    if (auto outcome = read_run(folder, manifest, request_.measures)) {
        progress_.ended(spec.settings, outcome->seconds);
        runs_.push_back({spec, std::move(*outcome)});
        // Of a process that was killed behind its end.
        std::error_code ignored;
        for (unsigned n = 1; fs::remove_all(fmt::format("{}/claim.{}", folder, n), ignored) + 1 > 1; ++n) {
        }
        return true;
    }
    if (!failed_too) return false;
    const auto ended = read_json(folder + "/manifest.json");
    if (!ended || !ended->is_object() || !ended->contains("status") || !(*ended)["status"].is_number_integer())
        return false;
    for (const auto& [key, value] : manifest.items())
        if (!ended->contains(key) || (*ended)[key] != value) return false;
    runs_.push_back({spec, read_outcome(folder, (*ended)["status"].get<int>(), request_.measures)});
    progress_.ended(spec.settings, std::nullopt);
    tell_failure(runs_.back());
    return true;
}

// Without those that have ended. Says how far it is where some have.
void Runner::take_ended(std::vector<const RunSpec*>& missing)
{
    const std::size_t before = missing.size();
    std::erase_if(missing, [&](const RunSpec* spec) { return take_if_ended(*spec, true); });
    std::vector<const Settings*> waiting;
    for (const RunSpec* spec : missing) waiting.push_back(&spec->settings);
    progress_.set_under_way({}, std::move(waiting));
    missing.size() < before ? progress_.tell() : progress_.show();
}

bool Runner::run_elsewhere(const std::vector<RunSpec>& specs)
{
    std::vector<const RunSpec*> missing;
    for (const RunSpec& spec : specs)
        if (!take_if_ended(spec, false)) missing.push_back(&spec);
    if (missing.empty()) return true;
    if (request_.launch.gather) {
        left_ = fmt::format("{} of {} {} ended: {}", missing.size(), runs_text(specs.size()),
                            missing.size() == 1 ? "has not" : "have not", first_of(names_of(missing)));
        left_status_ = 1;
        return false;
    }
    if (!in_time()) return false;
    if (const std::string wrong = write_run_script(request_.folder); !wrong.empty()) return complain(wrong);
    return request_.launch.by == Launching::plan ? plan(missing) : submit(missing);
}

bool Runner::prepare(const std::vector<const RunSpec*>& missing, std::vector<LaunchedRun>& runs)
{
    for (const RunSpec* spec : missing)
        if (!prepare_run(request_.folder, *spec, runs.emplace_back()))
            return complain(fmt::format("cannot write in `{}`: {}", folder_of(*spec), std::strerror(errno)));
    return true;
}

bool Runner::plan(const std::vector<const RunSpec*>& missing)
{
    std::vector<LaunchedRun> runs;
    if (!prepare(missing, runs)) return false;
    if (const std::string wrong = write_plan(request_.folder, runs); !wrong.empty()) return complain(wrong);
    const bool more = request_.info.precision || request_.info.stop > 0 ||
                      std::any_of(request_.info.factors.begin(), request_.info.factors.end(),
                                  [](const FactorInfo& factor) { return factor.levels.empty(); });
    left_ =
        fmt::format("{} planned in {}/launch/plan.jsonl: behind them the same command {}", runs_text(runs.size()),
                    request_.folder, more ? "plans those that follow from what they find" : "gathers what they find");
    return false;
}

// Each run once: what an earlier process has submitted, and is not there in the end, has died since, where nobody has
// cancelled it.
bool Runner::submit(std::vector<const RunSpec*> missing)
{
    if (!launcher_) launcher_ = request_.launch.by == Launching::slurm ? make_slurm(request_) : make_parallel(request_);
    const auto earlier = launcher_->under_way();
    const std::set<std::string> under_way(earlier.begin(), earlier.end());
    std::vector<const RunSpec*> mine, others;
    for (const RunSpec* spec : missing)
        (under_way.contains(run_name(spec->settings, spec->repetition)) ? others : mine).push_back(spec);
    const auto begin = [&](const std::vector<const RunSpec*>& some) {
        std::vector<LaunchedRun> runs;
        if (!prepare(some, runs)) return false;
        if (const std::string wrong = launcher_->submit(runs); !wrong.empty()) return complain(wrong);
        progress_.tell(fmt::format("{} submitted {}", runs_text(runs.size()), launcher_->said()));
        return true;
    };
    if (!mine.empty() && !begin(mine)) return false;
    if (!others.empty()) progress_.tell(fmt::format("{} submitted before", runs_text(others.size())));
    if (!request_.launch.wait) {
        left_ = fmt::format("{} submitted{}: the same command waits for them", runs_text(missing.size()),
                            mine.empty() ? " before" : " " + launcher_->said());
        return false;
    }
    const auto states = [&] {
        const std::string text = launcher_->states();
        return text.empty() ? text : fmt::format(" ({})", text);
    };
    const auto tell = [&](const std::string& wrong) {
        clear_line();
        if (!wrong.empty()) complain(wrong);
    };
    bool again = !others.empty(), late = false;
    const int looks_after = looks_after_end(request_.folder);
    int until_next = kFirstLook;
    Silence silence(seconds_now());
    for (int looks = 0; !missing.empty() && looks < looks_after;) {
        const bool working = launcher_->working(names_of(missing));  // asked first: what ends between the two is seen
        const std::size_t before = missing.size(), ran = runs_.size();
        take_ended(missing);
        if (missing.size() < before) {
            double longest = 0;
            for (std::size_t i = ran; i < runs_.size(); ++i) longest = std::max(longest, runs_[i].outcome.seconds);
            silence.broken(seconds_now(), longest);
        } else if (silence.is_due(seconds_now()) && !request_.quiet) {
            clear_line();
            commandline::say(fmt::format("{}: for {} no run has ended, and {} {} not, {}{}: {} may tell more\n",
                                         request_.name, duration_text(silence.lasts(seconds_now())),
                                         runs_text(missing.size()), missing.size() == 1 ? "has" : "have",
                                         first_of(names_of(missing)), states(), launcher_->more()));
        }
        if (interrupted()) return tell(launcher_->cancel()), false;
        if (missing.empty()) break;
        if (!in_time() && !late) tell(launcher_->begin_no_more()), late = true;
        looks = working ? 0 : looks + 1;
        if (looks == looks_after && again && !late) {
            again = false;
            std::vector<const RunSpec*> died;
            for (const RunSpec* spec : missing)
                if (const std::string name = run_name(spec->settings, spec->repetition);
                    under_way.contains(name) && !launcher_->was_cancelled(name))
                    died.push_back(spec);
            if (!died.empty() && !begin(died)) return false;
            if (!died.empty()) looks = 0;
        }
        poll(nullptr, 0, until_next);
        until_next = std::min(2 * until_next, kLook);
    }
    progress_.set_under_way({}, {});
    launcher_->finish();
    if (missing.empty()) return true;
    if (late) return false;
    clear_line();
    const std::vector<std::string> names = names_of(missing);
    std::string said;
    for (std::size_t i = 0; i < std::min(names.size(), kAsked) && said.empty(); ++i)
        said = launcher_->last_words(names[i]);
    left_ = fmt::format(
        "{} began and did not end, or never began, {}{}: what was said is in {}/launch. The same command goes on with "
        "what is missing",
        runs_text(missing.size()), first_of(names), states(), request_.folder);
    if (!said.empty()) left_ += fmt::format("; the last of it:\n{}", said);
    left_status_ = 1;
    return false;
}

}  // namespace anml

#include "experiment/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <tuple>

#include "commandline/streams.h"
#include "commandline/whole_file.h"
#include "experiment/experiment_folder.h"
#include "experiment/failures.h"
#include "experiment/launch/launcher.h"
#include "experiment/outcome.h"
#include "experiment/statistics/warmup.h"

namespace anml {

namespace {

constexpr std::size_t kMostPoints = 100'000;
// Before an interval ends them. Of three it is narrow by chance so often that 89 % of 95 hold the mean (decision 100).
constexpr std::size_t kFewestRepetitions = 5;

class Experiment {
  public:
    Experiment(const ExperimentRequest& request, const SourceSet& sources)
        : request_(request), sources_(sources), runner_(request)
    {
    }

    int run()
    {
        for (const FactorInfo& factor : request_.info.factors)
            if (factor.levels.empty()) searched_ = &factor;
        std::vector<Settings> points{{}};
        for (const FactorInfo& factor : request_.info.factors) {
            if (&factor == searched_) continue;
            std::vector<Settings> more;
            for (const Settings& point : points)
                for (const std::string& level : factor.levels) {
                    more.push_back(point);
                    more.back().emplace_back(factor.name, level);
                }
            points = std::move(more);
            if (points.size() > kMostPoints)
                return fail(fmt::format("there are more than {} combinations", kMostPoints));
        }
        if (request_.dry_run) return show_points(points), 0;
        if (const std::string wrong = impossible(); !wrong.empty()) return fail(wrong);
        if (const std::string wrong = folder_.begin(request_, sources_); !wrong.empty()) return fail(wrong);
        if (request_.launch.by == Launching::plan) remove_plan(request_.folder);
        if (request_.info.find_warmup)
            if (const int status = find_warmup_of_runs(); status != 0) return status;
        const bool done = searched_ ? searches(points) : sweep(points);
        note_what_matters();
        outcome_.out_of_time = runner_.out_of_time();
        outcome_.left = !runner_.left().empty();
        outcome_.interrupted = Runner::interrupted();
        runner_.clear_line();
        if (outcome_.left && runner_.runs().empty()) return tell_left();
        const std::string folder = request_.folder + "/";
        const bool written = write_json(folder + "summary.json", summary_json(request_, outcome_, runner_.runs())) &&
                             commandline::write_whole(folder + "runs.csv", runs_csv(request_, runner_.runs()));
        if (!written || !write_differences(folder + "differences.csv"))
            return fail(fmt::format("cannot write in `{}`", request_.folder));
        summarized_ = true;
        if (!outcome_.points.empty()) std::fputs(show_outcome(request_, outcome_).c_str(), stdout);
        const std::size_t all = runner_.runs().size();
        std::printf("  %zu %s in %s%s\n", all, all == 1 ? "run" : "runs", request_.folder.c_str(), verdicts().c_str());
        if (some_late())
            std::printf(
                "  times of runs that are not valid may be too high: what does not hold may be this machine's "
                "doing and not the server's\n");
        if (Runner::interrupted()) {
            commandline::say(fmt::format("interrupted: the same command goes on with what is missing\n"));
            return 130;
        }
        if (outcome_.left) return tell_left();
        if (!done && !runner_.out_of_time()) return 1;
        if (!done) commandline::say("the time is up: the same command goes on with what is missing\n");
        return verdict();
    }

    bool summarized() const { return summarized_; }

  private:
    int fail(const std::string& why) const
    {
        commandline::say(fmt::format("anmlc: {}\n", why));
        return 1;
    }

    // Where there are none no file stays.
    bool write_differences(const std::string& path) const
    {
        const std::string text = differences_csv(request_, outcome_);
        if (!text.empty()) return commandline::write_whole(path, text);
        std::error_code error;
        std::filesystem::remove(path, error);
        return !error;
    }

    // What can be known before anything is compiled; "": nothing.
    std::string impossible() const
    {
        const LaunchRequest& launch = request_.launch;
        if (launch.gather)
            return read_json(request_.folder + "/experiment.json")
                       ? ""
                       : fmt::format("--gather: `{}` is no folder of an experiment: -o names another", request_.folder);
        if (launch.by == Launching::slurm) return try_slurm(launch);
        return launch.by == Launching::parallel ? try_parallel(launch) : "";
    }

    int tell_left() const
    {
        if (runner_.left_status() != 0) return fail(runner_.left());
        std::printf("  %s\n", runner_.left().c_str());
        return 0;
    }

    void show_points(const std::vector<Settings>& points) const
    {
        for (const Settings& point : points)
            if (!point.empty()) std::printf("%s\n", described(point).c_str());
        if (searched_)
            std::printf("%zu %s for %s, of up to %u repetitions\n", points.size(),
                        points.size() == 1 ? "search" : "searches", searched_->name.c_str(), request_.info.repetitions);
        else
            std::printf("%zu runs\n", points.size() * request_.info.repetitions);
    }

    // Pilot runs before all others. The exit status: 0, it has been found.
    int find_warmup_of_runs()
    {
        std::vector<EndedRun> pilots;
        if (!runner_.pilot(pilot_points(request_.info), kPilotRuns, pilots)) {
            runner_.clear_line();
            if (runner_.out_of_time())
                return fail(
                    "the time is up before pilot runs have ended: the same command goes on with what is missing");
            if (!Runner::interrupted()) return 1;
            commandline::say("interrupted: the same command goes on with what is missing\n");
            return 130;
        }
        // In the order that they ended in.
        std::sort(pilots.begin(), pilots.end(), [](const EndedRun& a, const EndedRun& b) {
            return std::tie(a.spec.settings, a.spec.repetition) < std::tie(b.spec.settings, b.spec.repetition);
        });
        const FoundWarmup found = find_warmup(request_, pilots);
        runner_.clear_line();
        if (!found.wrong.empty()) return fail(found.wrong);
        outcome_.warmup = found;
        runner_.set_warmup(fmt::format("{:.0f}ns", 1e9 * found.seconds));
        if (!ExperimentFolder::note_warmup(request_.folder, warmup_json(found)))
            return fail(fmt::format("cannot write in `{}`", request_.folder));
        if (found.is_late())
            outcome_.notes.push_back(fmt::format(
                "the warm-up of {:.4g} s lies in the last part of what pilot runs of {:.4g} s can tell, and is "
                "not to be relied on: let runs last three times as long as it at least",
                found.seconds, found.pilot_seconds));
        for (const auto& [settings, measure] : found.unsettled)
            outcome_.notes.push_back(
                fmt::format("{}{} is not steady: MSER's minimum lies in the second half of the "
                            "pilot runs, and its figures depend on how long runs are",
                            settings.empty() ? "" : described(settings) + ": ", measure));
        return 0;
    }

    void note_what_matters()
    {
        outcome_.shared = shared_beginnings(runner_.runs());
        if (request_.info.precision)
            for (const PointOutcome& point : outcome_.points)
                if (std::string text = imprecise(request_, point); !text.empty())
                    outcome_.notes.push_back(std::move(text));
        for (std::string& failures : notable_failures(request_, outcome_.points, runner_.runs()))
            outcome_.notes.push_back(std::move(failures));
        if (request_.info.live) return;
        for (std::string& late : late_transients(request_, outcome_.points, runner_.runs()))
            outcome_.notes.push_back(std::move(late));
    }

    // Of live runs: what lateness did to them counts as much as what they found.
    std::string verdicts() const
    {
        std::map<std::string, std::size_t> counts;
        for (const EndedRun& run : runner_.runs())
            if (request_.info.live) ++counts[run.outcome.verdict.empty() ? "failed" : run.outcome.verdict];
        std::string text;
        for (const auto& [name, count] : counts)
            text += fmt::format("{}{} {}", text.empty() ? ": " : ", ", count, name);
        return text;
    }

    bool some_late() const
    {
        return std::any_of(runner_.runs().begin(), runner_.runs().end(),
                           [](const EndedRun& run) { return run.outcome.verdict == "not valid" && !run.outcome.met; });
    }

    int verdict() const
    {
        for (const EndedRun& run : runner_.runs())
            if (!run.outcome.good()) return 1;
        const auto any = [&](auto&& is) { return std::any_of(outcome_.searches.begin(), outcome_.searches.end(), is); };
        if (any([](const SearchOutcome& s) { return s.unjudged(); })) return 1;
        if (searched_)
            return any([](const SearchOutcome& s) { return s.outcome == Search::Outcome::nowhere; }) ? 99 : 0;
        return std::all_of(outcome_.points.begin(), outcome_.points.end(),
                           [](const PointOutcome& p) { return p.met == p.runs; })
                   ? 0
                   : 99;
    }

    bool is_precise(const Settings& point) const
    {
        const PointOutcome found = point_of(request_, point, runner_.runs_of(point));
        return std::all_of(found.measures.begin(), found.measures.end(), [&](const Estimate& estimate) {
            return is_within(estimate.interval, *request_.info.precision);
        });
    }

    // As often as is asked for, or until their intervals are as narrow.
    bool repeat(const std::vector<Settings>& points)
    {
        const ExperimentInfo& info = request_.info;
        const std::size_t least = info.batches > 0 ? 1 : kFewestRepetitions;
        const std::size_t all = info.repetitions, first = info.precision ? std::min(least, all) : all;
        if (!runner_.run(points, 1, first)) return false;
        for (std::size_t repetition = first + 1; repetition <= all; ++repetition) {
            std::vector<Settings> rest;
            for (const Settings& point : points)
                if (!is_precise(point)) rest.push_back(point);
            if (rest.empty()) break;
            if (!runner_.run(rest, repetition, repetition)) return false;
        }
        return true;
    }

    bool most_met(const Settings& point) const
    {
        const PointOutcome found = point_of(request_, point, runner_.runs_of(point));
        return 2 * found.met > found.runs;
    }

    // The last factor's levels one after the other, until so many do not hold; those of others beside each other.
    bool sweep_up(const std::vector<Settings>& points)
    {
        const std::size_t levels = request_.info.factors.back().levels.size();
        std::vector<std::size_t> failed(points.size() / levels);  // one after the other
        std::size_t expected = points.size();
        for (std::size_t level = 0; level < levels; ++level) {
            std::vector<Settings> now;
            for (std::size_t other = 0; other < failed.size(); ++other) {
                const Settings& point = points[other * levels + level];
                (failed[other] < request_.info.stop ? now : outcome_.skipped).push_back(point);
            }
            if (!repeat(now)) return false;
            for (std::size_t other = 0; other < failed.size(); ++other) {
                if (failed[other] >= request_.info.stop) continue;
                failed[other] = most_met(points[other * levels + level]) ? 0 : failed[other] + 1;
                if (failed[other] >= request_.info.stop) expected -= levels - level - 1;
            }
            runner_.expect(expected * request_.info.repetitions);
        }
        return true;
    }

    bool sweep(const std::vector<Settings>& points)
    {
        runner_.expect(points.size() * request_.info.repetitions);
        const bool good = request_.info.stop > 0 ? sweep_up(points) : repeat(points);
        for (const Settings& point : points)
            if (const auto runs = runner_.runs_of(point); !runs.empty())
                outcome_.points.push_back(point_of(request_, point, runs));
        if (!good) outcome_.missing = points.size() - outcome_.points.size() - outcome_.skipped.size();
        return good;
    }

    std::string level(double value) const
    {
        return searched_->integer ? fmt::format("{:.0f}", value) : exact_quantity(value, searched_->dim);
    }

    // Whether most repetitions meet what is required; of those, as few as decide it.
    std::optional<bool> holds(const Settings& point, std::size_t repetitions)
    {
        const std::size_t enough = repetitions / 2 + 1;
        for (std::size_t done = 0; done < repetitions;) {
            std::size_t met = 0;
            const auto before = runner_.runs_of(point);
            for (const EndedRun* run : before) met += run->outcome.good() && run->outcome.met;
            done = before.size();
            if (met >= enough || done - met >= enough) return met >= enough;
            // As many at a time as can still decide it.
            const std::size_t more =
                std::min({repetitions - done,
                          request_.launch.elsewhere() ? repetitions : std::max<std::size_t>(1, request_.jobs),
                          enough - std::max(met, done - met)});
            if (!runner_.run({point}, done + 1, done + more)) return std::nullopt;
            done += more;
            if (done == repetitions) {
                met = 0;
                for (const EndedRun* run : runner_.runs_of(point)) met += run->outcome.good() && run->outcome.met;
                return met >= enough;
            }
        }
        return false;
    }

    bool unjudged() const { return outcome_.searches.back().unjudged(); }

    // A step of the search. False: too little was measured to tell, which ends it.
    bool note(const Settings& point, double value, bool good)
    {
        const bool judged = good || point_of(request_, point, runner_.runs_of(point)).judged;
        outcome_.searches.back().steps.push_back({level(value), value, good, judged, runner_.runs_of(point).size()});
        return judged;
    }

    // What the next value of the search says. Nothing: it cannot go on.
    std::optional<bool> try_next(const Settings& other, Search& search, std::size_t repetitions)
    {
        const double value = search.next();
        const Settings point = with(other, level(value));
        runner_.expect(runner_.runs().size() + search.runs_left(request_.info.repetitions / 2 + 1));
        const auto good = holds(point, repetitions);
        if (good && note(point, value, *good)) search.judge(*good);
        return unjudged() ? std::nullopt : good;
    }

    // What all repetitions say of a value that may have been judged by one. Nothing: it cannot go on.
    std::optional<bool> by_all(const Settings& other, double value)
    {
        const Settings point = with(other, level(value));
        const std::size_t before = runner_.runs_of(point).size();
        const auto good = holds(point, request_.info.repetitions);
        if (good && runner_.runs_of(point).size() > before) note(point, value, *good);
        return unjudged() ? std::nullopt : good;
    }

    // An end that is far from the others may have been judged by one run. Where all repetitions say otherwise, the
    // search goes on at its other side, each value judged by all.
    void confirm(const Settings& other, Search& search)
    {
        const std::size_t all = request_.info.repetitions;
        const auto low = by_all(other, search.low());
        const auto high = low ? by_all(other, search.high()) : std::nullopt;
        if (!high || (*low && !*high)) return;
        search = Search(*low ? search.high() : searched_->low, *low ? searched_->high : search.low(),
                        searched_->integer, request_.info.resolution);
        while (search.outcome() == Search::Outcome::searching)
            if (!try_next(other, search, all)) return;
    }

    // One run says little of a value near the boundary, or where another run said otherwise.
    void go_on(const Settings& other, Search& search)
    {
        while (search.outcome() == Search::Outcome::searching) {
            const bool again = runner_.runs_of(with(other, level(search.next()))).size() > 1;
            if (!try_next(other, search, search.near() || again ? request_.info.repetitions : 1)) return;
        }
    }

    // Neither does one run of an end of the range that ends the search at once.
    void confirm_end(const Settings& other, Search& search)
    {
        const bool held = search.outcome() == Search::Outcome::always;
        const auto good = by_all(other, held ? searched_->high : searched_->low);
        if (!good || *good == held) return;
        search = Search(searched_->low, searched_->high, searched_->integer, request_.info.resolution);
        go_on(other, search);
    }

    bool searches(const std::vector<Settings>& points)
    {
        for (const Settings& other : points) {
            Search search(searched_->low, searched_->high, searched_->integer, request_.info.resolution);
            const std::size_t before = runner_.runs().size();
            outcome_.searches.push_back({other, search.outcome(), "", "", 0, {}});
            go_on(other, search);
            if (search.outcome() == Search::Outcome::nowhere || search.outcome() == Search::Outcome::always)
                confirm_end(other, search);
            const PointOutcome lowest = point_of(request_, with(other, level(searched_->low)),
                                                 runner_.runs_of(with(other, level(searched_->low))));
            const bool failed = lowest.runs > 0 && lowest.failed == lowest.runs;  // which says nothing of the model
            if (search.outcome() == Search::Outcome::found) confirm(other, search);
            SearchOutcome& found = outcome_.searches.back();
            found.outcome = failed || found.unjudged() ? Search::Outcome::searching : search.outcome();
            found.failed = failed;
            found.low = level(search.low());
            found.high = level(search.high());
            found.runs = runner_.runs().size() - before;
            if (found.outcome == Search::Outcome::searching && !found.unjudged()) break;
        }
        for (const SearchOutcome& found : outcome_.searches) {
            std::map<double, Settings> tried;
            for (const SearchStep& step : found.steps) tried.emplace(step.value, with(found.settings, step.level));
            for (const auto& [value, point] : tried)
                outcome_.points.push_back(point_of(request_, point, runner_.runs_of(point)));
        }
        const bool all = !outcome_.searches.empty() && outcome_.searches.size() == points.size() &&
                         (outcome_.searches.back().outcome != Search::Outcome::searching || unjudged());
        if (!all) outcome_.missing = points.size() - outcome_.searches.size() + 1;
        return all;
    }

    // In the order of the factors.
    Settings with(const Settings& other, const std::string& value) const
    {
        Settings all;
        std::size_t next = 0;
        for (const FactorInfo& factor : request_.info.factors)
            all.push_back(&factor == searched_ ? std::pair{factor.name, value} : other[next++]);
        return all;
    }

    const ExperimentRequest& request_;
    const SourceSet& sources_;
    bool summarized_ = false;
    Runner runner_;
    const FactorInfo* searched_ = nullptr;
    ExperimentFolder folder_;
    ExperimentOutcome outcome_;
};

}  // namespace

ExperimentEnd run_experiment(const ExperimentRequest& request, const SourceSet& sources)
{
    Experiment experiment(request, sources);
    const int status = experiment.run();
    return {status, experiment.summarized()};
}

}  // namespace anml

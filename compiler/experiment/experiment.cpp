#include "experiment/experiment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/read_file.h"
#include "commandline/streams.h"
#include "commandline/whole_file.h"
#include "experiment/outcome.h"

namespace anml {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 100'000;

class Descriptor {
  public:
    Descriptor() = default;
    ~Descriptor() { reset(-1); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    void reset(int descriptor)
    {
        if (descriptor_ >= 0) close(descriptor_);
        descriptor_ = descriptor;
    }
    int get() const { return descriptor_; }

  private:
    int descriptor_ = -1;
};

class Experiment {
  public:
    Experiment(const ExperimentRequest& request, const SourceSet& sources)
        : request_(request), sources_(sources), runner_(request, 0)
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
        if (const std::string wrong = begin_folder(); !wrong.empty()) return fail(wrong);
        const bool done = searched_ ? searches(points) : sweep(points);
        runner_.clear_line();
        const std::string folder = request_.folder + "/";
        const bool written = write_json(folder + "summary.json", summary_json(request_, outcome_)) &&
                             commandline::write_whole(folder + "runs.csv", runs_csv(request_, runner_.runs()));
        if (!written) return fail(fmt::format("cannot write in `{}`", request_.folder));
        if (!outcome_.points.empty()) std::fputs(show_outcome(request_, outcome_).c_str(), stdout);
        std::printf("  %zu runs in %s\n", runner_.runs().size(), request_.folder.c_str());
        if (Runner::interrupted()) {
            commandline::say(fmt::format("interrupted: the same command goes on with what is missing\n"));
            return 130;
        }
        return done ? verdict() : 1;
    }

  private:
    int fail(const std::string& why) const
    {
        commandline::say(fmt::format("anmlc: {}\n", why));
        return 1;
    }

    void show_points(const std::vector<Settings>& points) const
    {
        for (const Settings& point : points) std::printf("%s\n", described(point).c_str());
        if (searched_)
            std::printf("%zu searches for %s, of up to %u repetitions\n", points.size(), searched_->name.c_str(),
                        request_.info.repetitions);
        else
            std::printf("%zu runs\n", points.size() * request_.info.repetitions);
    }

    // "": nobody else runs in it, as long as this program does.
    std::string take_folder()
    {
        std::error_code error;
        fs::create_directories(request_.folder, error);
        lock_.reset(open(request_.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (lock_.get() < 0) return fmt::format("cannot make `{}`: {}", request_.folder, std::strerror(errno));
        if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0)
            return fmt::format("another anmlc runs an experiment in `{}`", request_.folder);
        return "";
    }

    int verdict() const
    {
        for (const EndedRun& run : runner_.runs())
            if (!run.outcome.good()) return 1;
        if (searched_)
            return std::any_of(outcome_.searches.begin(), outcome_.searches.end(),
                               [](const SearchOutcome& s) { return s.outcome == Search::Outcome::nowhere; })
                       ? 99
                       : 0;
        return std::all_of(outcome_.points.begin(), outcome_.points.end(),
                           [](const PointOutcome& p) { return p.met == p.runs; })
                   ? 0
                   : 99;
    }

    // "": it is there, and of this text.
    std::string begin_folder()
    {
        const std::string& folder = request_.folder;
        if (std::string wrong = take_folder(); !wrong.empty()) return wrong;
        std::error_code error;
        Json texts = Json::object();
        for (const SourceFile& file : sources_.files)
            if (!file.path.starts_with("<std>/") && file.value_of.empty()) texts[file.path] = file.text;
        const Json manifest = this->manifest();
        if (const auto before = read_json(folder + "/experiment.json"); before && !request_.fresh) {
            Json written = *before;
            written.erase("machine");
            Json wanted = manifest;
            wanted.erase("machine");
            const auto model = read_json(folder + "/model/sources.json");
            if (written != wanted || !model || *model != texts)
                return fmt::format(
                    "`{}` holds runs of another text or experiment: --fresh begins anew, -o chooses another folder",
                    folder);
        } else if (fs::exists(folder, error) && !before && !fs::is_empty(folder, error)) {
            return fmt::format("`{}` is there already, and is no folder of an experiment", folder);
        }
        if (request_.fresh) fs::remove_all(folder + "/runs", error);
        for (const char* name : {"/model", "/emulators", "/runs"}) {
            fs::create_directories(folder + name, error);
            if (error) return fmt::format("cannot make `{}{}`: {}", folder, name, error.message());
        }
        if (!write_json(folder + "/experiment.json", manifest) || !write_json(folder + "/model/sources.json", texts))
            return fmt::format("cannot write in `{}`", folder);
        return "";
    }

    Json manifest() const
    {
        Json factors = Json::array();
        for (const FactorInfo& f : request_.info.factors) {
            Json factor = {{"name", f.name}, {"tunable", f.tunable}};
            if (f.levels.empty())
                factor["between"] = {exact_quantity(f.low, f.dim), exact_quantity(f.high, f.dim)};
            else
                factor["levels"] = f.levels;
            factors.push_back(std::move(factor));
        }
        utsname machine{};
        uname(&machine);
        const ExperimentInfo& info = request_.info;
        return {
            {"experiment_version", 1},
            {"experiment", request_.name},
            {"model", info.model},
            {"factors", factors},
            {"measures", request_.measures},
            {"defines", request_.defines},
            {"repetitions", info.repetitions},
            {"precision", info.precision ? Json(*info.precision) : Json(nullptr)},
            {"resolution", info.resolution},
            {"seed", info.seed},
            {"seeds", "repetition i of every combination has the seed `seed` + i - 1"},
            {"mode", info.live ? "live" : "simulated"},
            {"server", info.server.empty() ? Json(nullptr) : Json(info.server)},
            {"anmlc", request_.version},
            {"machine", {{"name", machine.nodename}, {"kernel", machine.release}, {"architecture", machine.machine}}}};
    }

    bool is_precise(const Settings& point) const
    {
        const PointOutcome found = point_of(point, runner_.runs_of(point), request_.measures.size());
        return std::all_of(found.values.begin(), found.values.end(), [&](const std::vector<double>& values) {
            return is_within(interval_of(values), *request_.info.precision);
        });
    }

    bool sweep(const std::vector<Settings>& points)
    {
        constexpr std::size_t kLeast = 3;  // repetitions, before an interval ends them
        const std::size_t all = request_.info.repetitions;
        runner_.expect(points.size() * all);
        const std::size_t first = request_.info.precision ? std::min(kLeast, all) : all;
        bool good = runner_.run(points, 1, first);
        for (std::size_t repetition = first + 1; good && repetition <= all; ++repetition) {
            std::vector<Settings> rest;
            for (const Settings& point : points)
                if (!is_precise(point)) rest.push_back(point);
            if (rest.empty()) break;
            good = runner_.run(rest, repetition, repetition);
        }
        for (const Settings& point : points)
            if (const auto runs = runner_.runs_of(point); !runs.empty())
                outcome_.points.push_back(point_of(point, runs, request_.measures.size()));
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
            const std::size_t more = std::min(
                {repetitions - done, std::max<std::size_t>(1, request_.jobs), enough - std::max(met, done - met)});
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

    // An end that is far from the others may have been judged by one run. Where all repetitions say otherwise, the
    // search goes on at its other side, each value judged by all.
    void confirm(const Settings& other, Search& search)
    {
        const std::size_t all = request_.info.repetitions;
        const auto low = holds(with(other, level(search.low())), all);
        const auto high = low ? holds(with(other, level(search.high())), all) : std::nullopt;
        if (!high || (*low && !*high)) return;
        search = Search(*low ? search.high() : searched_->low, *low ? searched_->high : search.low(),
                        searched_->integer, request_.info.resolution);
        while (search.outcome() == Search::Outcome::searching) {
            const auto good = holds(with(other, level(search.next())), all);
            if (!good) return;
            search.judge(*good);
        }
    }

    bool searches(const std::vector<Settings>& points)
    {
        for (const Settings& other : points) {
            Search search(searched_->low, searched_->high, searched_->integer, request_.info.resolution);
            const std::size_t before = runner_.runs().size();
            while (search.outcome() == Search::Outcome::searching) {
                const Settings point = with(other, level(search.next()));
                const auto good = holds(point, search.near() ? request_.info.repetitions : 1);
                if (!good) break;
                search.judge(*good);
            }
            if (search.outcome() == Search::Outcome::found) confirm(other, search);
            outcome_.searches.push_back(
                {other, search.outcome(), level(search.low()), level(search.high()), runner_.runs().size() - before});
            if (search.outcome() == Search::Outcome::searching) break;
        }
        std::vector<Settings> tried;
        for (const EndedRun& run : runner_.runs())
            if (std::find(tried.begin(), tried.end(), run.spec.settings) == tried.end())
                tried.push_back(run.spec.settings);
        for (const Settings& point : tried)
            outcome_.points.push_back(point_of(point, runner_.runs_of(point), request_.measures.size()));
        return outcome_.searches.empty() || outcome_.searches.back().outcome != Search::Outcome::searching;
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
    Runner runner_;
    const FactorInfo* searched_ = nullptr;
    Descriptor lock_;
    ExperimentOutcome outcome_;
};

}  // namespace

int run_experiment(const ExperimentRequest& request, const SourceSet& sources)
{
    return Experiment(request, sources).run();
}

}  // namespace anml

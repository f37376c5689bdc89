// Points of an experiment in one go. A group of them is simulated by a process up to the first time at which one of
// them is another run than the others. There it forks: once for each way in which they go on, and goes on with the
// first one's itself. So do its children with theirs, until each point is alone and ends as its own run would.
//
// The first process simulates nothing: it starts those that differ from the beginning, hears through a pipe what came
// of each point, and runs those again, alone, of which it heard nothing because a process broke down.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/processors.h"
#include "commandline/streams.h"
#include "commandline/whole_file.h"
#include "entry/points/points.h"
#include "entry/points/sharing.h"
#include "entry/run/run.h"
#include "entry/run/simulate.h"
#include "entry/tools/interrupt.h"
#include "entry/tools/job_slots.h"
#include "entry/tools/output_file.h"
#include "entry/tools/stopwatch.h"

namespace anml::rt::entry {

namespace {

// What came of a point, through the pipe: as a whole or not at all.
struct Report {
    std::uint32_t point;
    std::int32_t status;
    double wall, cpu, part;  // s; of the point alone; of processor time its part of what it shared
};

// What has files, devices or threads of its own from the start on shares nothing.
bool is_alone(const Options& options)
{
    return !options.captures.empty() || !options.connections.empty() || !options.attachments.empty() ||
           !options.changes.empty() || options.profile;
}

std::string told_apart_by(const Point& point, std::size_t number)
{
    if (point.wrong || is_alone(point.options)) return fmt::format("alone {}", number);
    const Options& options = point.options;
    return fmt::format("{} {} {} {} {}", options.seed, options.duration.value_or(-1), options.warmup.value_or(-1),
                       options.batches, options.workload);
}

// A process that simulates.
class Worker {
  public:
    Worker(const abi::Image& image, const std::vector<Point>& points, const Sharing& sharing, Children& children,
           int reports)
        : image_(image), points_(points), sharing_(sharing), children_(children), reports_(reports)
    {
    }

    [[noreturn]] void work(Sharing::Group group)
    {
        try {
            if (group.size() == 1) be_alone(group.front());
            if (alone_ && !points_[*alone_].wrong && is_alone(points_[*alone_].options)) end(*alone_, run_alone());
            work_on(std::move(group));
        } catch (const std::exception& problem) {
            if (alone_) {
                commandline::say(fmt::format("error: {}\n", problem.what()));
                end(*alone_, kExitFailed);
            }
        }
        children_.wait();
        _exit(Children::kGaveBack);
    }

  private:
    void work_on(Sharing::Group group)
    {
        std::unique_ptr<Run> run = first_good(group);
        if (!run) return;
        const std::atomic<bool>& stop = catch_interrupts();
        Simulator simulator(run->model(), run->options().seed);
        begin_simulation(*run, simulator);
        stopwatch_ = Stopwatch();
        while (group.size() > 1) {
            const Time time = sharing_.until(group);
            simulate_before(simulator, std::min(time - 1, run->duration()), stop, [&] { children_.look(); });
            if (stop.load()) return;
            note_shared(std::min(time, run->duration()), group.size());
            if (!part(group, time, *run, simulator)) return;
            stopwatch_ = Stopwatch();
        }
        be_alone(group.front());
        simulate_before(simulator, run->duration(), stop, [&] { children_.look(); });
        RunInfo& info = run->info();
        stopwatch_.read_into(info);
        note_own(info);
        info.wall_seconds += shared_wall_;
        info.cpu_seconds += shared_.cpu_seconds;
        if (shared_.runs != 0) info.shared = shared_;
        info.ended = simulator.now();
        this->end(*alone_, run->finish(simulator));
    }

    // At the time, or at the run's end, the points of the group part. False: this process is done.
    bool part(Sharing::Group& group, Time time, Run& run, Simulator& simulator)
    {
        std::vector<Sharing::Group> groups;
        if (time < run.duration())
            groups = sharing_.split(group, time);
        else
            for (const std::uint32_t point : group) groups.push_back({point});
        for (std::size_t i = 1; i < groups.size(); ++i) {
            const pid_t child = children_.start();
            if (child != 0) continue;  // of a child that cannot be the first process will hear nothing
            group = std::move(groups[i]);
            const std::unique_ptr<Run> other = first_good(group);
            if (!other) return false;
            run.become(*other);
            // Where what has happened is not that of these after all the first process runs each for itself.
            return simulator.follow(time < run.duration() ? time : simulator.now() + 1);
        }
        group = std::move(groups.front());
        return children_.regain();
    }

    void note_shared(Time until, std::size_t runs)
    {
        RunInfo took;
        stopwatch_.read_into(took);
        shared_wall_ += took.wall_seconds;
        shared_.until = until;
        shared_.runs = runs;
        shared_.cpu_seconds += took.cpu_seconds;
        shared_.part += took.cpu_seconds / static_cast<double>(runs);
    }

    // The first point of the group that can be run becomes its first. Those before it are done, and it has said why.
    std::unique_ptr<Run> first_good(Sharing::Group& group)
    {
        while (!group.empty()) {
            const Point& point = points_[group.front()];
            Ending wrong;
            std::unique_ptr<Run> run;
            if (point.wrong) {
                wrong = *point.wrong;
            } else {
                run = Run::prepare(image_, point.options, point.command, wrong);
                if (run)
                    if (const std::string why = why_not_simulated(*run); !why.empty())
                        wrong = {kExitFailed, "", fmt::format("error: {}\n", why)}, run = nullptr;
            }
            if (run) return run;
            std::string error;
            if (point.log.empty() || alone_ == group.front())
                commandline::say(wrong.error);
            else if (!write_file(point.log, wrong.output + wrong.error, error))
                commandline::say(fmt::format("{}error: {}\n", wrong.error, error));
            report(group.front(), wrong.exit_code);
            group.erase(group.begin());
        }
        return nullptr;
    }

    int run_alone()
    {
        const Point& point = points_[*alone_];
        Ending wrong;
        Options options = point.options;
        if (options.threads == 0) options.threads = 1;  // others run beside it
        const std::unique_ptr<Run> run = Run::prepare(image_, options, point.command, wrong);
        if (!run) return commandline::say(wrong.error), wrong.exit_code;
        const int status = run_simulate(*run);
        note_own(run->info());
        return status;
    }

    // From now on this process is about that point, and what it prints goes to the point's file.
    void be_alone(std::uint32_t point)
    {
        if (std::exchange(alone_, point) == point) return;
        const std::string& log = points_[point].log;
        const int file = open(log.empty() ? "/dev/null" : log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (file < 0) {
            commandline::say(fmt::format("error: cannot write {}: {}\n", log, std::strerror(errno)));
            end(point, kExitFailed);
        }
        dup2(file, STDOUT_FILENO);
        if (!log.empty()) dup2(file, STDERR_FILENO);
        close(file);
    }

    void note_own(const RunInfo& info)
    {
        own_wall_ = info.wall_seconds;
        own_cpu_ = info.cpu_seconds;
    }

    void report(std::uint32_t point, int status)
    {
        const Report report{point, status, own_wall_, own_cpu_, shared_.part};
        [[maybe_unused]] const ssize_t written = write(reports_, &report, sizeof report);
    }

    [[noreturn]] void end(std::uint32_t point, int status)
    {
        std::fflush(nullptr);
        report(point, status);
        children_.wait();
        _exit(Children::kGaveBack);
    }

    const abi::Image& image_;
    const std::vector<Point>& points_;
    const Sharing& sharing_;
    Children& children_;
    int reports_;
    std::optional<std::uint32_t> alone_;  // the point that this process is about, and no other
    Stopwatch stopwatch_;                 // since it was shared last
    RunInfo::Shared shared_;
    double shared_wall_ = 0, own_wall_ = 0, own_cpu_ = 0;
};

// The first process.
class Points {
  public:
    Points(const abi::Image& image, const std::vector<Point>& points)
        : image_(image), points_(points), sharing_(image, described(points)), ended_(points.size())
    {
    }

    int run(unsigned jobs)
    {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return fail(std::strerror(errno));
        fcntl(ends[0], F_SETFL, O_NONBLOCK);
        reports_ = ends[0];
        const std::atomic<bool>& stop = catch_interrupts();
        std::vector<Sharing::Group> groups = sharing_.at_start();
        for (int attempt = 0; attempt < 2 && !stop.load(); ++attempt) {
            JobSlots slots(jobs);
            if (!slots.good()) return fail(std::strerror(errno));
            run_groups(groups, slots, ends[1], stop);
            groups.clear();
            for (std::uint32_t point = 0; point < points_.size(); ++point)
                if (!ended_[point]) groups.push_back({point});
            if (groups.empty()) break;
        }
        stopped();
        if (stop.load()) return 128 + interrupted_by();
        for (const Sharing::Group& group : groups) say({group.front(), status_of(group.front()), 0, 0, 0});
        return status_;
    }

  private:
    static std::vector<Sharing::Point> described(const std::vector<Point>& points)
    {
        std::vector<Sharing::Point> all;
        const auto some = std::find_if(points.begin(), points.end(), [](const Point& p) { return !p.wrong; });
        for (std::size_t i = 0; i < points.size(); ++i)
            all.push_back({points[i].wrong && some != points.end() ? some->tunables : points[i].tunables,
                           told_apart_by(points[i], i)});
        return all;
    }

    int fail(const std::string& why) const
    {
        commandline::say(fmt::format("error: the points cannot be run: {}\n", why));
        return kExitFailed;
    }

    void run_groups(const std::vector<Sharing::Group>& groups, JobSlots& slots, int reports,
                    const std::atomic<bool>& stop)
    {
        Children children(slots, stop);
        children.watch(reports_, [&] { hear(); });
        std::map<pid_t, std::uint32_t> alone;
        children.on_end([&](pid_t process, int status) {
            if (const auto point = alone.find(process); point != alone.end()) broke_[point->second] = status;
        });
        for (const Sharing::Group& group : groups) {
            const pid_t child = children.start();
            if (child == 0) Worker(image_, points_, sharing_, children, reports).work(group);
            if (child < 0 && stop.load()) break;
            if (child > 0 && group.size() == 1) alone[child] = group.front();
        }
        // Who was interrupted keeps its results up to then.
        children.wait();
        hear();
    }

    void hear()
    {
        Report report;
        while (read(reports_, &report, sizeof report) == sizeof report) say(report);
    }

    void say(const Report& report)
    {
        ended_[report.point] = true;
        const nlohmann::ordered_json line = {{"point", report.point},
                                             {"status", report.status},
                                             {"seconds", report.wall},
                                             {"cpu_seconds", report.cpu},
                                             {"cpu_part", report.part}};
        const bool good = report.status == kExitOk || report.status == kExitThreshold;
        if (!write_standard_output(line.dump() + "\n") || !good) status_ = kExitFailed;
        if (status_ == kExitOk) status_ = report.status;
    }

    // Of a point that broke down, alone.
    int status_of(std::uint32_t point) const
    {
        const auto broke = broke_.find(point);
        if (broke == broke_.end()) {
            commandline::say(fmt::format("error: no process can be made for point {}\n", point));
            return kExitFailed;
        }
        return WIFSIGNALED(broke->second) ? 128 + WTERMSIG(broke->second) : kExitFailed;
    }

    const abi::Image& image_;
    const std::vector<Point>& points_;
    Sharing sharing_;
    std::vector<bool> ended_;
    std::map<std::uint32_t, int> broke_;  // as waitpid() says it
    int reports_ = -1;
    int status_ = kExitOk;  // of them all
};

}  // namespace

int run_points(const abi::Image& image, const std::vector<Point>& points, unsigned jobs)
{
    return Points(image, points).run(jobs != 0 ? jobs : std::max(Processors().count(), 1u));
}

}  // namespace anml::rt::entry

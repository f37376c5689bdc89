// `simulate`: as fast as possible, simulated servers in the endpoints' places.
#include "entry/run/simulate.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/archive.h"
#include "base/processors.h"
#include "commandline/streams.h"
#include "entry/options/describe.h"
#include "entry/run/mpi_run.h"
#include "entry/run/run.h"
#include "entry/tools/interrupt.h"
#include "entry/tools/stopwatch.h"
#include "io/capture/replay.h"
#include "report/live/progress.h"
#include "simulator/statistics.h"

namespace anml::rt::entry {

namespace {

using Clock = std::chrono::steady_clock;

constexpr Time kLongestStep = 3600 * kSecond;  // simulated; records of connections wait for its end

Time said_by_first(cct::Post* post, Time own)
{
    if (!post) return own;
    std::vector<std::uint8_t> bytes(sizeof own);
    std::memcpy(bytes.data(), &own, sizeof own);
    bytes = post->broadcast(std::move(bytes));
    std::memcpy(&own, bytes.data(), sizeof own);
    return own;
}

// At rank 0 what each process took; nothing elsewhere.
std::vector<RankFigures> gather_ranks(cct::Post& post, const Simulator& simulator, const RunInfo& info,
                                      double start_seconds)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    ByteWriter writer;
    RankFigures own{start_seconds, info.cpu_seconds, simulator.waited(),
                    static_cast<std::uint64_t>(usage.ru_maxrss) * 1024, simulator.statistics().total_events};
    writer(own.start_seconds, own.cpu_seconds, own.waited_seconds, own.memory, own.events);
    std::vector<RankFigures> all;
    for (const std::vector<std::uint8_t>& bytes : post.gather(writer.take())) {
        RankFigures& figures = all.emplace_back();
        ByteReader reader(bytes);
        reader(figures.start_seconds, figures.cpu_seconds, figures.waited_seconds, figures.memory, figures.events);
    }
    return all;
}

// What has ended in a step, of all processes, goes to the file.
void hand_over_connections(Run& run, Simulator& simulator, cct::Post* post, bool last)
{
    std::span<const ConnectionRecord> own = simulator.take_connections(last);
    std::vector<ConnectionRecord> all;
    if (post) {
        const auto* first = reinterpret_cast<const std::uint8_t*>(own.data());
        for (const std::vector<std::uint8_t>& bytes : post->gather({first, first + own.size_bytes()})) {
            const std::size_t before = all.size();
            all.resize(before + bytes.size() / sizeof(ConnectionRecord));
            if (all.size() != before) std::memcpy(all.data() + before, bytes.data(), bytes.size());
        }
        std::sort(all.begin(), all.end(), comes_before);
        own = all;
    }
    if (run.connections()) run.connections()->take(own);
}

// Runs to `end` in steps of `longest` at most that take a few hundredths of a second each, so that Ctrl-C and the bar
// react. What does not go on, by `run_before`, ends it. Of several processes rank 0 says how far each step goes.
void run_in_steps(Simulator& simulator, Time end, Time longest, const std::atomic<bool>& stop, cct::Post* post,
                  const std::function<void()>& between, const std::function<bool(Time)>& run_before)
{
    constexpr double kShort = 0.02, kLong = 0.08;  // s of wall time
    constexpr double kMostGrowth = 16;             // the first steps are seldom like those that follow
    Time step = kMillisecond;
    for (;;) {
        if (post && post->heard() != 0) interrupted_elsewhere(static_cast<int>(post->heard()));
        if (post) post->say(static_cast<std::uint32_t>(interrupted_by()));
        const bool over = simulator.now() >= end || stop.load(std::memory_order_relaxed);
        const Time until = said_by_first(post, over ? kNever : std::min(end, simulator.now() + step));
        if (until == kNever) return;
        Clock::time_point started = Clock::now();
        if (!run_before(until)) return;
        double took = std::chrono::duration<double>(Clock::now() - started).count();
        if (took < kShort) {
            const double growth = std::clamp(kShort / took, 2.0, kMostGrowth);
            step = static_cast<Time>(std::min(static_cast<double>(step) * growth, static_cast<double>(longest)));
        }
        if (took > kLong) step = std::max<Time>(step / 2, kMicrosecond);
        between();
    }
}

// Threads and tasks for the kernel; 0 threads: sequential. One thread is fastest that way; several get two tasks each
// at most, so that there is little to hand over and yet something to even out. A profile is about the partition's own
// tasks. Captures show packets in the order of time, which only a sequential run has; and what is attached meets one.
// Of several processes each has as many threads as it is told, since who started them knows where they are.
void divide_work(Run& run, bool several)
{
    const Options& options = run.options();
    RunInfo& info = run.info();
    const std::uint32_t tasks = run.model().task_count();
    if (several) {
        info.threads = info.tasks = std::max(options.threads, 1u);
        return;
    }
    if (!options.captures.empty() || !options.attachments.empty()) return;
    // Between few nodes so little happens in a lookahead that waiting for each other costs more than it gains.
    constexpr std::uint32_t kWorthThreads = 512;
    const bool worth = run.model().image().nodes >= kWorthThreads;
    const unsigned processors = worth ? std::max(Processors().count(), 1u) : 1;
    const unsigned threads = std::min(options.threads != 0 ? options.threads : processors, tasks);
    if (threads < 2 && !options.profile) return;
    info.threads = threads;
    info.tasks = options.profile ? tasks : std::min(threads, tasks);
}

bool starts_workloads(const Run& run) { return run.options().workload && run.model().image().workload_count != 0; }

}  // namespace

std::string why_not_simulated(const Run& run)
{
    return run.options().workload ? unserved_workload(run.model(), run.options().attachments) : "";
}

void begin_simulation(Run& run, Simulator& simulator)
{
    simulator.cut(run.options().batches);
    if (run.options().workload) {
        simulator.start_workloads(0, run.warmup(), run.duration());
    } else {
        simulator.measure(run.warmup(), run.duration());
        simulator.start_timeline(0);
    }
}

void simulate_before(Simulator& simulator, Time end, const std::atomic<bool>& stop,
                     const std::function<void()>& between)
{
    run_in_steps(simulator, end, kLongestStep, stop, nullptr, between, [&](Time until) {
        simulator.run_before(until);
        return true;
    });
}

int run_simulate(Run& run, MpiRun* mpi_run)
{
    std::string error = why_not_simulated(run);
    if (!error.empty()) {
        commandline::say(fmt::format("error: {}\n", error));
        return kExitFailed;
    }
    cct::Post* const post = mpi_run ? mpi_run->several() : nullptr;
    divide_work(run, post);
    const Stopwatch start;
    Simulator simulator(run.model(), run.options().seed, 0, run.info().threads, run.info().tasks, run.entered(), post);
    run.writes_connections(!mpi_run || mpi_run->first());
    if (!run.start_captures(simulator, 0, error)) {
        commandline::say(fmt::format("error: {}\n", error));
        return kExitFailed;
    }
    if (run.connections()) run.connections()->begin();
    std::optional<io::Replay> replay;
    Time end = run.duration();
    if (!run.options().attachments.empty()) {
        // Without other traffic, and unless somebody says how long, a run of files is over when they are.
        const bool with_files = !run.options().duration && !starts_workloads(run);
        replay.emplace(simulator, run.model(), with_files ? std::optional(run.duration()) : std::nullopt);
        if (with_files) end = kNever;
        if (!replay->open(run.options().attachments, error)) return run.fail(simulator, error);
    }
    if (run.options().profile) simulator.record();
    const std::atomic<bool>& stop = catch_interrupts();
    if (mpi_run) {
        mpi_run->mpi.stop_on(stop);
        mpi_run->mpi.has_threads(run.info().threads);
    }
    begin_simulation(run, simulator);
    if (end == kNever) simulator.measure(run.warmup(), end);
    RunInfo starting;
    start.read_into(starting);
    const Stopwatch stopwatch;
    {
        const bool shows = isatty(STDERR_FILENO) && !run.options().quiet;
        ProgressBar bar(shows && (!mpi_run || mpi_run->first()), run.duration());
        // What another process has counted nobody knows before the end.
        const auto show = [&] {
            bar.update(simulator.now(), [&](std::size_t second) { return post ? Second{} : simulator.second(second); });
        };
        const bool records = !run.options().connections.empty();
        run_in_steps(simulator, end, records ? kSecond : kLongestStep, stop, post, show, [&](Time until) {
            if (replay)
                replay->run_before(until);
            else
                simulator.run_before(until);
            if (records) hand_over_connections(run, simulator, post, false);
            return !replay || !replay->over();
        });
        if (records) hand_over_connections(run, simulator, post, true);
    }
    if (replay) {
        replay->finish(run.info().error);
        run.info().replay = replay->report();
    }
    stopwatch.read_into(run.info());
    run.info().ended = simulator.now();
    run.info().changes = run.changes();
    if (run.options().profile) run.info().profile = simulator.profile();
    if (post) {
        run.info().tasks = simulator.tasks();
        run.info().ranks = gather_ranks(*post, simulator, run.info(), starting.wall_seconds);
        const bool gathered = simulator.gather();
        if (!mpi_run->first()) {
            stopped();
            return kExitOk;  // rank 0 says which it is
        }
        run.info().cpu_seconds = 0;
        for (const RankFigures& rank : run.info().ranks) run.info().cpu_seconds += rank.cpu_seconds;
        if (!gathered) run.info().error = "another rank sends damaged figures";
    }
    return run.finish(simulator);
}

}  // namespace anml::rt::entry

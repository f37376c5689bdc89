// `simulate`: as fast as possible, simulated servers in the endpoints' places.
#include "entry/simulate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <optional>

#include "base/processors.h"
#include "commandline/streams.h"
#include "entry/describe.h"
#include "entry/interrupt.h"
#include "entry/run.h"
#include "entry/stopwatch.h"
#include "io/replay.h"
#include "report/progress.h"
#include "simulator/statistics.h"

namespace anml::rt::entry {

namespace {

using Clock = std::chrono::steady_clock;

// What does not go on, by `run_until`, ends it.
void run_in_steps(Simulator& simulator, Time end, const std::atomic<bool>& stop, const std::function<void()>& between,
                  const std::function<bool(Time)>& run_until)
{
    constexpr double kShort = 0.02, kLong = 0.08;  // s of wall time
    constexpr double kMostGrowth = 16;             // the first steps are seldom like those that follow
    Time step = kMillisecond;
    while (simulator.now() < end && !stop.load(std::memory_order_relaxed)) {
        Clock::time_point started = Clock::now();
        if (!run_until(std::min(end, simulator.now() + step))) return;
        double took = std::chrono::duration<double>(Clock::now() - started).count();
        if (took < kShort) {
            const double growth = std::clamp(kShort / took, 2.0, kMostGrowth);
            step = static_cast<Time>(std::min(static_cast<double>(step) * growth, 3600.0 * kSecond));
        }
        if (took > kLong) step = std::max<Time>(step / 2, kMicrosecond);
        between();
    }
}

// Threads and tasks for the kernel; 0 threads: sequential. One thread is fastest that way; several get two tasks each
// at most, so that there is little to hand over and yet something to even out. A profile is about the partition's own
// tasks. Captures show packets in the order of time, which only a sequential run has; and what is attached meets one.
void divide_work(Run& run)
{
    const Options& options = run.options();
    RunInfo& info = run.info();
    const std::uint32_t tasks = run.model().image().task_count;
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

void simulate_until(Simulator& simulator, Time end, const std::atomic<bool>& stop, const std::function<void()>& between)
{
    run_in_steps(simulator, end, stop, between, [&](Time until) {
        simulator.run_until(until);
        return true;
    });
}

int run_simulate(Run& run)
{
    std::string error = why_not_simulated(run);
    if (!error.empty()) {
        commandline::say(fmt::format("error: {}\n", error));
        return kExitFailed;
    }
    divide_work(run);
    Simulator simulator(run.model(), run.options().seed, 0, run.info().threads, run.info().tasks, run.entered());
    if (!run.start_captures(simulator, 0, error)) {
        commandline::say(fmt::format("error: {}\n", error));
        return kExitFailed;
    }
    std::optional<io::Replay> replay;
    if (!run.options().attachments.empty()) {
        // Without other traffic, and unless somebody says how long, a run of files is over when they are.
        replay.emplace(simulator, run.model(), !run.options().duration && !starts_workloads(run));
        if (!replay->open(run.options().attachments, error)) return run.fail(simulator, error);
    }
    if (run.options().profile) simulator.record();
    const std::atomic<bool>& stop = catch_interrupts();
    begin_simulation(run, simulator);
    const Stopwatch stopwatch;
    {
        ProgressBar bar(isatty(STDERR_FILENO), run.duration());
        const auto show = [&] {
            bar.update(simulator.now(), [&](std::size_t second) { return simulator.second(second); });
        };
        run_in_steps(simulator, run.duration(), stop, show, [&](Time until) {
            if (replay && !replay->run_until(until, run.info().error)) return false;
            if (replay) return !replay->over();
            simulator.run_until(until);
            return true;
        });
    }
    if (replay) {
        if (run.info().error.empty()) replay->finish(run.info().error);
        run.info().replay = replay->report();
    }
    stopwatch.read_into(run.info());
    run.info().ended = simulator.now();
    run.info().changes = run.changes();
    if (run.options().profile) run.info().profile = simulator.profile();
    return run.finish(simulator);
}

}  // namespace anml::rt::entry

// Whether the figures of a live run can be trusted: by how much late packets, packets that were lost between the kernel
// and the emulator, and others on the server's processors may have changed them. docs/results.md states the same
// limits.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "report/effects.h"
#include "report/figures.h"
#include "report/live/live_report.h"

namespace anml::rt {

namespace {
constexpr double kLostShare = 0.001;
constexpr double kShortWait = 0.005;  // s: a handful of turns that others had

std::string_view subject_name(std::string_view figure)
{
    if (figure.starts_with("response")) return "response times";
    if (figure.starts_with("page")) return "page times";
    return figure.starts_with("transfer") ? "transfer times" : "round trips";
}

std::string short_time(Time time)
{
    const double seconds = static_cast<double>(time) / kSecond;
    return seconds < 1 ? fmt::format("{:.3g} ms", 1000 * seconds) : fmt::format("{:.3g} s", seconds);
}

std::string whose_fault(double waited)
{
    std::string time = waited < 1 ? fmt::format("{:.3g} ms", 1000 * waited) : fmt::format("{:.3g} s", waited);
    if (waited >= kShortWait) {
        return fmt::format("the emulator waited {} for a processor: other processes were busy", time);
    }
    return fmt::format("the emulator waited only {} for a processor: other processes here were not the cause", time);
}

std::string by_share(double share) { return share >= 0.995 ? "100 % or more" : fmt::format("{:.2g} %", 100 * share); }

// "seconds 3-5, 9", of those for which `touched` holds; "": of none.
std::string named_seconds(std::size_t count, const std::function<bool(std::size_t)>& touched)
{
    constexpr int kMost = 6;
    std::string text;
    int ranges = 0, seconds = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (!touched(i)) continue;
        const std::size_t first = i;
        while (i + 1 < count && touched(i + 1)) ++i;
        seconds += static_cast<int>(i - first) + 1;
        if (++ranges > kMost) continue;
        text += fmt::format("{}{}", ranges > 1 ? ", " : "", first);
        if (i > first) text += fmt::format("-{}", i);
    }
    if (ranges > kMost) text += ", ...";
    return seconds == 0 ? "" : fmt::format("second{} {}", seconds == 1 ? "" : "s", text);
}

// "" where others took too little from it to count.
std::string server_waited(const LiveCounters& counters, const Effects& effects, std::size_t first_measured)
{
    const std::string when = named_seconds(effects.server_seconds.size(), [&](std::size_t i) {
        return i >= first_measured && effects.server_seconds[i] > 0;
    });
    if (effects.server == 0 && when.empty()) return "";
    const LiveSecond& all = counters.measured();
    return fmt::format(
        "the server waited {} for a processor that other processes had, and ran for {}: figures{} are of a busy "
        "machine",
        short_time(all.server_lost), short_time(all.server_ran), when.empty() ? "" : " of " + when);
}

// "response times of `web` may be too high: mean by 4.1 %, p99 by 12 %", a sentence for each workload.
void name_figures(const std::vector<Effect>& effects, std::vector<std::string>& reasons)
{
    std::optional<std::pair<std::string, std::string>> before;  // whose, and of what
    for (const Effect& effect : effects) {
        if (effect.high <= Effects::kLimit) continue;
        const std::size_t dot = effect.figure.find('.');
        const std::string what = effect.figure.substr(dot + 1) + " by " + by_share(effect.high);
        std::pair subject(effect.workload, effect.figure.substr(0, dot));
        if (before == subject) {
            reasons.back() += ", " + what;
            continue;
        }
        before = std::move(subject);
        if (effect.workload.empty())
            reasons.push_back("what real hosts measure may be too high: " + what);
        else
            reasons.push_back(
                fmt::format("{} of `{}` may be too high: {}", subject_name(effect.figure), effect.workload, what));
    }
}

}  // namespace

std::string_view pace_name(Pace pace) { return pace == Pace::spin ? "spin" : pace == Pace::sleep ? "sleep" : "hybrid"; }

std::string_view verdict_name(Verdict verdict)
{
    switch (verdict) {
        case Verdict::simulated:
            return "simulated";
        case Verdict::kept_up:
            return "kept up";
        case Verdict::degraded:
            return "degraded";
        case Verdict::not_valid:
            return "not valid";
        case Verdict::nothing_to_judge:
            return "nothing to judge";
        case Verdict::failed:
            return "failed";
    }
    return "";
}

namespace {

std::string count_of(std::uint64_t packets) { return fmt::format("{} packet{}", packets, packets == 1 ? "" : "s"); }

// What was lost outside of the model; true: so much that nothing is left of the figures.
bool name_losses(const LiveCounters& counters, std::vector<std::string>& reasons)
{
    const LiveSecond all = counters.all();
    const auto when = [&](std::uint64_t LiveSecond::* lost) {
        const std::string text =
            named_seconds(counters.seconds().size(), [&](std::size_t i) { return counters.seconds()[i].*lost != 0; });
        return text.empty() ? "" : fmt::format(" ({})", text);
    };
    if (all.kernel_drops != 0) {
        reasons.push_back(fmt::format("the kernel dropped {} before the emulator read them{}",
                                      count_of(all.kernel_drops), when(&LiveSecond::kernel_drops)));
    }
    if (all.send_failures != 0) {
        reasons.push_back(fmt::format("the kernel did not take {} that the emulator sent{}",
                                      count_of(all.send_failures), when(&LiveSecond::send_failures)));
    }
    const auto share = [](std::uint64_t lost, std::uint64_t good) {
        return lost == 0 ? 0 : static_cast<double>(lost) / static_cast<double>(lost + good);
    };
    return share(all.kernel_drops, all.received) > kLostShare || share(all.send_failures, all.released) > kLostShare;
}

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> degraded_spans(const RunInfo& run, const Effects& effects)
{
    const std::vector<LiveSecond>& seconds = run.real_time->counters.seconds();
    const auto first_measured = static_cast<std::size_t>(run.warmup / kSecond);
    std::vector<std::pair<std::size_t, std::size_t>> spans;
    for (std::size_t i = first_measured; i < seconds.size(); ++i) {
        const bool touched = i < effects.seconds.size() && effects.seconds[i] > Effects::kLimit;
        if (!touched && seconds[i].kernel_drops == 0 && seconds[i].send_failures == 0) continue;
        if (!spans.empty() && spans.back().second == i)
            ++spans.back().second;
        else
            spans.emplace_back(i, i + 1);
    }
    return spans;
}

Verdict judge(const RunInfo& run, const Effects& effects, bool workload, std::vector<std::string>& reasons)
{
    const LiveReport& report = *run.real_time;
    const LiveCounters& counters = report.counters;
    const LiveSecond all = counters.all();
    if (workload && report.workloads_started == kNever) {
        reasons.push_back("it ended before its workloads started");
        return Verdict::nothing_to_judge;
    }
    if (all.released <= report.unreachable && all.kernel_drops == 0 && all.send_failures == 0) {
        reasons.push_back("no packet left the emulator");
        return Verdict::nothing_to_judge;
    }
    const auto touched = [&](Effect::On on) {
        return std::any_of(effects.figures.begin(), effects.figures.end(),
                           [&](const Effect& e) { return e.on == on && e.high > Effects::kLimit; });
    };
    const auto first_measured = static_cast<std::size_t>(run.warmup / kSecond);
    const std::string seconds = named_seconds(effects.seconds.size(), [&](std::size_t i) {
        return i >= first_measured && effects.seconds[i] > Effects::kLimit;
    });
    const bool whole = touched(Effect::On::mean);
    const bool in_part = touched(Effect::On::tail) || !seconds.empty();
    if (whole || in_part) name_figures(effects.figures, reasons);
    if (!seconds.empty()) {
        const double most = *std::max_element(
            effects.seconds.begin() + static_cast<std::ptrdiff_t>(std::min(first_measured, effects.seconds.size())),
            effects.seconds.end());
        reasons.push_back(fmt::format("means of {} may be up to {} too high", seconds, by_share(most)));
    }
    const auto lagged = std::ranges::max_element(report.processes, {}, &LiveProcess::longest_lag);
    if (!reasons.empty() && lagged != report.processes.end() && lagged->longest_lag >= LiveCounters::kStall)
        reasons.push_back(
            fmt::format("process {} had to wait for others, and was up to {} behind: another process, or "
                        "the network between them, stalled",
                        lagged - report.processes.begin(), short_time(lagged->longest_lag)));
    if (effects.one_way > Effects::kLimit)
        reasons.push_back(fmt::format("one-way times between processes may be off by {}: their clocks agree no better",
                                      by_share(effects.one_way)));
    if (std::string waited = server_waited(counters, effects, first_measured); !waited.empty())
        reasons.push_back(std::move(waited));
    else if (!reasons.empty() && report.processor_wait)
        reasons.push_back(whose_fault(*report.processor_wait));
    const bool much_lost = name_losses(counters, reasons);
    if (whole || much_lost) return Verdict::not_valid;
    return reasons.empty() ? Verdict::kept_up : Verdict::degraded;
}

}  // namespace anml::rt

// Whether the figures of a live run can be trusted: packets must have left when the model said so, and none may have
// been lost between the kernel and the emulator. docs/results.md states the same limits.
#include <fmt/format.h>

#include "io/live.h"
#include "report/figures.h"

namespace anml::rt {

namespace {
constexpr double kLateShare = 0.001;
constexpr Time kSlip99 = kMillisecond;
constexpr double kShortWait = 0.005;  // s: a handful of turns that others had

std::string whose_fault(double waited)
{
    std::string time = waited < 1 ? fmt::format("{:.3g} ms", 1000 * waited) : fmt::format("{:.3g} s", waited);
    if (waited >= kShortWait) {
        return fmt::format("the emulator waited {} for a processor: other processes were busy", time);
    }
    return fmt::format("the emulator waited only {} for a processor: other processes here were not the cause", time);
}
}  // namespace

std::string_view verdict_name(Verdict verdict)
{
    switch (verdict) {
        case Verdict::simulated:
            return "simulated";
        case Verdict::kept_up:
            return "kept up";
        case Verdict::did_not_keep_up:
            return "did not keep up";
        case Verdict::nothing_to_judge:
            return "nothing to judge";
        case Verdict::failed:
            return "failed";
    }
    return "";
}

Verdict judge(const io::LiveReport& report, bool workload, std::vector<std::string>& reasons)
{
    if (workload && report.workloads_started == kNever) {
        reasons.push_back("it ended before its workloads started");
        return Verdict::nothing_to_judge;
    }
    if (report.released <= report.unreachable && report.kernel_drops == 0 && report.send_failures == 0) {
        reasons.push_back("no packet left the emulator");
        return Verdict::nothing_to_judge;
    }
    if (report.released != 0) {
        double late = static_cast<double>(report.late) / static_cast<double>(report.released);
        if (late > kLateShare) {
            reasons.push_back(fmt::format("{:.2f} % of the packets left more than 1 ms late (limit {:g} %)", 100 * late,
                                          100 * kLateShare));
        }
        Time slip = report.slip.percentile(99);
        if (slip > kSlip99) {
            reasons.push_back(fmt::format("1 % of the packets left {:.2f} ms late or more (limit {:g} ms)",
                                          static_cast<double>(slip) / kMillisecond,
                                          static_cast<double>(kSlip99) / kMillisecond));
        }
        if (!reasons.empty() && report.processor_wait) reasons.push_back(whose_fault(*report.processor_wait));
    }
    if (report.kernel_drops != 0) {
        reasons.push_back(fmt::format("the kernel dropped {} packet{} before the emulator read them",
                                      report.kernel_drops, report.kernel_drops == 1 ? "" : "s"));
    }
    if (report.send_failures != 0) {
        reasons.push_back(fmt::format("the kernel did not take {} packet{} that the emulator sent",
                                      report.send_failures, report.send_failures == 1 ? "" : "s"));
    }
    return reasons.empty() ? Verdict::kept_up : Verdict::did_not_keep_up;
}

}  // namespace anml::rt

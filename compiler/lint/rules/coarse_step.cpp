// Fluid that comes in bursts which are hardly longer than the time for which its rates stay what they are.
#include <fmt/format.h>

#include <algorithm>

#include "lint/rules.h"

namespace anml {

namespace {

constexpr double kMostOfBurst = 0.2;  // of a burst or a pause, that a step may take

}  // namespace

void lint_coarse_step(LintContext& context)
{
    for (const WorkloadInfo& workload : context.network.workloads) {
        const RecordInfo& record = context.network.records[workload.record];
        if (!is_a(record, abi::RecordSchema::background)) continue;
        const auto time = [&](std::string_view name) { return context.value(record_number(record, name)); };
        const double step = time("step"), burst = time("burst"), pause = time("pause");
        if (burst <= 0) continue;
        const bool shorter_pause = pause > 0 && pause < burst;
        const double shortest = shorter_pause ? pause : burst;
        if (step <= kMostOfBurst * shortest * (1 + 1e-9)) continue;
        context.find(step / shortest,
                     {Diag::coarse_step,
                      workload.span,
                      fmt::format("the rates of `{}` stay for a `step` of {}, {} of its mean {} of {}", workload.name,
                                  show_time(step), show(step / shortest), shorter_pause ? "pause" : "burst",
                                  show_time(shortest)),
                      fmt::format("a tenth is enough, `step = {}`: with longer ones queues are longer than of packets",
                                  show_time(shortest / 10)),
                      {},
                      {}});
    }
}

}  // namespace anml

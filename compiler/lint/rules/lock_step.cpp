// Hosts that begin together and pause equally long: they go on in step, in bursts that no real crowd makes.
#include <fmt/format.h>

#include "lint/rules.h"

namespace anml {

namespace {

constexpr double kFewest = 10;        // hosts that make a burst
constexpr double kMostSpread = 0.05;  // of the pause, within which they begin

// From one thing that a host does to the next, where it is always the same; 0: it is drawn.
double constant_pause(const LintContext& context, const WorkloadInfo& workload)
{
    const RecordInfo& record = context.network.records[workload.record];
    for (const std::string_view name : {"think", "interval", "pause"}) {
        const RecordValue* value = find_value(record, name);
        if (!value) continue;
        if (const auto* number = std::get_if<ValueExprId>(value)) return context.value(*number);
        const auto* draw = std::get_if<DistributionValue>(value);
        return draw && draw->kind == abi::DistributionKind::constant ? context.value(draw->a) : 0;
    }
    return 0;
}

}  // namespace

void lint_lock_step(LintContext& context)
{
    for (const WorkloadInfo& workload : context.network.workloads) {
        // Without a spread hosts begin anywhere within the first pause.
        if (workload.start != abi::Start::spread) continue;
        double hosts = 0;
        for (const TargetRange& target : workload.targets) hosts += target.count;
        const double pause = constant_pause(context, workload), spread = context.value(workload.start_spread);
        if (hosts < kFewest || pause <= 0 || spread > kMostSpread * pause) continue;
        const bool thinks = workload.traits.load != Load::open;
        context.find(
            hosts,
            {Diag::lock_step,
             workload.span,
             fmt::format("the {} hosts of `{}` begin within {} and then {} {} each: they go on in step", show(hosts),
                         workload.name, show_time(spread), thinks ? "think" : "wait", show_time(pause)),
             thinks ? fmt::format("people differ: `think = exponential({0})`; or leave `start_spread` "
                                  "out, so that they begin anywhere within {0}",
                                  show_time(pause))
                    : fmt::format("leave `start_spread` out, so that they begin anywhere within {}", show_time(pause)),
             {},
             {},
             workload.start_spread_at.valid()
                 ? std::vector<Fix>{{{workload.start_spread_at, "", EditAt::attribute}, {}, thinks}}
                 : std::vector<Fix>{}});
    }
}

}  // namespace anml

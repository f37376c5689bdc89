// What the timeline changes of workloads, besides switching them on and off: whether these have it, and within which
// limits.
#include "runtime/abi/workload_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "elaborate/model.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

const abi::WorkloadAttribute& timed_attribute(abi::TimelineAttribute attribute)
{
    return *std::find_if(std::begin(abi::kWorkloadAttributes), std::end(abi::kWorkloadAttributes),
                         [&](const abi::WorkloadAttribute& known) { return known.attribute == attribute; });
}

std::string value_text(const abi::WorkloadAttribute& attribute, double value)
{
    if (attribute.attribute == abi::TimelineAttribute::share) return fmt::format("{:.6g} %", 100 * value);
    return format_quantity(value, attribute.unit == abi::Unit::rate ? dimension::rate : dimension::none);
}

// True: an error was reported.
bool workload_stays(const Network& network, ReportOnce& report, const TimelineInfo& info)
{
    const std::string_view name = timed_attribute(info.attribute).name;
    for (const std::uint32_t w : info.workloads) {
        const WorkloadInfo& workload = network.workloads[w];
        const auto schema = static_cast<abi::RecordSchema>(network.records[workload.record].layout);
        if (abi::can_change(schema, info.attribute)) continue;
        const std::string_view kind = abi::record_layout(schema).schema;
        std::string others;
        for (const abi::WorkloadAttribute& other : abi::kWorkloadAttributes)
            if (abi::can_change(schema, other.attribute))
                others += fmt::format("{}`{}`", others.empty() ? "" : " and ", other.name);
        auto error = report(Diag::fixed_attribute, info.span,
                            fmt::format("`{}` is a `{}`, which has no `{}` that the timeline could change",
                                        workload.name, kind.substr(kind.find('.') + 1), name));
        error.also(workload.span, "declared here");
        if (schema == abi::RecordSchema::calls)
            error.help("its servers call for each request that they get: what can change is how many those are");
        else
            error.help(fmt::format("{} can", others));
        return true;
    }
    return false;
}

}  // namespace

void change_workload(Elaboration& in, const ActionStatement& a, TimelineInfo info, Frame& frame)
{
    if (workload_stays(in.network, in.report, info)) return;
    const abi::WorkloadAttribute& attribute = timed_attribute(info.attribute);
    ValuePool& pool = in.network.values;
    const auto limits =
        fmt::format("{} .. {}", value_text(attribute, attribute.least), value_text(attribute, attribute.most));
    const auto evaluated = [&](ExprId id) -> std::optional<ValueExprId> {
        const auto v = number(in, id, frame);
        if (!v) return std::nullopt;
        const Span place = in.program.expr(id).span;
        for (const std::uint32_t index : tunables_in(in.network.values, *v)) {
            if (index < in.network.tunables.size()) continue;
            report_shape(in, *v, place, fmt::format("`{}`", attribute.name));
            return std::nullopt;
        }
        const ValueExprId inside = pool.make(ValueOp::and_, pool.make(ValueOp::le, in.constant(attribute.least), *v),
                                             pool.make(ValueOp::le, *v, in.constant(attribute.most)));
        if (pool.evaluate(inside, in.tunable_defaults) == 0) {
            auto error = in.report(Diag::out_of_range, place,
                                   fmt::format("`{}` is {}, outside {}", attribute.name,
                                               value_text(attribute, pool.evaluate(*v, in.tunable_defaults)), limits));
            if (attribute.attribute == abi::TimelineAttribute::share) error.help("a share of its hosts: `40 %`");
            return std::nullopt;
        }
        if (pool.bounds(inside, in.tunable_ranges).low == 0)
            require(in, inside, fmt::format("`{}` of `{}` is outside {}", attribute.name, info.subject, limits), place,
                    true);
        return v;
    };
    const auto from = evaluated(a.value), to = a.last ? evaluated(a.last) : from;
    if (!from || !to) return;
    info.value = *from;
    info.value_to = *to;
    in.network.timeline.push_back(std::move(info));
}

}  // namespace anml

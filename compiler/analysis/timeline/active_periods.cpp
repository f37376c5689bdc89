#include "analysis/timeline/active_periods.h"

#include <algorithm>

namespace anml {

std::vector<ActivePeriod> active_periods(const Network& network, std::uint32_t workload,
                                         const std::vector<double>& tunables)
{
    const auto value = [&](ValueExprId id) { return network.values.evaluate(id, tunables); };
    std::vector<const TimelineInfo*> rows;
    for (const TimelineInfo& t : network.timeline)
        if ((t.attribute == abi::TimelineAttribute::active || t.attribute == abi::TimelineAttribute::share) &&
            std::find(t.workloads.begin(), t.workloads.end(), workload) != t.workloads.end())
            rows.push_back(&t);
    const auto times = [&](std::uint32_t row) {
        const TimelineInfo& t = *rows[row];
        return abi::TimelineTimes{t.form, value(t.first), value(t.last), value(t.step)};
    };
    const double end = value(network.duration);
    std::vector<ActivePeriod> periods{{0, end}};
    const auto moments = abi::moments_of(static_cast<std::uint32_t>(rows.size()), times);
    if (!moments) return periods;  // an error that is reported elsewhere
    abi::TimelineValue on(1), share(1);
    const auto active = [&] { return on.now() != 0 && share.now() > 0; };
    for (const abi::Moment& moment : *moments) {
        const bool before = active();
        const TimelineInfo& t = *rows[moment.row];
        (t.attribute == abi::TimelineAttribute::active ? on : share)
            .apply(times(moment.row), moment, value(t.value), value(t.value_to));
        const double time = static_cast<double>(moment.time);
        if (time >= end || before == active()) continue;
        if (before)
            periods.back().to = time;
        else
            periods.push_back({time, end});
    }
    std::erase_if(periods, [](const ActivePeriod& p) { return p.to <= p.from; });
    return periods;
}

}  // namespace anml

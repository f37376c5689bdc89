#include "analysis/timeline/link_values.h"

#include <algorithm>

#include "analysis/network_queries.h"

namespace anml {

TimedLinks::TimedLinks(const Network& network) : network_(network), moments_of_(network.timeline.size())
{
    const std::vector<double> defaults = default_tunables(network);
    const auto time = [&](ValueExprId id) { return network.values.evaluate(id, defaults); };
    for (const TimelineInfo& t : network.timeline)
        times_.push_back({t.form, time(t.first), time(t.last), time(t.step)});
    if (const auto moments =
            abi::moments_of(static_cast<std::uint32_t>(times_.size()), [&](std::uint32_t row) { return times_[row]; }))
        moments_ = *moments;
    for (std::uint32_t i = 0; i < moments_.size(); ++i) moments_of_[moments_[i].row].push_back(i);
    for (std::uint32_t row = 0; row < network.timeline.size(); ++row)
        for (const LinkSlice& links : network.timeline[row].links)
            rows_of_links_.add(links.row.value, links.first, links.count, row);
}

// As abi::TimelineValue does it, with expressions.
ValueExprId TimedLinks::value(ValuePool& values, std::uint32_t link, abi::TimelineAttribute attribute,
                              double time) const
{
    const std::size_t row = link_row_of(network_, link);
    const LinkArray& group = network_.links[row];
    const std::uint32_t direction = (link - group.first_link) % 2, element = (link - group.first_link) / 2;
    ValueExprId base = attribute == abi::TimelineAttribute::rate    ? group.rate[direction]
                       : attribute == abi::TimelineAttribute::queue ? group.queue[direction]
                                                                    : group.delay[direction];
    const auto later = std::partition_point(moments_.begin(), moments_.end(), [&](const abi::Moment& moment) {
        return static_cast<double>(moment.time) <= time;
    });
    const auto end = static_cast<std::uint32_t>(later - moments_.begin());
    std::vector<std::uint32_t> acting;  // moments before that one
    rows_of_links_.find(static_cast<std::uint32_t>(row), element, [&](std::uint32_t of) {
        const TimelineInfo& t = network_.timeline[of];
        const std::vector<std::uint32_t>& its = moments_of_[of];
        if (t.attribute == attribute && (t.directions >> direction & 1))
            acting.insert(acting.end(), its.begin(), std::lower_bound(its.begin(), its.end(), end));
    });
    std::sort(acting.begin(), acting.end());
    acting.erase(std::unique(acting.begin(), acting.end()), acting.end());
    std::vector<std::pair<std::uint32_t, ValueExprId>> open;  // intervals
    for (const std::uint32_t index : acting) {
        const abi::Moment& moment = moments_[index];
        const TimelineInfo& t = network_.timeline[moment.row];
        if (moment.ends) {
            std::erase_if(open, [&](const auto& interval) { return interval.first == moment.row; });
        } else if (t.form == abi::TimelineForm::interval) {
            open.emplace_back(moment.row, t.value);
        } else if (t.form == abi::TimelineForm::ramp) {
            const double done = abi::ramp_value(times_[moment.row], moment, 0, 1);
            base = values.make(
                ValueOp::add, t.value,
                values.make(ValueOp::mul, values.constant(done), values.make(ValueOp::sub, t.value_to, t.value)));
        } else {
            base = t.value;
        }
    }
    return open.empty() ? base : open.back().second;
}

}  // namespace anml

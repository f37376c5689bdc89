#include "route/link_values.h"

#include "route/network_queries.h"

namespace anml {
namespace {

abi::TimelineTimes times_of(const Network& network, const TimelineInfo& t)
{
    const std::vector<double> defaults = default_tunables(network);
    const auto time = [&](ValueExprId id) { return network.values.evaluate(id, defaults); };
    return {t.form, time(t.first), time(t.last), time(t.step)};
}

}  // namespace

TimedLinks::TimedLinks(const Network& network) : network_(network)
{
    const auto moments = abi::moments_of(static_cast<std::uint32_t>(network.timeline.size()),
                                         [&](std::uint32_t row) { return times_of(network, network.timeline[row]); });
    if (moments) moments_ = *moments;
}

// As abi::TimelineValue does it, with expressions.
ValueExprId TimedLinks::value(ValuePool& values, std::uint32_t link, abi::TimelineAttribute attribute,
                              double time) const
{
    const std::size_t row = link_row_of(network_, link);
    const LinkGroup& group = network_.links[row];
    const std::uint32_t direction = (link - group.first_link) % 2, element = (link - group.first_link) / 2;
    ValueExprId base = attribute == abi::TimelineAttribute::rate    ? group.rate[direction]
                       : attribute == abi::TimelineAttribute::queue ? group.queue[direction]
                                                                    : group.delay[direction];
    std::vector<std::pair<std::uint32_t, ValueExprId>> open;  // intervals
    for (const abi::Moment& moment : moments_) {
        if (static_cast<double>(moment.time) > time) break;
        const TimelineInfo& t = network_.timeline[moment.row];
        if (t.attribute != attribute || !(t.directions >> direction & 1)) continue;
        bool meant = false;
        for (const LinkSlice& links : t.links) meant |= links.row.value == row && element - links.first < links.count;
        if (!meant) continue;
        if (moment.ends) {
            std::erase_if(open, [&](const auto& interval) { return interval.first == moment.row; });
        } else if (t.form == abi::TimelineForm::interval) {
            open.emplace_back(moment.row, t.value);
        } else if (t.form == abi::TimelineForm::ramp) {
            const double done = abi::ramp_value(times_of(network_, t), moment, 0, 1);
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

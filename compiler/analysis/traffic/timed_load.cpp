#include "analysis/traffic/timed_load.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/traffic/expected_traffic.h"

namespace anml {

namespace {

// What the timeline says of one workload, moment by moment.
class LoadMoments {
  public:
    LoadMoments(const Network& network, std::uint32_t workload, std::vector<const TimelineInfo*> rows,
                const std::vector<double>& tunables)
        : network_(network), tunables_(tunables), rows_(std::move(rows))
    {
        const WorkloadTraits& traits = network.workloads[workload].traits;
        declared_rate_ = 8e9 * (value(traits.request) + datagram_headers(network.workloads[workload].ipv6)) /
                         std::max(value(traits.interval), 1.0);
    }

    bool changes() const
    {
        return std::any_of(rows_.begin(), rows_.end(),
                           [](const TimelineInfo* t) { return t->attribute != abi::TimelineAttribute::active; });
    }

    // `visit(load)` for what holds before the first moment, and behind all moments of each time up to `end`.
    template <class Visit>
    void each_until(double end, Visit&& visit) const
    {
        const auto times = [&](std::uint32_t row) {
            const TimelineInfo& t = *rows_[row];
            return abi::TimelineTimes{t.form, value(t.first), value(t.last), value(t.step)};
        };
        const auto moments = abi::moments_of(static_cast<std::uint32_t>(rows_.size()), times);
        abi::TimelineValue on(1), share(1), load(1), rate(declared_rate_);
        const auto now = [&] {
            return TimedLoad{on.now() != 0 ? share.now() : 0, load.now() * rate.now() / declared_rate_};
        };
        if (!moments || moments->empty() || moments->front().time > 0) visit(now());
        for (std::size_t i = 0; moments && i < moments->size(); ++i) {
            const abi::Moment& moment = (*moments)[i];
            if (static_cast<double>(moment.time) > end) return;
            const TimelineInfo& t = *rows_[moment.row];
            abi::TimelineValue& changed = t.attribute == abi::TimelineAttribute::active  ? on
                                          : t.attribute == abi::TimelineAttribute::share ? share
                                          : t.attribute == abi::TimelineAttribute::load  ? load
                                                                                         : rate;
            changed.apply(times(moment.row), moment, value(t.value), value(t.value_to));
            if (i + 1 == moments->size() || (*moments)[i + 1].time != moment.time) visit(now());
        }
    }

  private:
    double value(ValueExprId id) const { return network_.values.evaluate(id, tunables_); }

    const Network& network_;
    const std::vector<double>& tunables_;
    std::vector<const TimelineInfo*> rows_;
    double declared_rate_;  // bit/s of one host
};

}  // namespace

std::vector<TimedLoad> timed_loads(const Network& network, const std::vector<double>& tunables,
                                   std::optional<double> time)
{
    std::vector<TimedLoad> loads(network.workloads.size());
    std::map<std::uint32_t, std::vector<const TimelineInfo*>> rows;
    for (const TimelineInfo& t : network.timeline) {
        if (!abi::is_of_workloads(t.attribute)) continue;
        for (const std::uint32_t workload : t.workloads) rows[workload].push_back(&t);
    }
    const double until = time.value_or(network.values.evaluate(network.duration, tunables));
    for (const auto& [workload, changes] : rows) {
        const LoadMoments moments(network, workload, changes, tunables);
        if (!time && !moments.changes()) continue;
        TimedLoad& found = loads[workload];
        found = {0, 0};
        moments.each_until(until, [&](const TimedLoad& load) {
            if (time || load.hosts * load.each > found.hosts * found.each) found = load;
        });
    }
    return loads;
}

}  // namespace anml

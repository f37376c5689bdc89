#include "analysis/traffic/timed_load.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/traffic/expected_traffic.h"

namespace anml {

namespace {

// How many times its load an open loop has by its `schedule`, as runtime/app/web/schedule.cpp has it.
class ScheduledLoad {
  public:
    ScheduledLoad(const Network& network, std::uint32_t workload, const std::vector<double>& tunables)
    {
        const RecordInfo& record = network.records[network.workloads[workload].record];
        const RecordValue* const stages = find_value(record, "schedule");
        const auto* const list = stages ? std::get_if<RecordList>(stages) : nullptr;
        if (!list) return;
        const auto value = [&](const RecordInfo& of, const char* name) {
            return network.values.evaluate(record_number(of, name), tunables);
        };
        for (const auto stage : *list) {
            const RecordInfo& of = network.records[stage];
            stages_.push_back({value(of, "duration"), value(of, "begin"), value(of, "end")});
            all_ += stages_.back().duration;
        }
        repeats_ = all_ > 0 && value(record, "repeat") != 0;
    }

    bool empty() const { return stages_.empty(); }

    double at(double time) const
    {
        if (stages_.empty()) return 1;
        double left = repeats_ ? std::fmod(time, all_) : time;
        for (const Stage& stage : stages_) {
            if (left < stage.duration) return stage.at(left);
            left -= stage.duration;
        }
        return stages_.back().end;
    }

    // The most from one time on and before another one.
    double most(double from, double to) const
    {
        double most = at(from);
        double begin = repeats_ ? std::floor(from / all_) * all_ : 0;
        for (int round = 0; round < (repeats_ ? 3 : 1); ++round)
            for (const Stage& stage : stages_) {
                const double first = std::max(from, begin), last = std::min(to, begin + stage.duration);
                if (first < last) most = std::max({most, stage.at(first - begin), stage.at(last - begin)});
                begin += stage.duration;
            }
        if (!repeats_ && !stages_.empty() && to > all_) most = std::max(most, stages_.back().end);
        return most;
    }

  private:
    struct Stage {
        double duration, begin, end;
        double at(double passed) const { return begin + (end - begin) * (passed / duration); }
    };
    std::vector<Stage> stages_;
    double all_ = 0;  // ns
    bool repeats_ = false;
};

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

    // `visit(load, from, to)` for what holds before the first moment, and behind all moments of each time up to `end`.
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
        const auto time_of = [&](std::size_t i) {
            return moments && i < moments->size() ? static_cast<double>((*moments)[i].time) : end;
        };
        if (!moments || moments->empty() || moments->front().time > 0) visit(now(), 0.0, std::min(end, time_of(0)));
        for (std::size_t i = 0; moments && i < moments->size(); ++i) {
            const abi::Moment& moment = (*moments)[i];
            if (time_of(i) > end) return;
            const TimelineInfo& t = *rows_[moment.row];
            abi::TimelineValue& changed = t.attribute == abi::TimelineAttribute::active  ? on
                                          : t.attribute == abi::TimelineAttribute::share ? share
                                          : t.attribute == abi::TimelineAttribute::load  ? load
                                                                                         : rate;
            changed.apply(times(moment.row), moment, value(t.value), value(t.value_to));
            if (i + 1 == moments->size() || (*moments)[i + 1].time != moment.time)
                visit(now(), time_of(i), std::min(end, time_of(i + 1)));
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
    // Without a time up to the run's end, at which nothing happens any more.
    const double until = time.value_or(network.values.evaluate(network.duration, tunables) - 1);
    for (std::uint32_t workload = 0; workload < network.workloads.size(); ++workload) {
        const ScheduledLoad schedule(network, workload, tunables);
        const auto changes = rows.find(workload);
        if (changes == rows.end() && schedule.empty()) continue;
        const std::vector<const TimelineInfo*> none;
        const LoadMoments moments(network, workload, changes == rows.end() ? none : changes->second, tunables);
        if (!time && !moments.changes() && schedule.empty()) continue;
        TimedLoad& found = loads[workload];
        found = {0, 0};
        moments.each_until(until, [&](TimedLoad load, double from, double to) {
            load.each *= time ? schedule.at(*time) : schedule.most(from, to);
            if (time || load.hosts * load.each > found.hosts * found.each) found = load;
        });
    }
    return loads;
}

}  // namespace anml

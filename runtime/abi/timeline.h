// The timeline's statements as moments in their order: the one reading of them that the compiler and the runtime share.
//
// At one instant, what ends ends first; then statements act in the order of the text, so that the last one counts.
// While intervals are open, the one that began last counts; without one the value that was set last, or the declared
// one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "image.h"
#include "records.h"

namespace anml::abi {

// From TimelineAttribute::impairment on, attributes are the fields of this layout.
inline constexpr RecordLayout kImpairment = record_layout(RecordSchema::impairment);
inline constexpr auto kTimelineAttributes =
    static_cast<std::uint32_t>(TimelineAttribute::impairment) + static_cast<std::uint32_t>(kImpairment.fields.size());

constexpr bool is_impairment(TimelineAttribute attribute) { return attribute >= TimelineAttribute::impairment; }
constexpr bool is_of_workloads(TimelineAttribute attribute)
{
    return attribute >= TimelineAttribute::active && attribute <= TimelineAttribute::sending_rate;
}
constexpr std::uint32_t impairment_number(TimelineAttribute attribute)
{
    return static_cast<std::uint32_t>(attribute) - static_cast<std::uint32_t>(TimelineAttribute::impairment);
}
constexpr const RecordField& impairment_field(TimelineAttribute attribute)
{
    return kImpairment.fields[impairment_number(attribute)];
}
consteval TimelineAttribute impairment_attribute(std::string_view name)
{
    return static_cast<TimelineAttribute>(static_cast<std::ptrdiff_t>(TimelineAttribute::impairment) +
                                          (find_field(kImpairment, name) - kImpairment.fields.data()));
}

constexpr std::string_view timeline_attribute_name(TimelineAttribute attribute)
{
    constexpr std::string_view kNames[] = {"up",   "rate", "delay",  "queue", "packets", "discipline",
                                           "cost", "on",   "active", "load",  "rate"};
    return is_impairment(attribute) ? impairment_field(attribute).name : kNames[static_cast<std::uint32_t>(attribute)];
}

// Of a statement, in ns; `last` and `step` where the form has them.
struct TimelineTimes {
    TimelineForm form;
    double first, last, step;
};

struct Moment {
    std::int64_t time;  // ns since the start
    std::uint32_t row;
    std::uint32_t step;  // of `every` and ramps, from 0
    bool ends;           // the interval
};

inline constexpr std::size_t kMostMoments = 1'000'000;

// `times(row)` for rows [0, count). Nothing if there are more than kMostMoments.
template <class Times>
std::optional<std::vector<Moment>> moments_of(std::uint32_t count, Times&& times)
{
    std::vector<Moment> moments;
    for (std::uint32_t row = 0; row < count; ++row) {
        const TimelineTimes t = times(row);
        const auto add = [&](double time, std::uint32_t step, bool ends) {
            moments.push_back({std::llround(time), row, step, ends});
        };
        switch (t.form) {
            case TimelineForm::once:
                add(t.first, 0, false);
                break;
            case TimelineForm::interval:
                add(t.first, 0, false);
                add(t.last, 0, true);
                break;
            case TimelineForm::every:
            case TimelineForm::ramp: {
                const double steps = std::floor((t.last - t.first) / t.step + 1e-9);
                if (!(steps < static_cast<double>(kMostMoments - moments.size()))) return std::nullopt;
                const auto whole = steps >= 0 ? static_cast<std::uint32_t>(steps) : 0;
                for (std::uint32_t i = 0; i <= whole && steps >= 0; ++i) add(t.first + i * t.step, i, false);
                const bool short_step = t.form == TimelineForm::ramp && t.first + whole * t.step < t.last;
                if (short_step) add(t.last, whole + 1, false);
                break;
            }
        }
        if (moments.size() > kMostMoments) return std::nullopt;
    }
    std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
        return std::tuple(a.time, !a.ends, a.row, a.step) < std::tuple(b.time, !b.ends, b.row, b.step);
    });
    return moments;
}

// A ramp's value at one of its moments.
inline double ramp_value(const TimelineTimes& times, const Moment& moment, double from, double to)
{
    if (static_cast<double>(moment.time) + 0.5 >= times.last) return to;
    return from + (to - from) * (static_cast<double>(moment.time) - times.first) / (times.last - times.first);
}

// The value of one attribute of one thing as statements change it.
class TimelineValue {
  public:
    explicit TimelineValue(double declared) : base_(declared) {}

    double now() const { return open_.empty() ? base_ : open_.back().second; }
    void set(double value) { base_ = value; }
    void begin(std::uint32_t row, double value) { open_.emplace_back(row, value); }
    void end(std::uint32_t row)
    {
        std::erase_if(open_, [&](const auto& interval) { return interval.first == row; });
    }
    // What a statement does at a moment of its.
    void apply(const TimelineTimes& times, const Moment& moment, double value, double value_to)
    {
        if (moment.ends)
            end(moment.row);
        else if (times.form == TimelineForm::interval)
            begin(moment.row, value);
        else
            set(times.form == TimelineForm::ramp ? ramp_value(times, moment, value, value_to) : value);
    }

  private:
    double base_;
    std::vector<std::pair<std::uint32_t, double>> open_;  // intervals, by row, in the order of their beginning
};

}  // namespace anml::abi

#include "experiment/statistics/warmup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "experiment/statistics/mser.h"

namespace anml {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostPilotPoints = 64;

std::optional<double> number_in(const Json& value)
{
    return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

// Second by second, of all web workloads and transfers together; the last one may be a part of a second.
std::vector<Series> seconds_of(const Json& results)
{
    std::vector<Series> all;
    const Json series = results.value("series", Json::object());
    for (const auto& [key, name] : {std::pair{"response_mean_seconds", "the response times' mean"},
                                    {"completed", "transactions per second"},
                                    {"throughput_bps", "throughput"}})
    {
        const auto found = series.find(key);
        if (found == series.end() || !found->is_array() || found->size() < 2) continue;
        Series& one = all.emplace_back(Series{name, 1, {}});
        for (std::size_t i = 0; i + 1 < found->size(); ++i) one.values.push_back(number_in((*found)[i]));
        if (std::all_of(one.values.begin(), one.values.end(), [](const auto& value) { return value.value_or(0) == 0; }))
            all.pop_back();
    }
    return all;
}

std::vector<Series> parts_of(const Json& results, const std::vector<std::string>& measures)
{
    std::vector<Series> all;
    const Json batches = results.value("batches", Json::object());
    if (!batches.is_object() || !batches.contains("seconds") || !batches.contains("measures")) return all;
    for (const std::string& measure : measures) {
        Series& one = all.emplace_back(Series{measure, batches["seconds"].get<double>(), {}});
        if (const auto found = batches["measures"].find(measure); found != batches["measures"].end())
            for (const Json& value : *found) one.values.push_back(number_in(value));
    }
    return all;
}

// By place in each run's list.
std::vector<Series> averages(const std::vector<std::vector<Series>>& runs)
{
    std::vector<Series> all;
    for (const Series& first : runs.front()) {
        std::vector<Series> same;
        for (const std::vector<Series>& run : runs)
            for (const Series& one : run)
                if (one.name == first.name) same.push_back(one);
        if (same.size() == runs.size()) all.push_back(averaged(same));
    }
    return all;
}

// Of the seconds [begin, ...) that have one.
std::optional<double> mean_from(const Series& series, double begin)
{
    double sum = 0;
    std::size_t count = 0;
    for (auto i = static_cast<std::size_t>(std::ceil(begin)); i < series.values.size(); ++i)
        if (series.values[i]) sum += *series.values[i], ++count;
    return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

// A minimum in the second half is chance in one of twenty short series that are steady. Whether the second quarter has
// the mean of the second half, with 99 %, and neither has neighbours that depend on each other, as a trend has.
bool halves_agree(const std::vector<double>& values, std::size_t joins)
{
    std::vector<double> means;
    for (std::size_t i = 0; i + joins <= values.size(); i += joins)
        means.push_back(interval_of(std::span(values).subspan(i, joins)).mean);
    const std::size_t count = means.size();
    const std::span quarter = std::span(means).subspan(count / 4, count / 2 - count / 4),
                    half = std::span(means).subspan(count / 2);
    if (!are_independent(quarter) || !are_independent(half)) return false;
    const Interval difference = difference_of(interval_of(quarter), interval_of(half), 0.99);
    return std::fabs(difference.mean) <= *difference.half_width;
}

// What each of the runs says of this measure by itself.
std::vector<double> alone(const std::vector<std::vector<Series>>& runs, const std::string& name)
{
    std::vector<double> found;
    for (const std::vector<Series>& run : runs)
        for (const Series& one : run)
            if (one.name == name)
                if (const auto transient = transient_of(one)) found.push_back(transient->seconds);
    return found;
}

std::string in_words(double seconds) { return fmt::format("{:.3g} s", seconds); }

// What the warm-up left of the transient; "": nothing that can be shown.
std::string late_transient(const std::vector<std::vector<Series>>& runs, double warmup, double confidence)
{
    std::string worst;
    double longest = warmup;
    for (const Series& series : averages(runs)) {
        const auto found = transient_of(series);
        if (!found || !found->settled || found->seconds <= longest) continue;
        std::vector<double> off;
        double mean = 0;
        for (const std::vector<Series>& run : runs)
            for (const Series& one : run)
                if (one.name == series.name)
                    if (const auto all = mean_from(one, warmup), behind = mean_from(one, found->seconds); all && behind)
                        off.push_back(*all - *behind), mean += *behind / static_cast<double>(runs.size());
        const Interval interval = interval_of(off, confidence);
        constexpr double kMatters = 0.01;
        if (off.size() < runs.size() || !interval.half_width || std::fabs(interval.mean) <= *interval.half_width ||
            std::fabs(interval.mean) <= kMatters * std::fabs(mean))
            continue;
        longest = found->seconds;
        worst =
            fmt::format("a transient goes on until {} (MSER-5), behind the warm-up of {}: with it {} {} by {:.2g} %",
                        in_words(found->seconds), in_words(warmup), series.name,
                        interval.mean > 0 ? "is higher" : "is lower", 100 * std::fabs(interval.mean / mean));
    }
    return worst;
}

}  // namespace

Series averaged(const std::vector<Series>& all)
{
    Series result = all.front();
    for (const Series& one : all) result.values.resize(std::min(result.values.size(), one.values.size()));
    for (std::size_t i = 0; i < result.values.size(); ++i) {
        double sum = 0;
        std::size_t count = 0;
        for (const Series& one : all)
            if (one.values[i]) sum += *one.values[i], ++count;
        result.values[i] = count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
    }
    return result;
}

std::optional<Transient> transient_of(const Series& series)
{
    std::vector<double> values;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < series.values.size(); ++i)
        if (series.values[i]) values.push_back(*series.values[i]), places.push_back(i);
    if (5 * values.size() < 4 * series.values.size()) return std::nullopt;
    const std::size_t joins = values.size() >= kMserFewest * kMserJoins ? kMserJoins : 1;
    const auto found = mser(values, joins);
    if (!found) return std::nullopt;
    const bool settled = found->settled || halves_agree(values, joins);
    const std::size_t out = settled ? found->in_first_half : found->leaves_out;
    return Transient{static_cast<double>(places[out]) * series.seconds, settled};
}

std::vector<Settings> pilot_points(const ExperimentInfo& info)
{
    std::vector<std::vector<std::string>> ends;
    std::size_t product = 1;
    for (const FactorInfo& factor : info.factors) {
        std::vector<std::string>& levels = ends.emplace_back();
        if (factor.levels.empty())
            levels = {
                factor.integer ? fmt::format("{:.0f}", std::ceil(factor.low)) : exact_quantity(factor.low, factor.dim),
                factor.integer ? fmt::format("{:.0f}", std::floor(factor.high))
                               : exact_quantity(factor.high, factor.dim)};
        else if (factor.values.size() == factor.levels.size() && factor.levels.size() > 2)
            levels = {factor.levels.front(), factor.levels.back()};
        else
            levels = factor.levels;
        product = std::min(product, kMostPilotPoints) * levels.size();
    }
    std::vector<Settings> points{{}};
    if (product <= kMostPilotPoints) {
        for (std::size_t f = 0; f < ends.size(); ++f) {
            std::vector<Settings> more;
            for (const Settings& point : points)
                for (const std::string& level : ends[f])
                    more.push_back(point), more.back().emplace_back(info.factors[f].name, level);
            points = std::move(more);
        }
        return points;
    }
    for (std::size_t f = 0; f < ends.size(); ++f) points[0].emplace_back(info.factors[f].name, ends[f].front());
    for (std::size_t f = 0; f < ends.size(); ++f)
        for (std::size_t i = 1; i < ends[f].size(); ++i)
            points.push_back(points[0]), points.back()[f].second = ends[f][i];
    return points;
}

FoundWarmup find_warmup(const ExperimentRequest& request, const std::vector<EndedRun>& pilots)
{
    FoundWarmup result;
    bool some = false, any_settled = false;
    for (std::size_t begin = 0; begin < pilots.size();) {
        const Settings& settings = pilots[begin].spec.settings;
        std::vector<std::vector<Series>> parts, seconds;
        for (; begin < pilots.size() && pilots[begin].spec.settings == settings; ++begin) {
            const EndedRun& run = pilots[begin];
            const std::string folder = run_folder(request.folder, run.spec);
            const auto results = run.outcome.good() ? read_json(folder + "/results.json") : std::nullopt;
            if (!results) return result.wrong = fmt::format("the pilot run in `{}` failed", folder), result;
            ++result.pilots;
            if (const Json window = results->value("window", Json::object()); window.is_object())
                result.pilot_seconds = std::max(result.pilot_seconds, window.value("measured_seconds", 0.0));
            parts.push_back(parts_of(*results, request.measures));
            seconds.push_back(seconds_of(*results));
        }
        std::vector<std::pair<std::string, Transient>> found;
        std::map<std::string, const std::vector<std::vector<Series>>*> of_runs;  // what was averaged, by name
        const auto take = [&](const std::vector<std::vector<Series>>& runs) {
            const std::vector<Series> all = averages(runs);
            bool complete = !all.empty();
            for (const Series& series : all)
                if (const auto transient = transient_of(series))
                    found.emplace_back(series.name, *transient), of_runs[series.name] = &runs;
                else
                    complete = false;
            return complete;
        };
        if (!take(parts)) take(seconds);
        for (const auto& [name, transient] : found) {
            some = true;
            any_settled |= transient.settled;
            if (!transient.settled)
                result.unsettled.push_back({settings, name});
            else if (transient.seconds >= result.seconds)
                result.seconds = transient.seconds, result.by = name, result.at = settings,
                result.alone = alone(*of_runs[name], name);
        }
    }
    if (!some)
        result.wrong = "too little happens in the pilot runs to find a warm-up: let them last longer, or say `warmup`";
    else if (!any_settled)
        result.wrong =
            "no warm-up is found: nothing that is measured is steady in the second half of the pilot runs (MSER-5). "
            "Let "
            "them last longer, or say `warmup`";
    return result;
}

std::vector<std::string> late_transients(const ExperimentRequest& request, const std::vector<PointOutcome>& points,
                                         const std::vector<EndedRun>& runs)
{
    constexpr std::size_t kLeast = 3, kMost = 10;  // repetitions
    std::vector<std::string> notes;
    const double confidence = 1 - 0.01 / static_cast<double>(3 * std::max<std::size_t>(1, points.size()));
    for (const PointOutcome& point : points) {
        std::vector<std::vector<Series>> series;
        double warmup = 0;
        for (const EndedRun& run : runs) {
            if (run.spec.settings != point.settings || !run.outcome.good() || series.size() == kMost) continue;
            const auto results = read_json(run_folder(request.folder, run.spec) + "/results.json");
            if (!results || !results->is_object()) continue;
            const Json timeline = results->value("timeline", Json::object()),
                       window = results->value("window", Json::object());
            if (!timeline.is_object() || !timeline.value("events", Json::array()).empty() || !window.is_object())
                return {};
            warmup = window.value("begin", 0.0);
            series.push_back(seconds_of(*results));
        }
        if (series.size() < kLeast) continue;
        if (const std::string late = late_transient(series, warmup, confidence); !late.empty())
            notes.push_back(point.settings.empty() ? late : fmt::format("{}: {}", described(point.settings), late));
    }
    return notes;
}

}  // namespace anml

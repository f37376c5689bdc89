#include "report/experiments/differences.h"

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "experiment/statistics/effects.h"
#include "experiment/statistics/interval.h"
#include "experiment/statistics/paired.h"

namespace anml {

namespace {

Interval interval_in(const Json& estimate)
{
    Interval interval;
    interval.mean = estimate["mean"].get<double>();
    if (estimate["half_width"].is_number() && estimate["degrees"].is_number()) {
        interval.half_width = estimate["half_width"].get<double>();
        interval.degrees = estimate["degrees"].get<std::size_t>();
    }
    return interval;
}

// The values of the seeds that both have; nothing, where a seed's value is not known.
struct Pairs {
    std::vector<double> first, second;
};
Pairs pairs_in(const Json& first, const Json& second)
{
    Pairs pairs;
    if (!first.contains("seeds") || !second.contains("seeds")) return pairs;  // of an older anmlc
    if (first["seeds"].size() != first["values"].size() || second["seeds"].size() != second["values"].size())
        return pairs;
    std::map<std::uint64_t, double> by_seed;
    for (std::size_t i = 0; i < first["seeds"].size(); ++i)
        by_seed[first["seeds"][i].get<std::uint64_t>()] = first["values"][i].get<double>();
    for (std::size_t i = 0; i < second["seeds"].size(); ++i)
        if (const auto same = by_seed.find(second["seeds"][i].get<std::uint64_t>()); same != by_seed.end()) {
            pairs.first.push_back(same->second);
            pairs.second.push_back(second["values"][i].get<double>());
        }
    return pairs;
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

// By pairs where all values have one: which of the two intervals stands does not depend on which is narrower.
Json difference_json(const Json& first, const Json& second)
{
    const Interval a = interval_in(first), b = interval_in(second), welch = difference_of(a, b);
    const Pairs pairs = pairs_in(first, second);
    const std::size_t count = pairs.first.size();
    const bool paired = count >= kFewestPairs && count == first["values"].size() && count == second["values"].size() &&
                        !first["batches"].is_number() && !second["batches"].is_number();
    const PairedDifference by_pairs = paired ? paired_difference(pairs.first, pairs.second) : PairedDifference{};
    const Interval& difference = paired ? by_pairs.interval : welch;
    const bool known = difference.half_width.has_value();
    // Whether zero lies in the difference's interval, and whether the two intervals have something in common.
    const double apart = std::fabs(difference.mean);
    return {{"first", a.mean},
            {"second", b.mean},
            {"difference", difference.mean},
            {"half_width", or_null(difference.half_width)},
            {"method", paired  ? Json("paired")
                       : known ? Json("Welch")
                               : Json(nullptr)},
            {"pairs", paired ? Json(count) : Json(nullptr)},
            {"welch_half_width", or_null(welch.half_width)},
            {"correlation", paired ? Json(by_pairs.correlation) : Json(nullptr)},
            {"variance_left", paired ? Json(by_pairs.variance_left) : Json(nullptr)},
            {"share", a.mean != 0 ? Json(difference.mean / std::fabs(a.mean)) : Json(nullptr)},
            {"differs", known ? Json(apart > *difference.half_width) : Json(nullptr)},
            {"overlaps", a.half_width && b.half_width ? Json(apart <= *a.half_width + *b.half_width) : Json(nullptr)}};
}

// Whatever order its factors were declared in.
std::string key_of(const Json& point) { return nlohmann::json(point["settings"]).dump(); }

}  // namespace

Json differences_of(const std::vector<Findings>& findings)
{
    Json all = Json::array();
    const Json& first = findings.front().data;
    for (std::size_t i = 1; i < findings.size(); ++i) {
        const Json& other = findings[i].data;
        std::map<std::string, const Json*> by_settings;
        for (const Json& point : other["points"]) by_settings[key_of(point)] = &point;
        for (const Json& point : first["points"]) {
            const auto found = by_settings.find(key_of(point));
            if (found == by_settings.end()) continue;
            const Json& same = *found->second;
            for (const Json& measure : first["measures"]) {
                const auto& name = measure["name"].get_ref<const std::string&>();
                if (!same["measures"].contains(name) || !point["measures"].contains(name)) continue;
                const Json &a = point["measures"][name], &b = same["measures"][name];
                if (!a["mean"].is_number() || !b["mean"].is_number()) continue;
                Json entry = {{"experiment", findings[i].name}, {"settings", point["settings"]}, {"measure", name}};
                entry.update(difference_json(a, b));
                all.push_back(std::move(entry));
            }
        }
    }
    return all;
}

}  // namespace anml

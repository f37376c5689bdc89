#include "findings/differences.h"

#include <cmath>
#include <map>
#include <string>

#include "experiment/interval.h"

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

Json difference_json(const Json& first, const Json& second)
{
    const Interval a = interval_in(first), b = interval_in(second), difference = difference_of(a, b);
    const bool known = difference.half_width.has_value();
    // Whether zero lies in the difference's interval, and whether the two intervals have something in common.
    const double apart = std::fabs(difference.mean);
    return {{"first", a.mean},
            {"second", b.mean},
            {"difference", difference.mean},
            {"half_width", known ? Json(*difference.half_width) : Json(nullptr)},
            {"share", a.mean != 0 ? Json(difference.mean / std::fabs(a.mean)) : Json(nullptr)},
            {"differs", known ? Json(apart > *difference.half_width) : Json(nullptr)},
            {"overlaps", known ? Json(apart <= *a.half_width + *b.half_width) : Json(nullptr)}};
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

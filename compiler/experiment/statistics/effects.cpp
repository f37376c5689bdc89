#include "experiment/statistics/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiment/terminal_tables.h"

namespace anml {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 24;  // rows of a table on a terminal

struct Values {
    std::vector<double> first, second;
};

// Of the repetitions that both have.
Values common(const Estimate& first, const Estimate& second)
{
    Values values;
    for (std::size_t i = 0; i < first.values.size(); ++i)
        for (std::size_t j = 0; j < second.values.size(); ++j)
            if (first.repetitions[i] == second.repetitions[j]) {
                values.first.push_back(first.values[i]);
                values.second.push_back(second.values[j]);
            }
    return values;
}

const std::string& level_of(const Settings& settings, const std::string& factor)
{
    return std::find_if(settings.begin(), settings.end(), [&](const auto& one) { return one.first == factor; })->second;
}

Settings with_level(Settings settings, const std::string& factor, const std::string& level)
{
    for (auto& [name, value] : settings)
        if (name == factor) value = level;
    return settings;
}

Settings without(const Settings& settings, const std::string& factor)
{
    Settings others;
    for (const auto& one : settings)
        if (one.first != factor) others.push_back(one);
    return others;
}

// "+3.2 ms ± 0.4 ms *", and what the common seeds left of the variance where that is more than without them.
std::string cell(const Effect& effect, Dimension d)
{
    const double value = effect.found.interval.mean;
    return fmt::format("{}{} ± {}{}", value < 0 ? "-" : "+", shown_figure(std::fabs(value), d),
                       shown_figure(*effect.found.interval.half_width, d), effect.differs() ? " *" : "");
}

}  // namespace

bool Effect::differs() const
{
    return found.interval.half_width && std::fabs(found.interval.mean) > *found.interval.half_width;
}

std::vector<Effect> effects_of(const ExperimentRequest& request, const std::vector<PointOutcome>& points)
{
    std::map<Settings, const PointOutcome*> by_settings;
    for (const PointOutcome& point : points) by_settings[point.settings] = &point;
    std::vector<Effect> all;
    for (const FactorInfo& factor : request.info.factors)
        for (std::size_t measure = 0; measure < request.measures.size() && factor.levels.size() > 1; ++measure) {
            std::vector<std::pair<Effect, Values>> of_measure;
            for (const PointOutcome& point : points) {
                const std::string& level = level_of(point.settings, factor.name);
                if (level == factor.levels.front()) continue;
                const auto base = by_settings.find(with_level(point.settings, factor.name, factor.levels.front()));
                if (base == by_settings.end()) continue;
                Values values = common(base->second->measures[measure], point.measures[measure]);
                if (values.first.size() < kFewestPairs) continue;
                Effect effect{factor.name, factor.levels.front(),          level, without(point.settings, factor.name),
                              measure,     interval_of(values.first).mean, {},    1};
                of_measure.emplace_back(std::move(effect), std::move(values));
            }
            const std::size_t count = of_measure.size();
            for (auto& [effect, values] : of_measure) {
                effect.comparisons = count;
                effect.found =
                    paired_difference(values.first, values.second, 1 - (1 - kConfidence) / static_cast<double>(count));
                all.push_back(std::move(effect));
            }
        }
    return all;
}

Json effects_json(const ExperimentRequest& request, const std::vector<Effect>& effects)
{
    Json list = Json::array();
    for (const Effect& effect : effects) {
        Json settings = Json::object();
        for (const auto& [name, level] : effect.others) settings[name] = level;
        const double difference = effect.found.interval.mean;
        list.push_back({{"factor", effect.factor},
                        {"base", effect.base},
                        {"level", effect.level},
                        {"settings", settings},
                        {"measure", request.measures[effect.measure]},
                        {"first", effect.first},
                        {"difference", difference},
                        {"half_width", *effect.found.interval.half_width},
                        {"comparisons", effect.comparisons},
                        {"pairs", effect.found.pairs},
                        {"correlation", effect.found.correlation},
                        {"variance_left", effect.found.variance_left},
                        {"share", effect.first != 0 ? Json(difference / std::fabs(effect.first)) : Json(nullptr)},
                        {"differs", effect.differs()}});
    }
    return list;
}

std::string show_effects(const ExperimentRequest& request, const std::vector<Effect>& effects)
{
    std::string text;
    for (const FactorInfo& factor : request.info.factors) {
        std::set<std::size_t> measures;
        std::vector<std::pair<std::pair<Settings, std::string>, std::map<std::size_t, const Effect*>>> rows;
        for (const Effect& effect : effects) {
            if (effect.factor != factor.name) continue;
            measures.insert(effect.measure);
            const std::pair key{effect.others, effect.level};
            auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& one) { return one.first == key; });
            if (row == rows.end()) row = rows.insert(rows.end(), {key, {}});
            row->second[effect.measure] = &effect;
        }
        if (rows.empty()) continue;
        if (rows.size() > kMostShown) {
            text += fmt::format("  differences from {} = {}: {}, in the report\n", factor.name, factor.levels.front(),
                                rows.size());
            continue;
        }
        std::vector<std::vector<std::string>> table(1);
        for (const auto& other : rows.front().first.first) table[0].push_back(other.first);
        table[0].push_back(factor.name);
        for (const std::size_t measure : measures) {
            table[0].push_back(request.measures[measure]);
            table[0].push_back("variance left");
        }
        std::size_t comparisons = 1, least = ~std::size_t{0}, most = 0;  // pairs
        for (const auto& [key, found] : rows) {
            std::vector<std::string>& row = table.emplace_back();
            for (const auto& other : key.first) row.push_back(other.second);
            row.push_back(key.second);
            for (const std::size_t measure : measures) {
                const auto effect = found.find(measure);
                row.push_back(effect == found.end() ? "–" : cell(*effect->second, request.dimensions[measure]));
                row.push_back(effect == found.end() ? "" : shown_variance(effect->second->found.variance_left));
                if (effect == found.end()) continue;
                comparisons = std::max(comparisons, effect->second->comparisons);
                least = std::min(least, effect->second->found.pairs);
                most = std::max(most, effect->second->found.pairs);
            }
        }
        text += fmt::format("differences from {} = {}, with the same seeds\n{}", factor.name, factor.levels.front(),
                            aligned(table));
        text += fmt::format(
            "  ± : 95 % confidence interval{} (paired t of {} runs with the same seeds{}); * : it does "
            "not hold zero\n",
            comparisons > 1 ? fmt::format("s, of all {} of a measure together", comparisons) : "",
            least == most ? fmt::format("{} pairs of", most) : fmt::format("{} to {} pairs of", least, most),
            comparisons > 1 ? ", Bonferroni" : "");
    }
    if (!text.empty())
        text +=
            "  variance left: of a difference, as a share of what runs with other seeds would have; from 100 % on the "
            "same seeds did not help\n";
    return text;
}

}  // namespace anml

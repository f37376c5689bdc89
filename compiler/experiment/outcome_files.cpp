// What an experiment came to, as the files of its folder.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "experiment/outcome.h"
#include "experiment/statistics/effects.h"

namespace anml {

namespace {

using Json = nlohmann::ordered_json;

std::string csv_word(const std::string& text)
{
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string_view outcome_name(Search::Outcome outcome)
{
    return outcome == Search::Outcome::found     ? "found"
           : outcome == Search::Outcome::nowhere ? "nowhere"
           : outcome == Search::Outcome::always  ? "always"
                                                 : "interrupted";
}

std::string_view unit_of(Dimension d)
{
    if (d == dimension::time) return "s";
    if (d == dimension::rate) return "bit/s";
    if (d == dimension::size) return "B";
    if (d == dimension::length) return "m";
    return "";
}

Json settings_json(const Settings& settings)
{
    Json json = Json::object();
    for (const auto& [name, level] : settings) json[name] = level;
    return json;
}

// In the unit that it says.
double in_unit(double canonical, Dimension d) { return d == dimension::time ? canonical / 1e9 : canonical; }

// Of what is searched for the levels that were tried. What is no number has no place on an axis, and no values.
Json factor_json(const FactorInfo& factor, const std::vector<SearchOutcome>& searches)
{
    std::vector<std::string> levels = factor.levels;
    std::vector<double> values = factor.values;
    if (levels.empty()) {
        std::map<double, std::string> tried;
        for (const SearchOutcome& search : searches)
            for (const SearchStep& step : search.steps) tried.emplace(step.value, step.level);
        for (const auto& [value, level] : tried) levels.push_back(level), values.push_back(value);
    }
    Json json = {{"name", factor.name},
                 {"about", factor.about},
                 {"unit", unit_of(factor.dim)},
                 {"searched", factor.levels.empty()},
                 {"levels", levels},
                 {"values", nullptr}};
    if (values.size() != levels.size()) return json;
    json["values"] = Json::array();
    for (const double value : values) json["values"].push_back(in_unit(value, factor.dim));
    return json;
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json estimate_json(const Estimate& estimate, std::uint64_t seed)
{
    Json seeds = Json::array();
    for (const std::size_t repetition : estimate.repetitions) seeds.push_back(seed + repetition - 1);
    return {{"mean", or_null(estimate.mean)},
            {"half_width", or_null(estimate.interval.half_width)},
            {"degrees", estimate.interval.half_width ? Json(estimate.interval.degrees) : Json(nullptr)},
            {"batches", estimate.batches > 0 ? Json(estimate.batches) : Json(nullptr)},
            {"missing", estimate.missing.empty() ? Json(nullptr) : Json(estimate.missing)},
            {"values", estimate.values},
            {"seeds", seeds}};
}

Json search_json(const SearchOutcome& search)
{
    Json steps = Json::array();
    for (const SearchStep& step : search.steps)
        steps.push_back(
            {{"level", step.level}, {"holds", step.judged ? Json(step.holds) : Json(nullptr)}, {"runs", step.runs}});
    return {{"settings", settings_json(search.settings)},
            {"outcome", search.failed       ? "failed"
                        : search.unjudged() ? "not measured"
                                            : outcome_name(search.outcome)},
            {"low", search.low},
            {"high", search.high},
            {"runs", search.runs},
            {"steps", steps}};
}

}  // namespace

Json summary_json(const ExperimentRequest& request, const ExperimentOutcome& outcome, const std::vector<EndedRun>& ran)
{
    Json factors = Json::array(), measures = Json::array(), points = Json::array(), searches = Json::array(),
         skipped = Json::array(), runs = Json::array();
    for (const FactorInfo& factor : request.info.factors) factors.push_back(factor_json(factor, outcome.searches));
    for (std::size_t i = 0; i < request.measures.size(); ++i)
        measures.push_back({{"name", request.measures[i]}, {"unit", unit_of(request.dimensions[i])}});
    for (const PointOutcome& point : outcome.points) {
        Json estimates = Json::object();
        for (std::size_t i = 0; i < request.measures.size(); ++i)
            estimates[request.measures[i]] = estimate_json(point.measures[i], request.info.seed);
        points.push_back({{"settings", settings_json(point.settings)},
                          {"runs", point.runs},
                          {"failed", point.failed},
                          {"met", point.met},
                          {"measures", estimates}});
    }
    for (const SearchOutcome& search : outcome.searches) searches.push_back(search_json(search));
    for (const Settings& settings : outcome.skipped) skipped.push_back(settings_json(settings));
    for (const EndedRun& run : ran)
        runs.push_back({{"name", run_name(run.spec.settings, run.spec.repetition)},
                        {"settings", settings_json(run.spec.settings)},
                        {"repetition", run.spec.repetition},
                        {"seed", run.spec.seed},
                        {"status", run.outcome.status},
                        {"met", run.outcome.good() && run.outcome.met},
                        {"seconds", run.outcome.seconds}});
    return {{"summary_version", 2},
            {"experiment", request.name},
            {"about", request.about},
            {"model", request.info.model},
            {"interval", "95 % confidence intervals of the mean " + interval_method(request)},
            {"factors", factors},
            {"measures", measures},
            {"points", points},
            {"searches", searches},
            {"skipped", skipped},
            {"missing", outcome.missing},
            {"warmup", outcome.warmup ? warmup_json(*outcome.warmup) : Json(nullptr)},
            {"shared", outcome.shared.runs > 0 ? Json{{"runs", outcome.shared.runs},
                                                      {"least_seconds", outcome.shared.least},
                                                      {"most_seconds", outcome.shared.most},
                                                      {"text", shared_text(outcome.shared, ran.size())}}
                                               : Json(nullptr)},
            {"notes", outcome.notes},
            {"effects", effects_json(request, effects_of(request, outcome.points))},
            {"runs", runs}};
}

Json warmup_json(const FoundWarmup& found)
{
    Json unsettled = Json::array();
    for (const auto& [settings, measure] : found.unsettled)
        unsettled.push_back({{"settings", settings_json(settings)}, {"measure", measure}});
    return {{"seconds", found.seconds},     {"by", found.by},          {"settings", settings_json(found.at)},
            {"unsettled", unsettled},       {"pilots", found.pilots},  {"pilot_seconds", found.pilot_seconds},
            {"alone_seconds", found.alone}, {"late", found.is_late()}, {"text", warmup_text(found)}};
}

std::string differences_csv(const ExperimentRequest& request, const ExperimentOutcome& outcome)
{
    const std::vector<Effect> effects = effects_of(request, outcome.points);
    if (effects.empty()) return "";
    std::string text = "factor,base,level";
    for (const FactorInfo& factor : request.info.factors) text += "," + csv_word(factor.name);
    text += ",measure,unit,first,difference,half_width,comparisons,pairs,correlation,variance_left,differs\n";
    for (const Effect& effect : effects) {
        text += csv_word(effect.factor) + "," + csv_word(effect.base) + "," + csv_word(effect.level);
        for (const FactorInfo& factor : request.info.factors) {
            const auto other = std::find_if(effect.others.begin(), effect.others.end(),
                                            [&](const auto& one) { return one.first == factor.name; });
            text += "," + (other == effect.others.end() ? csv_word(effect.level) : csv_word(other->second));
        }
        text += fmt::format(",{},{},{},{},{},{},{},{},{},{}\n", csv_word(request.measures[effect.measure]),
                            unit_of(request.dimensions[effect.measure]), effect.first, effect.found.interval.mean,
                            *effect.found.interval.half_width, effect.comparisons, effect.found.pairs,
                            effect.found.correlation, effect.found.variance_left, effect.differs());
    }
    return text;
}

std::string runs_csv(const ExperimentRequest& request, const std::vector<EndedRun>& runs)
{
    std::string text;
    for (const FactorInfo& factor : request.info.factors) text += csv_word(factor.name) + ",";
    text += "repetition,seed,status,met,seconds,digest";
    for (const std::string& measure : request.measures) text += "," + csv_word(measure);
    text += "\n";
    for (const EndedRun& run : runs) {
        for (const auto& setting : run.spec.settings) text += csv_word(setting.second) + ",";
        text += fmt::format("{},{},{},{},{:.3f},{}", run.spec.repetition, run.spec.seed, run.outcome.status,
                            run.outcome.met, run.outcome.seconds, run.outcome.digest);
        for (const auto& value : run.outcome.values) text += value ? fmt::format(",{}", *value) : ",";
        text += "\n";
    }
    return text;
}

}  // namespace anml

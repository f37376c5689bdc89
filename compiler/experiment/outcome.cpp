#include "experiment/outcome.h"

#include <fmt/format.h>

#include <algorithm>

namespace anml {

namespace {

using Json = nlohmann::ordered_json;

// As results have them, in seconds, bit/s or plain.
std::string shown(double value, Dimension d)
{
    return approximate_quantity(d == dimension::time ? value * 1e9 : value, d, 4);
}

std::string shown(const std::vector<double>& values, Dimension d)
{
    if (values.empty()) return "not measured";
    const Interval interval = interval_of(values);
    std::string text = shown(interval.mean, d);
    if (interval.half_width) text += fmt::format(" ± {}", shown(*interval.half_width, d));
    return text;
}

// Columns as wide as their widest entry, numbers of characters as terminals count them.
std::size_t width_of(const std::string& text)
{
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string aligned(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widths;
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i == widths.size()) widths.push_back(0);
            widths[i] = std::max(widths[i], width_of(row[i]));
        }
    std::string text;
    for (const auto& row : rows) {
        std::string line = "  ";
        for (std::size_t i = 0; i < row.size(); ++i)
            line += row[i] + std::string(i + 1 == row.size() ? 0 : widths[i] - width_of(row[i]) + 2, ' ');
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

std::string csv(const std::string& text)
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

std::string sentence(const SearchOutcome& search, const std::string& factor)
{
    const std::string other = search.settings.empty() ? "" : described(search.settings) + ": ";
    switch (search.outcome) {
        case Search::Outcome::found:
            return fmt::format("{}the requirements hold up to {} = {}, and no longer at {}", other, factor, search.low,
                               search.high);
        case Search::Outcome::nowhere:
            return fmt::format("{}the requirements do not even hold at {} = {}", other, factor, search.low);
        case Search::Outcome::always:
            return fmt::format("{}the requirements still hold at {} = {}", other, factor, search.high);
        default:
            return fmt::format("{}not found yet", other);
    }
}

}  // namespace

std::string described(const Settings& settings)
{
    std::string text;
    for (const auto& [name, level] : settings) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, level);
    return text;
}

// Too little happened for a measure: a threshold on it is not met.
static bool some_not_measured(const PointOutcome& point)
{
    return point.met == 0 && std::any_of(point.values.begin(), point.values.end(),
                                         [](const std::vector<double>& values) { return values.empty(); });
}

PointOutcome point_of(const Settings& settings, const std::vector<const EndedRun*>& runs, std::size_t measures)
{
    PointOutcome point{settings, runs.size(), 0, 0, std::vector<std::vector<double>>(measures)};
    for (const EndedRun* run : runs) {
        if (!run->outcome.good()) {
            ++point.failed;
            continue;
        }
        point.met += run->outcome.met;
        for (std::size_t i = 0; i < measures; ++i)
            if (const auto& value = run->outcome.values[i]) point.values[i].push_back(*value);
    }
    return point;
}

std::string show_outcome(const ExperimentRequest& request, const ExperimentOutcome& outcome)
{
    std::vector<std::vector<std::string>> rows(1);
    for (const FactorInfo& factor : request.info.factors) rows[0].push_back(factor.name);
    for (const std::string& measure : request.measures) rows[0].push_back(measure);
    rows[0].insert(rows[0].end(), {"runs", "met"});
    for (const PointOutcome& point : outcome.points) {
        std::vector<std::string>& row = rows.emplace_back();
        for (const auto& setting : point.settings) row.push_back(setting.second);
        for (std::size_t i = 0; i < request.measures.size(); ++i)
            row.push_back(shown(point.values[i], request.dimensions[i]));
        row.push_back(std::to_string(point.runs));
        row.push_back(point.failed > 0           ? fmt::format("{} failed", point.failed)
                      : point.met == point.runs  ? "yes"
                      : some_not_measured(point) ? "not measured"
                      : point.met == 0           ? "no"
                                                 : fmt::format("{} of {}", point.met, point.runs));
    }
    std::string text = fmt::format("{}, of {}\n", request.name, request.info.model) + aligned(rows);
    if (std::any_of(outcome.points.begin(), outcome.points.end(),
                    [](const PointOutcome& p) { return p.runs > 1 && !p.values.empty(); }))
        text += "  ± : 95 % confidence interval of the mean over the repetitions (Student's t)\n";
    for (const SearchOutcome& search : outcome.searches)
        for (const FactorInfo& factor : request.info.factors)
            if (factor.levels.empty())
                text += fmt::format("{}, after {} runs\n", sentence(search, factor.name), search.runs);
    return text;
}

Json summary_json(const ExperimentRequest& request, const ExperimentOutcome& outcome)
{
    Json points = Json::array(), searches = Json::array();
    const auto settings_json = [](const Settings& settings) {
        Json json = Json::object();
        for (const auto& [name, level] : settings) json[name] = level;
        return json;
    };
    for (const PointOutcome& point : outcome.points) {
        Json measures = Json::object();
        for (std::size_t i = 0; i < request.measures.size(); ++i) {
            const Interval interval = interval_of(point.values[i]);
            const bool some = !point.values[i].empty();
            measures[request.measures[i]] = {
                {"mean", some ? Json(interval.mean) : Json(nullptr)},
                {"half_width", interval.half_width ? Json(*interval.half_width) : Json(nullptr)},
                {"values", point.values[i]}};
        }
        points.push_back({{"settings", settings_json(point.settings)},
                          {"runs", point.runs},
                          {"failed", point.failed},
                          {"met", point.met},
                          {"measures", measures}});
    }
    for (const SearchOutcome& search : outcome.searches)
        searches.push_back({{"settings", settings_json(search.settings)},
                            {"outcome", outcome_name(search.outcome)},
                            {"low", search.low},
                            {"high", search.high},
                            {"runs", search.runs}});
    return {{"summary_version", 1},
            {"experiment", request.name},
            {"model", request.info.model},
            {"interval", "95 %, Student's t over repetitions"},
            {"points", points},
            {"searches", searches}};
}

std::string runs_csv(const ExperimentRequest& request, const std::vector<EndedRun>& runs)
{
    std::string text;
    for (const FactorInfo& factor : request.info.factors) text += csv(factor.name) + ",";
    text += "repetition,seed,status,met,seconds,digest";
    for (const std::string& measure : request.measures) text += "," + csv(measure);
    text += "\n";
    for (const EndedRun& run : runs) {
        for (const auto& setting : run.spec.settings) text += csv(setting.second) + ",";
        text += fmt::format("{},{},{},{},{:.3f},{}", run.spec.repetition, run.spec.seed, run.outcome.status,
                            run.outcome.met, run.outcome.seconds, run.outcome.digest);
        for (const auto& value : run.outcome.values) text += value ? fmt::format(",{}", *value) : ",";
        text += "\n";
    }
    return text;
}

}  // namespace anml

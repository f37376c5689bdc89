#include "report/experiments/texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "common/figures.h"
#include "experiment/statistics/interval.h"
#include "experiment/terminal_tables.h"

namespace anml {

namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& several)
{
    return fmt::format("{} {}", count, count == 1 ? one : several);
}

std::string searched_factor(const Json& data)
{
    for (const Json& factor : data["factors"])
        if (factor["searched"].get<bool>()) return factor["name"].get<std::string>();
    return "";
}

Answer search_answer(const Json& search, const std::string& factor)
{
    const std::string other = search["settings"].empty() ? "" : settings_text(search["settings"]) + ": ";
    const auto low = search["low"].get<std::string>(), high = search["high"].get<std::string>();
    const auto outcome = search["outcome"].get<std::string>();
    if (outcome == "found")
        return {"good", fmt::format("{}holds up to {} = {}, and no longer at {}", other, factor, low, high)};
    if (outcome == "nowhere") return {"bad", fmt::format("{}does not even hold at {} = {}", other, factor, low)};
    if (outcome == "always") return {"good", fmt::format("{}still holds at {} = {}", other, factor, high)};
    if (outcome == "failed")
        return {"bad", fmt::format("{}nothing found: the run at {} = {} failed", other, factor, low)};
    if (outcome == "not measured")
        return {"bad", fmt::format("{}nothing found: too little was measured at {} = {} to tell whether it holds",
                                   other, factor, search["steps"].back()["level"].get<std::string>())};
    return {"calm", fmt::format("{}not found yet, between {} = {} and {}", other, factor, low, high)};
}

void sweep_answer(const Json& data, std::vector<Answer>& answers)
{
    std::size_t met = 0;
    const std::size_t all = data["points"].size();
    for (const Json& point : data["points"]) met += point["met"] == point["runs"];
    const bool required = !data["requires"].empty();
    if (required)
        answers.push_back({met == all && all > 0 ? "good" : "bad",
                           met == all ? fmt::format("met at all of {}", counted(all, "combination", "combinations"))
                           : met == 0 ? fmt::format("not met at any of {}", counted(all, "combination", "combinations"))
                                      : fmt::format("met at {} of {} combinations", met, all)});
    else
        answers.push_back({"calm", fmt::format("{} measured", counted(all, "combination", "combinations"))});
    if (const std::size_t skipped = data["skipped"].size(); skipped > 0)
        answers.push_back({"calm", fmt::format("{} not run, behind levels that do not meet it",
                                               counted(skipped, "combination", "combinations"))});
}

}  // namespace

std::string value_text(double value, std::string_view unit)
{
    if (unit == "s") return value < 0 ? "-" + show_time(-1e9 * value) : show_time(1e9 * value);
    if (unit == "bit/s") return value < 0 ? "-" + show_rate(-value) : show_rate(value);
    if (unit == "B") return value < 0 ? "-" + show_size(-value) : show_size(value);
    if (unit == "share") return fmt::format("{:.3g} %", 100 * value);
    return std::fabs(value) >= 1000 && std::fabs(value) < 1e7 ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.4g}", value);
}

std::string mean_text(const Json& estimate, std::string_view unit)
{
    return estimate["mean"].is_number() ? value_text(estimate["mean"].get<double>(), unit) : "–";
}

std::string spread_text(const Json& estimate, std::string_view unit)
{
    if (!estimate["mean"].is_number() || !estimate["half_width"].is_number()) return "";
    const auto half = estimate["half_width"].get<double>();
    const Spread spread = spread_of(estimate["mean"].get<double>(), half);
    if (spread == Spread::known) return "± " + value_text(half, unit);
    if (spread == Spread::small) return "± < 0.1 %";
    return estimate["batches"].is_number() ? counted(estimate["batches"].get<std::size_t>(), "batch", "batches")
                                           : counted(estimate["values"].size(), "repetition", "repetitions");
}

std::string estimate_text(const Json& estimate, std::string_view unit)
{
    const std::string spread = spread_text(estimate, unit);
    if (spread.empty()) return mean_text(estimate, unit);
    return mean_text(estimate, unit) + (spread.starts_with("±") ? " " + spread : fmt::format(" ({})", spread));
}

std::string difference_text(const Json& difference, std::string_view unit)
{
    const double value = difference["difference"].get<double>();
    std::string text = (value > 0 ? "+" : "") + value_text(value, unit);
    if (difference["half_width"].is_number()) text += " ± " + value_text(difference["half_width"].get<double>(), unit);
    if (difference["share"].is_number()) text += fmt::format(" ({:+.1f} %)", 100 * difference["share"].get<double>());
    return text;
}

std::string method_text(const Json& difference)
{
    if (!difference["method"].is_string()) return "";
    const auto method = difference["method"].get<std::string>();
    return difference["pairs"].is_number() ? fmt::format("{}, {} seeds", method, difference["pairs"].dump()) : method;
}

std::string variance_text(const Json& difference)
{
    const Json& left = difference["variance_left"];
    return left.is_number() ? shown_variance(left.get<double>()) : "";
}

std::string settings_text(const Json& settings)
{
    std::string text;
    for (const auto& [name, level] : settings.items())
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, level.get<std::string>());
    return text;
}

std::string unit_of_measure(const Json& data, const std::string& measure)
{
    for (const Json& one : data["measures"])
        if (one["name"] == measure) return one["unit"].get<std::string>();
    return "";
}

std::vector<Answer> answers_of(const Findings& findings)
{
    const Json& data = findings.data;
    std::vector<Answer> answers;
    for (const Json& search : data["searches"]) answers.push_back(search_answer(search, searched_factor(data)));
    if (data["searches"].empty()) sweep_answer(data, answers);
    std::map<std::string, std::size_t> verdicts;
    for (const Json& run : data["runs"])
        ++verdicts[run["verdict"].is_string() ? run["verdict"].get<std::string>() : "without results"];
    const std::size_t all = data["runs"].size(), not_valid = verdicts.contains("not valid") ? verdicts["not valid"] : 0;
    // What such runs found is no promise, in whatever colour it would stand.
    if (not_valid > 0 && answers.front().kind != "calm") {
        if (answers.front().kind == "good") answers.front().kind = "warn";
        answers.front().text += fmt::format(", by runs of which {} of {} were not valid", not_valid, all);
        for (Answer& answer : answers)
            if (answer.kind == "good") answer.kind = "warn";
    }
    if (const auto missing = data["missing"].get<std::size_t>(); missing > 0)
        answers.push_back({"bad", fmt::format("{} not run yet", counted(missing, "combination", "combinations"))});
    std::string text;
    bool bad = false, warn = false;
    for (const char* verdict :
         {"kept up", "simulated", "degraded", "not valid", "nothing to judge", "failed", "without results"})
    {
        if (!verdicts.contains(verdict)) continue;
        const std::string_view word = verdict;
        const bool late = word == "degraded" || word == "not valid";
        warn |= late;
        bad |= !late && word != "kept up" && word != "simulated";
        const std::string number = verdicts[verdict] != all ? fmt::to_string(verdicts[verdict]) : all == 1 ? "" : "all";
        text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", number, number.empty() ? "" : " ", verdict);
    }
    const bool told = answers.front().text.ends_with("were not valid");
    answers.push_back({bad             ? "bad"
                       : warn && !told ? "warn"
                                       : "calm",
                       fmt::format("{}: {}", counted(all, "run", "runs"), text)});
    if (not_valid > 0)
        answers.push_back({"calm", std::string("times of runs that are not valid may be too high") +
                                       (data["requires"].empty() ? ""
                                                                 : ": where what is required does not hold, that may "
                                                                   "be this machine's doing and not the server's")});
    return answers;
}

}  // namespace anml

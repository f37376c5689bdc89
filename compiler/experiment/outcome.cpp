#include "experiment/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiment/statistics/effects.h"
#include "experiment/terminal_tables.h"

namespace anml {

namespace {

std::string shown(const Estimate& estimate, Dimension d)
{
    if (!estimate.mean) return "not measured";
    const std::string text = shown_figure(*estimate.mean, d);
    switch (spread_of(*estimate.mean, estimate.interval.half_width)) {
        case Spread::known:
            return fmt::format("{} ± {}", text, shown_figure(*estimate.interval.half_width, d));
        case Spread::small:
            return text + " ± < 0.1 %";
        case Spread::wide:
            return fmt::format("{} (of {} {})", text, estimate.batches > 0 ? estimate.batches : estimate.values.size(),
                               estimate.batches > 0 ? "batches" : "repetitions");
        default:
            return text;
    }
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
            if (search.unjudged())
                return fmt::format(
                    "{}nothing found: whether the requirements hold at {} = {} is not known, too little "
                    "was measured",
                    other, factor, search.steps.back().level);
            return search.failed ? fmt::format("{}nothing found: the run at {} = {} failed", other, factor, search.low)
                                 : fmt::format("{}not found yet", other);
    }
}

bool some_not_measured(const PointOutcome& point)
{
    return !point.judged || std::any_of(point.measures.begin(), point.measures.end(),
                                        [](const Estimate& estimate) { return !estimate.mean; });
}

std::string met_text(const PointOutcome& point)
{
    if (point.failed > 0) return fmt::format("{} failed", point.failed);
    if (point.met == point.runs) return "yes";
    if (!point.judged) return "not measured";
    return point.met == 0 ? "no" : fmt::format("{} of {}", point.met, point.runs);
}

Estimate estimate_of(const std::vector<const EndedRun*>& runs, std::size_t measure, bool in_batches, bool sums)
{
    Estimate estimate;
    std::vector<std::vector<double>> batches;
    std::size_t cut = 1;
    bool all = true;
    for (const EndedRun* run : runs) {
        const auto& value = run->outcome.values[measure];
        if (!run->outcome.good() || !value) continue;
        estimate.values.push_back(*value);
        estimate.repetitions.push_back(run->spec.repetition);
        std::vector<double>& of_run = batches.emplace_back();
        for (const auto& part : run->outcome.batches[measure])
            part ? of_run.push_back(*part) : static_cast<void>(all = false);
        cut = std::max(cut, of_run.size());
    }
    if (estimate.values.empty()) return estimate;
    estimate.interval = interval_of(estimate.values);
    estimate.mean = estimate.interval.mean;
    if (!in_batches) {
        if (!estimate.interval.half_width) estimate.missing = "one run";
        return estimate;
    }
    const BatchInterval found = all ? batch_interval(batches) : BatchInterval{};
    estimate.interval = found.interval;
    estimate.interval.mean = *estimate.mean;  // of all, and not of parts: a percentile of parts is another figure
    estimate.batches = found.batches;
    if (estimate.interval.half_width && sums) *estimate.interval.half_width *= static_cast<double>(cut);
    if (!all)
        estimate.missing = "too little happened in some batches";
    else if (found.batches == 0)
        estimate.missing = "its batches depend on each other";
    return estimate;
}

}  // namespace

std::string described(const Settings& settings)
{
    std::string text;
    for (const auto& [name, level] : settings) text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, level);
    return text;
}

std::string imprecise(const ExperimentRequest& request, const PointOutcome& point)
{
    if (point.runs < request.info.repetitions) return "";  // interrupted, or precise
    std::string widest;
    double most = 0;
    for (std::size_t i = 0; i < point.measures.size(); ++i) {
        const Interval& interval = point.measures[i].interval;
        if (is_within(interval, *request.info.precision)) continue;
        const double share = interval.half_width && interval.mean != 0 ? *interval.half_width / std::fabs(interval.mean)
                                                                       : std::numeric_limits<double>::infinity();
        if (share < most) continue;
        most = share;
        widest =
            fmt::format("{}{}", request.measures[i],
                        std::isinf(share) ? " has no interval" : fmt::format(" is known to ± {:.2g} %", 100 * share));
    }
    if (widest.empty()) return "";
    return fmt::format("{}the precision of {:.3g} % is not reached after all {} repetitions: {}",
                       point.settings.empty() ? "" : described(point.settings) + ": ", 100 * *request.info.precision,
                       point.runs, widest);
}

std::string warmup_text(const FoundWarmup& found)
{
    const std::string at = found.at.empty() ? "" : fmt::format(" at {}", described(found.at));
    std::string alone;
    for (const double seconds : found.alone) alone += fmt::format("{}{:.3g}", alone.empty() ? "" : ", ", seconds);
    return fmt::format("{:.4g} s, found by MSER-5 from {} pilot runs of {:.4g} s; {} decided{}{}", found.seconds,
                       found.pilots, found.pilot_seconds, found.by, at,
                       alone.empty() ? "" : fmt::format(" (its pilot runs each by itself: {} s)", alone));
}

SharedBeginnings shared_beginnings(const std::vector<EndedRun>& runs)
{
    SharedBeginnings shared;
    for (const EndedRun& run : runs) {
        if (run.outcome.shared <= 0) continue;
        shared.least = shared.runs == 0 ? run.outcome.shared : std::min(shared.least, run.outcome.shared);
        shared.most = std::max(shared.most, run.outcome.shared);
        ++shared.runs;
    }
    return shared;
}

std::string shared_text(const SharedBeginnings& shared, std::size_t runs)
{
    if (shared.runs == 0) return "";
    const std::string until = shared.least == shared.most
                                  ? fmt::format("{:.4g} s", shared.most)
                                  : fmt::format("{:.4g} to {:.4g} s", shared.least, shared.most);
    return fmt::format("{} of {} runs shared the beginning up to {}, which was simulated once for several of them",
                       shared.runs, runs, until);
}

PointOutcome point_of(const ExperimentRequest& request, const Settings& settings,
                      const std::vector<const EndedRun*>& runs)
{
    PointOutcome point{settings, runs.size(), 0, 0, true, false, {}};
    for (const EndedRun* run : runs) {
        point.failed += !run->outcome.good();
        point.met += run->outcome.good() && run->outcome.met;
        point.judged &= !run->outcome.good() || run->outcome.judged;
        point.asked |= run->outcome.asked || !run->outcome.good();
    }
    for (std::size_t i = 0; i < request.measures.size(); ++i)
        point.measures.push_back(estimate_of(runs, i, request.info.batches > 0, request.sums[i]));
    return point;
}

std::string interval_method(const ExperimentRequest& request)
{
    if (request.info.batches == 0) return "over the repetitions (Student's t)";
    return fmt::format("by batch means, {} batches of each run's measured time", request.info.batches);
}

std::string show_outcome(const ExperimentRequest& request, const ExperimentOutcome& outcome)
{
    std::vector<std::vector<std::string>> rows(1);
    for (const FactorInfo& factor : request.info.factors) rows[0].push_back(factor.name);
    for (const std::string& measure : request.measures) rows[0].push_back(measure);
    rows[0].push_back("runs");
    const bool asked = std::any_of(outcome.points.begin(), outcome.points.end(), [](const auto& p) { return p.asked; });
    if (asked) rows[0].push_back("met");
    bool intervals = false;
    std::vector<std::string> missing;
    for (const PointOutcome& point : outcome.points) {
        std::vector<std::string>& row = rows.emplace_back();
        for (const auto& setting : point.settings) row.push_back(setting.second);
        for (std::size_t i = 0; i < request.measures.size(); ++i) {
            const Estimate& estimate = point.measures[i];
            row.push_back(shown(estimate, request.dimensions[i]));
            intervals |= estimate.interval.half_width.has_value();
            if (request.info.batches > 0 && !estimate.missing.empty() &&
                std::find(missing.begin(), missing.end(), estimate.missing) == missing.end())
                missing.push_back(estimate.missing);
        }
        row.push_back(std::to_string(point.runs));
        if (asked) row.push_back(met_text(point));
    }
    std::string text = fmt::format("{}, of {}\n", request.name, request.info.model) + aligned(rows);
    if (intervals) text += fmt::format("  ± : 95 % confidence interval of the mean {}\n", interval_method(request));
    if (outcome.warmup) text += fmt::format("  warm-up: {}\n", warmup_text(*outcome.warmup));
    for (const std::string& why : missing)
        text += fmt::format("  without ± : {}; a longer `duration` or fewer `batches` may help\n", why);
    if (std::any_of(outcome.points.begin(), outcome.points.end(), some_not_measured))
        text +=
            "  not measured: too little happened for it in a run; a longer `duration` lets more happen. A p95 rests on "
            "100 transactions at least, or on as many pages where it is of pages, a p99 on 500\n";
    if (!outcome.skipped.empty())
        text += fmt::format("  {} combinations not run, behind {} successive levels that do not meet it (`stop`)\n",
                            outcome.skipped.size(), request.info.stop);
    if (outcome.missing > 0)
        text += fmt::format("  {} combinations not run yet: {}\n", outcome.missing,
                            outcome.out_of_time   ? "the time is up (`within`)"
                            : outcome.interrupted ? "the command was interrupted"
                            : outcome.left        ? "they have not ended where they run"
                                                  : "a run before them failed");
    if (outcome.shared.runs > 0) {
        std::size_t runs = 0;
        for (const PointOutcome& point : outcome.points) runs += point.runs;
        text += fmt::format("  {}\n", shared_text(outcome.shared, runs));
    }
    for (const std::string& note : outcome.notes) text += fmt::format("  note: {}\n", note);
    text += show_effects(request, effects_of(request, outcome.points));
    for (const SearchOutcome& search : outcome.searches)
        for (const FactorInfo& factor : request.info.factors)
            if (factor.levels.empty())
                text += fmt::format("{}, after {} {}\n", sentence(search, factor.name), search.runs,
                                    search.runs == 1 ? "run" : "runs");
    return text;
}

}  // namespace anml

// What a run's figures say of each `require` on them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "net/model.h"
#include "report/figures.h"
#include "report/quantity.h"

namespace anml::rt {

namespace {

std::optional<double> percentile(const ResponseTimes& times, double percent)
{
    for (const auto& [at, value] : times.percentiles)
        if (at == percent) return value;
    return std::nullopt;
}

const ResponseTimes* times_of(const WorkloadFigures& w, abi::MeasurePhase phase)
{
    switch (phase) {
        case abi::MeasurePhase::connect:
            return &w.phases.connect;
        case abi::MeasurePhase::tls:
            return &w.phases.tls;
        case abi::MeasurePhase::first_byte:
            return &w.phases.first_byte;
        case abi::MeasurePhase::transfer:
            return &w.phases.transfer;
        case abi::MeasurePhase::page:
            return w.pages ? &w.pages->time : nullptr;
        case abi::MeasurePhase::slowdown:
            return w.flow_times ? &w.flow_times->slowdown : nullptr;
        case abi::MeasurePhase::whole:
        case abi::MeasurePhase::up:
        case abi::MeasurePhase::down:
            break;
    }
    return times_of(w);
}

std::string name_of(const Model& model, const abi::MeasureRow& row)
{
    const std::string_view phase = abi::kMeasurePhases[static_cast<std::size_t>(row.phase)];
    const auto moment = [&](std::string_view name, abi::ValueId at) {
        return at == kNone ? "" : fmt::format(", {} = {}", name, format_quantity(model.value(at), abi::Unit::time));
    };
    return fmt::format("{}({}{}{}{}{})", abi::measure_name(row.kind), model.text(row.of), phase.empty() ? "" : ", ",
                       phase, moment("from", row.from), moment("until", row.until));
}

double percent_of(abi::MeasureKind kind)
{
    switch (kind) {
        case abi::MeasureKind::p50:
            return 50;
        case abi::MeasureKind::p90:
            return 90;
        case abi::MeasureKind::p95:
            return 95;
        case abi::MeasureKind::p99:
            return 99;
        case abi::MeasureKind::p999:
            return 99.9;
        default:
            return 0;
    }
}

// Of one direction. Nothing where no packet came.
std::optional<double> measured(abi::MeasureKind kind, const LinkCounters& link)
{
    const auto packets = static_cast<double>(link.packets), dropped = static_cast<double>(link.dropped);
    const std::optional<FluidCounters>& fluid = link.rare->fluid;
    if (kind == abi::MeasureKind::losses && fluid) {
        // By bytes: packets that were dropped were as large as the others, on average.
        const double size = link.packets != 0 ? static_cast<double>(link.bytes) / packets : 0;
        const double lost = size * dropped + fluid->lost, came = size * (packets + dropped) + fluid->offered;
        return came > 0 ? std::optional(std::min(1.0, lost / came)) : std::nullopt;
    }
    if (kind == abi::MeasureKind::losses)
        return packets + dropped > 0 ? std::optional(dropped / (packets + dropped)) : std::nullopt;
    if (link.packets == 0) return std::nullopt;
    return (kind == abi::MeasureKind::queue_delay ? link.queue_delay / packets
                                                  : static_cast<double>(link.longest_queue_delay)) /
           kSecond;
}

// Of the direction that is asked for, or of that which has more of it.
std::optional<double> measured(const abi::MeasureRow& row, LinkId link, const std::vector<LinkCounters>& counted)
{
    std::optional<double> most;
    auto at = std::lower_bound(counted.begin(), counted.end(), link,
                               [](const LinkCounters& counters, LinkId id) { return counters.link < id; });
    for (; at != counted.end() && at->link <= link + 1; ++at) {
        const auto direction = at->link == link ? abi::MeasurePhase::up : abi::MeasurePhase::down;
        if (row.phase != abi::MeasurePhase::whole && row.phase != direction) continue;
        if (const auto value = measured(row.kind, *at)) most = std::max(most.value_or(0), *value);
    }
    return most;
}

// Seconds, bit/s, or plain. Nothing where there were too few for it, or the workload's kind has none.
std::optional<double> measured(const abi::MeasureRow& row, const WorkloadFigures& w, double seconds)
{
    const ResponseTimes* const times = times_of(w, row.phase);
    const bool counts = times_of(w) != nullptr;  // fluid has nothing that could complete
    switch (row.kind) {
        case abi::MeasureKind::p50:
        case abi::MeasureKind::p90:
        case abi::MeasureKind::p95:
        case abi::MeasureKind::p99:
        case abi::MeasureKind::p999:
            return times ? percentile(*times, percent_of(row.kind)) : std::nullopt;
        case abi::MeasureKind::mean_time:
            return times ? times->mean : std::nullopt;
        case abi::MeasureKind::max_time:
            return times ? times->max : std::nullopt;
        case abi::MeasureKind::completed:
            return counts ? std::optional(static_cast<double>(completed(w))) : std::nullopt;
        case abi::MeasureKind::per_second:
            return counts && seconds > 0 ? std::optional(static_cast<double>(completed(w)) / seconds) : std::nullopt;
        case abi::MeasureKind::failed:
            return failed_share(w);
        case abi::MeasureKind::throughput:
            return throughput(w);
        case abi::MeasureKind::queue_delay:
        case abi::MeasureKind::max_queue_delay:
        case abi::MeasureKind::losses:
            break;  // of links
    }
    return std::nullopt;
}

// To four digits; counts exactly.
std::string shown(double value, abi::Unit unit)
{
    if (unit == abi::Unit::none && value == std::floor(value)) return fmt::format("{:.0f}", value);
    if (value == 0) return format_quantity(0, unit);
    const double step = std::pow(10, std::floor(std::log10(std::fabs(value))) - 3);
    return format_quantity(std::round(value / step) * step, unit);
}

// What a censored one is at least.
std::optional<double> at_least(const abi::MeasureRow& row, const WorkloadFigures& w)
{
    const ResponseTimes* times = times_of(w, row.phase);
    if (!times) return std::nullopt;
    switch (row.kind) {
        case abi::MeasureKind::p50:
            return times->at_least.median;
        case abi::MeasureKind::p95:
            return times->at_least.p95;
        case abi::MeasureKind::p99:
            return times->at_least.p99;
        case abi::MeasureKind::max_time:
            return times->at_least.max;
        default:
            return std::nullopt;
    }
}

// Why there is none, where too little happened: "not measured (19 samples, it takes 100)".
std::string missing(const abi::MeasureRow& row, const WorkloadFigures& w)
{
    const ResponseTimes* times = times_of(w, row.phase);
    const double percent = percent_of(row.kind), needed = std::round(100 * ResponseTimes::kBeyond / (100 - percent));
    if (!times || percent == 0 || static_cast<double>(times->samples) >= needed) return "not measured";
    return fmt::format("not measured ({} samples, it takes {})", times->samples, needed);
}

// As the model's expressions have it.
double canonical(double value, abi::Unit unit)
{
    return value * (unit == abi::Unit::time ? static_cast<double>(kSecond) : 1);
}

// In canonical units, as its bounds are written.
std::string shown_of(double value, abi::Unit unit, abi::MeasureKind kind)
{
    const bool share = kind == abi::MeasureKind::failed || kind == abi::MeasureKind::losses;
    if (share) return fmt::format("{:.4g} %", 100 * value);
    return shown(value, unit);
}

// With its text, if it has a value.
MeasureFigure shown_measure(MeasureFigure measure, abi::MeasureKind kind)
{
    if (const auto& number = measure.value ? measure.value : measure.at_least)
        measure.shown = shown_of(canonical(*number, measure.unit), measure.unit, kind);
    if (measure.at_least) measure.shown += " or more";
    return measure;
}

// What the threshold asks of a measure. `values`: of the image.
void add_bounds(const abi::MeasureRow& row, const std::vector<double>& values, std::string_view text,
                MeasureFigure& measure)
{
    const bool equal = row.above.value == row.below.value;
    if (equal && row.above.inclusive == 0) return;  // it is to be another one
    for (const auto& [bound, word, as_much] : {std::tuple(row.above, "more than", "at least"),
                                               std::tuple(row.below, "less than", "at most")}) {
        if (bound.value == kNone || !std::isfinite(values[bound.value])) continue;
        const std::string quantity = shown_of(values[bound.value], measure.unit, row.kind);
        const std::string asked =
            equal ? quantity : fmt::format("{} {}", bound.inclusive != 0 ? as_much : word, quantity);
        measure.asked += (measure.asked.empty() ? "" : " and ") + asked;
        if (text.find(quantity) == text.npos) measure.unsaid += (measure.unsaid.empty() ? "" : " and ") + asked;
        if (equal) break;
    }
}

// What was counted in a part of the run, and its length in seconds; nothing: it was not all measured.
struct PartOfRun {
    std::vector<WorkloadStatistics> counted;
    double seconds = 0;
};
std::optional<PartOfRun> part_of(const Model& model, const abi::MeasureRow& row,
                                 const std::vector<WorkloadStatistics>& whole, const Snapshots& snapshots)
{
    const auto find = [&](Time at) -> const Snapshot* {
        const auto found = std::ranges::lower_bound(snapshots.at, at, {}, &Snapshot::at);
        return found != snapshots.at.end() && found->at == at ? &*found : nullptr;
    };
    const Time from = row.from == kNone ? snapshots.begin : model.time(row.from);
    const Time until = row.until == kNone ? snapshots.end : model.time(row.until);
    const Snapshot *const first = find(from), *const last = find(until);
    const bool inside = snapshots.begin <= from && from < until && until <= snapshots.end;
    if (!inside || (!first && from != snapshots.begin) || (!last && row.until != kNone)) return std::nullopt;
    PartOfRun part{last ? last->workloads : whole, in_seconds(until - from)};
    for (std::size_t i = 0; i < part.counted.size(); ++i) {
        part.counted[i].remove(first ? first->workloads[i] : WorkloadStatistics{});
        // What has not ended belongs to no part.
        part.counted[i].open_ages.clear();
        part.counted[i].offered.ages.clear();
        part.counted[i].pages.ages.clear();
    }
    return part;
}

// As if the workloads asked for nothing else.
WorkloadStatistics of_request(const Model& model, const abi::MeasureRow& row,
                              const std::vector<WorkloadStatistics>& counted)
{
    WorkloadStatistics sum;
    const std::uint32_t measured = model.documents().measured_request(row.request);
    for (std::uint32_t k = 0; k < row.workloads.count; ++k) {
        const auto& by_request = counted[model.image().measured[row.workloads.first + k]].by_request;
        if (measured < by_request.size()) add_up(static_cast<TransactionStatistics&>(sum), by_request[measured]);
    }
    return sum;
}

// What a measure's workloads come to.
WorkloadFigures figures_together(const Model& model, const abi::MeasureRow& row,
                                 const std::vector<WorkloadStatistics>& counted, double seconds)
{
    const std::uint32_t* const of = model.image().measured + row.workloads.first;
    if (row.request != kNone) return figures_of_workload(model, *of, of_request(model, row, counted), seconds);
    if (row.workloads.count == 1) return figures_of_workload(model, *of, counted[*of], seconds);
    WorkloadStatistics sum;
    for (std::uint32_t k = 0; k < row.workloads.count; ++k) add_up(sum, counted[of[k]]);
    return figures_of_workload(model, *of, sum, seconds);
}

}  // namespace

std::vector<MeasureFigure> take_measures(const Model& model, const std::vector<WorkloadStatistics>& whole,
                                         const std::vector<LinkCounters>& links, double whole_seconds,
                                         const Snapshots* snapshots)
{
    const abi::Image& image = model.image();
    std::vector<MeasureFigure> measures;
    struct Together {
        std::optional<WorkloadFigures> figures;  // none: of a part that was not measured
        double seconds = 0;
    };
    // By where the workloads are in `measured`, and by the part of the run.
    std::map<std::tuple<std::uint32_t, abi::ValueId, abi::ValueId>, Together> together;
    for (std::uint32_t i = 0; i < image.measure_count; ++i) {
        const abi::MeasureRow& row = image.measures[i];
        const std::uint32_t* of = image.measured + row.workloads.first;
        if (abi::is_of_link(row.kind)) {
            measures.push_back(shown_measure({name_of(model, row), "not measured (no packet came)",
                                              measured(row, *of, links), abi::measure_unit(row.kind, row.phase)},
                                             row.kind));
            continue;
        }
        const auto [at, fresh] = together.try_emplace({row.workloads.first, row.from, row.until});
        const bool of_part = row.from != kNone || row.until != kNone;
        if (fresh) {
            std::optional<PartOfRun> part;
            if (of_part && snapshots) part = part_of(model, row, whole, *snapshots);
            if (part || !of_part) {
                const double seconds = part ? part->seconds : whole_seconds;
                const std::vector<WorkloadStatistics>& counted = part ? part->counted : whole;
                at->second = {figures_together(model, row, counted, seconds), seconds};
            }
        }
        if (!at->second.figures) {
            measures.push_back({name_of(model, row), "not measured (the run has not all of the part)",
                                std::nullopt, abi::measure_unit(row.kind, row.phase)});
            continue;
        }
        const WorkloadFigures& workload = *at->second.figures;
        MeasureFigure measure{name_of(model, row), missing(row, workload), measured(row, workload, at->second.seconds),
                              abi::measure_unit(row.kind, row.phase)};
        if (!measure.value) measure.at_least = at_least(row, workload);
        measures.push_back(shown_measure(std::move(measure), row.kind));
    }
    return measures;
}

namespace {

// Measures whose absent ones are what they could be: `least`, as large as can be, and in each threshold one what it is
// compared with, the others the same, or their least, or their largest.
std::vector<std::vector<double>> possible_measures(const Model& model, const Figures& figures,
                                                   const std::vector<double>& least, const std::vector<double>& values)
{
    const abi::Image& image = model.image();
    const auto absent = [&](std::size_t m) { return !figures.measures[m].value; };
    std::vector<double> most = least;
    std::vector<std::vector<double>> compared(least.size());
    std::size_t most_compared = 0, most_measures = 0;
    for (std::size_t m = 0; m < least.size(); ++m)
        if (absent(m)) most[m] = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < image.threshold_count; ++i) {
        const abi::Slice& of = image.thresholds[i].measures;
        most_measures = std::max<std::size_t>(most_measures, of.count);
        for (std::uint32_t m = of.first; m < of.first + of.count; ++m) {
            if (!absent(m)) continue;
            const auto add = [&](double value) {
                if (value >= least[m]) compared[m].push_back(value);
            };
            for (const abi::MeasureBound& bound : {image.measures[m].above, image.measures[m].below})
                if (bound.value != kNone) add(values[bound.value]);
            for (std::uint32_t other = of.first; other < of.first + of.count; ++other)
                if (!absent(other)) add(least[other]);
            most_compared = std::max(most_compared, compared[m].size());
        }
    }
    std::vector<std::vector<double>> all{least, most};
    for (std::size_t n = 0; n < most_compared; ++n) {
        std::vector<double> same = least;
        for (std::size_t m = 0; m < least.size(); ++m)
            if (n < compared[m].size()) same[m] = compared[m][n];
        all.push_back(same);
        for (std::size_t k = 0; k < most_measures; ++k)
            for (const std::vector<double>* others : {&std::as_const(least), &std::as_const(most)}) {
                all.push_back(*others);
                for (std::uint32_t i = 0; i < image.threshold_count; ++i)
                    if (const abi::Slice& of = image.thresholds[i].measures; k < of.count)
                        all.back()[of.first + k] = same[of.first + k];
            }
    }
    return all;
}

}  // namespace

std::vector<ThresholdFigures> judge_thresholds(const Model& model, const Figures& figures)
{
    const abi::Image& image = model.image();
    std::vector<ThresholdFigures> thresholds;
    if (image.threshold_count == 0) return thresholds;
    // What is absent has its least value, and in `none` it has none, of which nothing holds.
    std::vector<double> least, none;
    bool any_absent = false;
    for (const MeasureFigure& measure : figures.measures) {
        any_absent |= !measure.value;
        least.push_back(canonical(measure.value.value_or(measure.at_least.value_or(0)), measure.unit));
        none.push_back(measure.value ? least.back() : std::numeric_limits<double>::quiet_NaN());
    }
    const std::vector<double> values = bind_values(image, model.tunables(), least);
    std::vector<bool> always(image.threshold_count, true), ever(image.threshold_count, false);
    const auto judge = [&](const std::vector<double>& with, bool possible) {
        for (std::uint32_t i = 0; i < image.threshold_count; ++i) {
            const bool holds = with[image.thresholds[i].holds] != 0;
            always[i] = always[i] && holds;
            ever[i] = ever[i] || (possible && holds);
        }
    };
    judge(values, true);
    if (any_absent) {
        judge(bind_values(image, model.tunables(), none), false);
        for (const std::vector<double>& measures : possible_measures(model, figures, least, values))
            judge(bind_values(image, model.tunables(), measures), true);
    }
    for (std::uint32_t i = 0; i < image.threshold_count; ++i) {
        const abi::ThresholdRow& row = image.thresholds[i];
        ThresholdFigures threshold{std::string(model.text(row.text)),
                                   std::string(model.text(row.message)),
                                   std::string(model.text(row.where)),
                                   values[row.holds] != 0,
                                   true,
                                   {}};
        bool all = true, some = false;
        for (std::uint32_t m = row.measures.first; m < row.measures.first + row.measures.count; ++m) {
            all &= figures.measures[m].value.has_value();
            some |= figures.measures[m].value.has_value();
            threshold.measures.push_back(figures.measures[m]);
            add_bounds(image.measures[m], values, threshold.text, threshold.measures.back());
        }
        // What is absent may not matter beside what is there: `failed(w) == 0 || p95(w) < 1 s`.
        const bool whatever = some && always[i];
        threshold.judged = all || whatever || !ever[i];
        threshold.met &= all || whatever;
        thresholds.push_back(std::move(threshold));
    }
    return thresholds;
}

std::string describe_measures(const ThresholdFigures& threshold, bool always)
{
    std::string text;
    for (const MeasureFigure& measure : threshold.measures) {
        const bool known = measure.value || measure.at_least;
        const std::string asked = known ? (always ? measure.asked : measure.unsaid) : "";
        text += fmt::format("{}{} {} {}{}", text.empty() ? "" : ", ", measure.name, known ? "is" : "was", measure.shown,
                            asked.empty() ? "" : fmt::format(" (asked: {})", asked));
    }
    return text;
}

}  // namespace anml::rt

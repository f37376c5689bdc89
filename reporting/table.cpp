#include "reporting/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/figures.h"

namespace anml {

namespace {

// "12 345 678": the blanks are narrow, and break no line.
std::string count_text(double value)
{
    if (value != std::floor(value) || std::abs(value) > 1e15) return show(value);
    std::string text = fmt::format("{:.0f}", value);
    for (std::size_t at = text.size(); at > 3 && text.size() > 4;) {
        at -= 3;
        text.insert(at, "\u202F");
    }
    return text;
}

std::string percent_text(double share) { return show(100 * share) + " %"; }

// Three digits as of all figures, and not each byte.
std::string bytes_text(double bytes)
{
    static constexpr std::pair<double, const char*> kUnits[] = {{1 << 30, "GB"}, {1 << 20, "MB"}, {1 << 10, "KB"}};
    for (const auto& [scale, name] : kUnits)
        if (std::abs(bytes) >= scale) return fmt::format("{} {}", show(bytes / scale), name);
    return fmt::format("{:.0f} B", bytes);
}

std::string value_text(Unit unit, double value)
{
    switch (unit) {
        case Unit::seconds:
            return show_time(1e9 * value);
        case Unit::rate:
            return show_rate(value);
        case Unit::bytes:
            return bytes_text(value);
        case Unit::share:
            return percent_text(value);
        case Unit::per_second:
            return show(value) + "/s";
        case Unit::count:
            return count_text(value);
        case Unit::plain:
            break;
    }
    return show(value);
}

}  // namespace

std::string_view unit_name(Unit unit)
{
    static constexpr std::string_view kNames[] = {"", "1/s", "s", "bit/s", "B", "share", ""};
    return kNames[static_cast<int>(unit)];
}

bool ReportFigure::given() const
{
    const auto is_there = [](const std::optional<double>& value) { return value.has_value(); };
    return std::any_of(values.begin(), values.end(), is_there) ||
           std::any_of(at_least.begin(), at_least.end(), is_there);
}

bool ReportFigure::shown() const
{
    const auto more = [](const std::optional<double>& value) { return value.value_or(0) != 0; };
    return given() && (!rare || std::any_of(values.begin(), values.end(), more));
}

std::string ReportFigure::text(std::size_t run) const
{
    if (values[run]) return value_text(unit, *values[run]);
    return at_least[run] ? "> " + value_text(unit, *at_least[run]) : "–";
}

std::optional<double> ReportFigure::difference(std::size_t run) const
{
    const auto &first = values.front(), &value = values[run];
    if (run == 0 || !first || !value) return std::nullopt;
    if (*first == *value) return 0.0;
    if (*first == 0) return std::nullopt;
    return (*value - *first) / std::abs(*first);
}

std::string ReportFigure::difference_text(std::size_t run) const
{
    const auto part = difference(run);
    if (!part) return "";
    const std::string text = percent_text(std::abs(*part));
    return *part == 0 ? "=" : (*part > 0 ? "+" : "−") + text;
}

int ReportFigure::verdict(std::size_t run) const
{
    constexpr double kLeast = 0.01;  // what any two runs differ by
    const double more = difference(run).value_or(0);
    if (better == Better::neither || std::abs(more) < kLeast) return 0;
    return (more > 0) == (better == Better::higher) ? 1 : -1;
}

std::vector<const ReportFigure*> columns_of(const std::vector<const ReportGroup*>& groups)
{
    std::vector<const ReportFigure*> columns;
    for (const ReportGroup* group : groups) {
        auto behind = columns.begin();
        for (const ReportFigure& figure : group->figures) {
            if (!figure.shown()) continue;
            const auto is = [&](const ReportFigure* column) { return column->id == figure.id; };
            auto at = std::find_if(columns.begin(), columns.end(), is);
            if (at == columns.end()) at = columns.insert(behind, &figure);
            behind = at + 1;
        }
    }
    return columns;
}

const ReportFigure* ReportGroup::find(std::string_view id) const
{
    const auto found = std::find_if(figures.begin(), figures.end(), [&](const ReportFigure& f) { return f.id == id; });
    return found == figures.end() ? nullptr : &*found;
}

std::string ReportGroup::shown_name() const { return label.empty() ? name : fmt::format("{} ({})", name, label); }

std::string ReportGroup::unique_name() const
{
    return kind == "report" || kind == "request" ? fmt::format("{}: {}", note, name) : name;
}

bool ReportGroup::shown() const
{
    return std::any_of(figures.begin(), figures.end(), [](const ReportFigure& f) { return f.shown(); });
}

std::string group_title(const ReportGroup& group)
{
    if (group.kind == "run") return "Whole run";
    std::string title = fmt::format("{} {}", group.kind, group.shown_name());
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return group.note.empty() ? title : fmt::format("{} ({})", title, group.note);
}

namespace {

// The first that all runs have, or at least one.
const ReportFigure* choose(const ReportGroup& group, std::initializer_list<const char*> ids)
{
    const ReportFigure* any = nullptr;
    for (const char* id : ids) {
        const ReportFigure* figure = group.find(id);
        if (!figure || !figure->given()) continue;
        std::size_t known = 0;
        for (std::size_t run = 0; run < figure->values.size(); ++run)
            known += figure->values[run].has_value() || figure->at_least[run].has_value();
        if (known == figure->values.size()) return figure;
        if (!any) any = figure;
    }
    return any;
}

void add_headline(std::vector<Headline>& all, const ReportGroup& group, const char* title,
                  std::initializer_list<const char*> ids, std::initializer_list<const char*> details)
{
    const ReportFigure* figure = choose(group, ids);
    if (!figure) return;
    Headline& headline = all.emplace_back(Headline{title, figure, nullptr, {}});
    if (headline.title.empty()) {
        headline.title = figure->name;
        headline.title[0] = static_cast<char>(headline.title[0] - 'a' + 'A');
    }
    for (const char* detail : details)
        if (const ReportFigure* other = group.find(detail); other && other->given() && other != figure)
            headline.details.push_back(other);
}

// Who opens pages waits for whole ones, and workloads stand for different users: each has a headline of its own, and
// what has no pages one of its requests. Nothing where no workload has pages.
void add_pages(std::vector<Headline>& all, const ReportTable& table)
{
    constexpr std::size_t kMost = 6;  // the table of pages has them all
    std::vector<const ReportGroup*> workloads;
    bool pages = false;
    for (const ReportGroup& group : table.groups) {
        if (group.kind != "workload" || !choose(group, {"response_time_seconds.mean"})) continue;
        workloads.push_back(&group);
        pages = pages || choose(group, {"page_time_seconds.mean"});
    }
    if (!pages) return;
    for (std::size_t at = 0; at < std::min(workloads.size(), kMost); ++at) {
        const ReportGroup& group = *workloads[at];
        const bool has_pages = choose(group, {"page_time_seconds.mean"});
        const std::string of = (has_pages ? "Whole pages of " : "Requests of ") + group.name;
        const std::string time = has_pages ? "page_time_seconds" : "response_time_seconds";
        const ReportFigure *median = group.find(time + ".median"), *p95 = group.find(time + ".p95");
        if (!median || !p95) continue;
        all.push_back({of, median, p95, {}});
        if (const ReportFigure* count = group.find(has_pages ? "pages.completed" : "transactions.completed"))
            all.back().details.push_back(count);
    }
}

}  // namespace

// Throughput, times and failures: of all web traffic, and where there is none of the first workload that has them.
std::vector<Headline> headlines(const ReportTable& table)
{
    std::vector<Headline> all;
    const ReportGroup& run = table.groups.front();
    add_headline(all, run, "", {"throughput_bps"}, {"transactions.per_second", "transactions.completed"});
    const std::size_t before = all.size();
    add_pages(all, table);
    if (all.size() == before)
        add_headline(all, run, "",
                     {"response_time_seconds.p99", "response_time_seconds.median", "response_time_seconds.mean",
                      "response_time_seconds.max"},
                     {"response_time_seconds.median", "response_time_seconds.max"});
    for (const ReportGroup& group : table.groups) {
        if (all.size() > before || group.kind != "workload") continue;
        for (const std::string time : {"round_trip_seconds", "delay_seconds", "transfer_time_seconds"}) {
            const std::string p99 = time + ".p99", median = time + ".median", mean = time + ".mean",
                              max = time + ".max";
            if (all.size() == before)
                add_headline(all, group, "", {p99.c_str(), median.c_str(), mean.c_str(), max.c_str()},
                             {median.c_str(), max.c_str()});
        }
    }
    const std::size_t times = all.size();
    add_headline(all, run, "Failed", {"failed_share"}, {"transactions.failed", "transactions.in_progress"});
    for (const ReportGroup& group : table.groups) {
        if (all.size() > times || group.kind != "workload") continue;
        add_headline(all, group, "Failed", {"failed_share"}, {"transfers.failed", "transfers.in_progress"});
        if (all.size() == times)
            add_headline(all, group, "Lost", {"requests.lost_share"}, {"requests.lost", "requests.sent"});
        if (all.size() == times)
            add_headline(all, group, "Lost", {"datagrams.lost_share"}, {"datagrams.lost", "datagrams.sent"});
    }
    if (all.size() == times) add_headline(all, run, "", {"packet_loss"}, {"packets.lost", "packets.sent"});
    return all;
}

}  // namespace anml

#include "entry/live/watch_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string_view>

#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

constexpr std::size_t kShownLinks = 8;
constexpr std::size_t kName = 16, kFigures = 30;  // columns left and right of a chart
constexpr std::size_t kLeastChart = 5;

constexpr std::array<std::string_view, 8> kBlocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::string_view kLevels = "_.:-=+*#";

// Three digits, with the unit that fits.
std::string rounded(double canonical, abi::Unit unit)
{
    if (canonical == 0) return format_quantity(0, unit);
    const double step = std::pow(10.0, std::floor(std::log10(std::abs(canonical))) - 2);
    return format_quantity(std::round(canonical / step) * step, unit);
}

std::string time_or_dash(const std::optional<double>& seconds)
{
    return seconds ? rounded(*seconds * kSecond, abi::Unit::time) : "-";
}

std::string per_second(const std::optional<double>& number) { return number ? fmt::format("{:.0f}/s", *number) : "-"; }

// Names are ASCII.
std::string cut(std::string text, std::size_t width)
{
    if (text.size() > width) text = text.substr(0, width - 1) + "~";
    return text;
}

// Without a chart it is ASCII.
std::string row_of(std::string_view what, const std::string& chart, const std::string& figures)
{
    const std::string name = cut(std::string(what), kName), right = cut(figures, kFigures);
    return chart.empty() ? fmt::format("{:<{}} {}", name, kName, right)
                         : fmt::format("{:<{}} {} {}", name, kName, chart, right);
}

}  // namespace

void Sparkline::add(std::optional<double> value)
{
    values_.push_back(value);
    if (values_.size() > kSeconds) values_.pop_front();
}

std::string Sparkline::draw(std::size_t width, bool unicode, std::optional<double> full) const
{
    const std::size_t shown = std::min(width, values_.size());
    double most = full.value_or(0);
    if (!full)
        for (const auto& value : values_) most = std::max(most, value.value_or(0));
    std::string out(width - shown, ' ');
    for (std::size_t i = values_.size() - shown; i < values_.size(); ++i) {
        if (!values_[i]) {
            out += ' ';
            continue;
        }
        const double share = most > 0 ? *values_[i] / most : 0;
        const auto level = static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * (kBlocks.size() - 1)));
        if (unicode)
            out += kBlocks[level];
        else
            out += kLevels[level];
    }
    return out;
}

WatchView::WatchView(const Model& model, LinkViews& links, Time total, bool unicode)
    : model_(model), rates_(model, links), total_(total), unicode_(unicode)
{
}

void WatchView::look(const LiveView& run, const std::vector<WorkloadView>& workloads)
{
    std::uint64_t completed = 0;
    double response_seconds = 0;
    for (const WorkloadView& workload : workloads) {
        completed += workload.completed;
        response_seconds += workload.response_seconds;
    }
    rates_.look();
    if (looked_) {
        const std::uint64_t done = completed - completed_;
        const double packets = static_cast<double>(run.edge.released - released_);
        transactions_.add(run.elapsed < 0 ? std::nullopt : std::optional<double>(run.last.completed));
        response_.add(done == 0 ? std::nullopt
                                : std::optional((response_seconds - response_seconds_) / static_cast<double>(done)));
        slip_.add(packets == 0 ? std::nullopt : std::optional(static_cast<double>(run.edge.slip_p99) / kSecond));
        packets_.add(packets);
        failed_ = run.last.failed;
        look_at_links();
    }
    looked_ = true;
    run_ = run;
    completed_ = completed;
    released_ = run.edge.released;
    response_seconds_ = response_seconds;
}

// Those that were busy keep their lines for a while, in case they are again.
void WatchView::look_at_links()
{
    constexpr std::size_t kKept = 64;
    busiest_ = rates_.busiest(kShownLinks);
    const auto shown = [&](LinkId id) { return std::ranges::find(busiest_, id, &LinkRate::link) != busiest_.end(); };
    if (utilisation_.size() > kKept) std::erase_if(utilisation_, [&](const auto& line) { return !shown(line.first); });
    for (const LinkRate& link : busiest_) utilisation_.try_emplace(link.link);
    for (auto& [link, line] : utilisation_) line.add(rates_[link].utilisation);
}

std::string WatchView::link_row(const LinkRate& link, std::size_t chart) const
{
    const std::string share = link.utilisation ? fmt::format("{:.0f} %", 100 * *link.utilisation) : std::string("-");
    std::string figures =
        fmt::format("{} {}", link.down ? "down" : share, rounded(link.bits_per_second, abi::Unit::rate));
    if (link.waiting != 0)
        figures += fmt::format(", {} wait", rounded(static_cast<double>(link.waiting), abi::Unit::size));
    if (link.dropped_per_second > 0) figures += fmt::format(", {:.0f} dropped/s", link.dropped_per_second);
    if (link.lost_per_second > 0) figures += fmt::format(", {:.0f} lost/s", link.lost_per_second);
    return row_of(model_.link_name(link.link), utilisation_.at(link.link).draw(chart, unicode_, 1.0), figures);
}

std::vector<std::string> WatchView::lines(std::size_t width, std::size_t height) const
{
    std::vector<std::string> out;
    constexpr std::size_t kBeside = kName + kFigures + 2;
    const std::size_t chart = width < kBeside + kLeastChart ? 0 : std::min(width - kBeside, Sparkline::kSeconds);
    const std::string name(model_.text(model_.image().model_name));
    const std::string clock = run_.elapsed < 0
                                  ? "waiting for the servers"
                                  : fmt::format("{:.0f} of {:.0f} s", static_cast<double>(run_.elapsed) / kSecond,
                                                static_cast<double>(total_) / kSecond);
    out.push_back(cut(
        fmt::format("{}  {}  {:.0f} % busy, {} packets late", name, clock, 100 * run_.busy, run_.edge.late), width));
    const auto row = [&](std::string_view what, const Sparkline& line, const std::string& figures) {
        out.push_back(row_of(what, line.draw(chart, unicode_), figures));
    };
    const std::string failed = failed_ != 0 ? fmt::format(", {} failed/s", failed_) : "";
    row("transactions", transactions_, per_second(transactions_.last()) + failed);
    row("mean response", response_, time_or_dash(response_.last()));
    row("slip p99", slip_, time_or_dash(slip_.last()));
    row("packets out", packets_, per_second(packets_.last()));
    for (const LinkRate& link : busiest_) out.push_back(link_row(link, chart));
    if (out.size() > height) out.resize(height);
    for (std::string& line : out)
        if (chart == 0) line = cut(line, width);
    return out;
}

std::string WatchView::line() const
{
    std::string out = run_.elapsed < 0 ? "waiting for the servers"
                                       : fmt::format("{:.0f} s  {}", static_cast<double>(run_.elapsed) / kSecond,
                                                     per_second(transactions_.last()));
    if (failed_ != 0) out += fmt::format(", {} failed", failed_);
    out += fmt::format("  mean response {}  slip p99 {}  {:.0f} % busy", time_or_dash(response_.last()),
                       time_or_dash(slip_.last()), 100 * run_.busy);
    if (!busiest_.empty() && busiest_.front().utilisation)
        out +=
            fmt::format("  {} {:.0f} %", model_.link_name(busiest_.front().link), 100 * *busiest_.front().utilisation);
    return out;
}

bool shows_unicode()
{
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(name);
        if (!value || !*value) continue;
        const std::string_view locale = value;
        return locale.find("UTF-8") != locale.npos || locale.find("utf8") != locale.npos;
    }
    return false;
}

}  // namespace anml::rt::entry

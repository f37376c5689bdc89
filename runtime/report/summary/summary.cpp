// The terminal summary of a run: one line per subject, the figures of results.json rounded for reading.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "net/model.h"
#include "report/figures.h"
#include "report/live/live_report.h"
#include "report/quantity.h"
#include "report/summary/summary_lines.h"
#include "report/timeline_events.h"

namespace anml::rt {

namespace summary {

namespace {

void add_threshold(Lines& lines, const ThresholdFigures& threshold)
{
    lines.add("requires", fmt::format("{}: {}{}{}, {}", threshold.text, threshold.met ? lines.green() : lines.red(),
                                      threshold.met      ? "met"
                                      : threshold.judged ? "not met"
                                                         : "not measured",
                                      lines.plain(), describe_measures(threshold)));
}

// Of a `require` that stands in a loop of many rounds those that are not met, as far as somebody reads them.
void add_thresholds(Lines& lines, const Figures& figures)
{
    constexpr std::size_t kFew = 12, kShown = 3;
    std::map<std::string_view, std::size_t> rounds, met, left;  // by place
    for (const ThresholdFigures& threshold : figures.thresholds) {
        ++rounds[threshold.where];
        met[threshold.where] += threshold.met;
    }
    for (const ThresholdFigures& threshold : figures.thresholds) {
        const std::size_t all = rounds[threshold.where], good = met[threshold.where];
        std::size_t& seen = left[threshold.where];
        if (all > kFew && seen == 0 && good == all) {
            lines.add("requires",
                      fmt::format("{}: {}met{} by all {}", threshold.text, lines.green(), lines.plain(), all));
            seen = 1;
        }
        if (all > kFew && (threshold.met || seen >= kShown)) continue;
        add_threshold(lines, threshold);
        if (all > kFew && ++seen == std::min(kShown, all - good))
            lines.add("", fmt::format("{} of {} are not met; the results file has them all", all - good, all));
    }
}

// When something happens, exactly.
std::string moment(Time time)
{
    const double at = static_cast<double>(time) / kSecond;
    const std::string digits = fmt::format("{:.9g}", at);
    return fmt::format("{:.4g}", at) == digits ? duration(at) : digits + " s";
}

void add_timeline(Lines& lines, const Model& model, const RunInfo& run, const Statistics& statistics)
{
    constexpr std::size_t kShown = 4;
    std::string text;
    std::size_t count = 0;
    for (const TimelineEvent& event : timeline_events(model)) {
        if (event.time + statistics.timeline_origin >= run.ended) break;
        if (count++ < kShown)
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", moment(event.time), event.text);
    }
    if (count > kShown) text += fmt::format("; and {} more", count - kShown);
    if (!text.empty()) lines.add("timeline", text);
}

void add_replay(Lines& lines, const Model& model, const ReplayReport& report)
{
    for (const ReplayReport::Endpoint& endpoint : report.endpoints) {
        const ReplayReport::Files& counted = endpoint.counted;
        std::string text(model.text(model.image().endpoints[endpoint.row].name));
        if (!endpoint.in.empty())
            text += fmt::format(", {}: {} of {} entered", endpoint.in, counted.entered, plural(counted.read, "packet"));
        if (counted.packets > counted.entered) text += fmt::format(", as {}", plural(counted.packets, "segment"));
        if (!endpoint.out.empty())
            text += fmt::format(", {}: {} written", endpoint.out, plural(counted.written, "packet"));
        lines.add(&endpoint == &report.endpoints.front() ? "replayed" : "", text);
        const auto note = [&](std::uint64_t count, std::string_view words) {
            if (count != 0) lines.add("", fmt::format("  {}{}", plural(count, "packet"), words));
        };
        for (std::size_t i = 0; i < ReplayReport::kCauses.size(); ++i)
            note(counted.ignored[i], fmt::format(" ignored: {}", ReplayReport::kCauses[i].words));
        note(counted.cut_short, " of which the file has the beginning: zeros stand for the rest");
        note(counted.repaired, " with an IP header's checksum or length made right");
        note(counted.wrong_checksum, " with a wrong checksum of the transport, as no router looks at it");
        note(counted.back_in_time, " captured before the one before, with which they enter");
        if (counted.goes_on) lines.add("", fmt::format("  {} goes on behind the end of the run", endpoint.in));
    }
}

void add_changes(Lines& lines, const RunInfo& run, const Statistics& statistics)
{
    constexpr std::size_t kShown = 8;
    std::size_t count = 0;
    for (const WordedChange& change : run.changes) {
        if (change.time + statistics.timeline_origin >= run.ended) break;
        if (count++ < kShown)
            lines.add(count == 1 ? "changes" : "",
                      fmt::format("{}: {}", duration(static_cast<double>(change.time) / kSecond), change.what));
    }
    if (count > kShown) lines.add("", fmt::format("and {} more", count - kShown));
}

// Of several ranks, where that is most of what one of them did; "": it is not.
std::string waiting(const RunInfo& run)
{
    if (run.ranks.empty() || run.wall_seconds < 1) return "";
    double all = 0;
    for (const RankFigures& rank : run.ranks) all += rank.waited_seconds;
    const auto most = std::ranges::max_element(run.ranks, {}, &RankFigures::waited_seconds);
    const double share = most->waited_seconds / run.wall_seconds;
    if (share < 0.5) return "";
    return fmt::format("waited for each other for {:.0f} % of the time, rank {} for {:.0f} %",
                       100 * all / static_cast<double>(run.ranks.size()) / run.wall_seconds, most - run.ranks.begin(),
                       100 * share);
}

void add_processes(Lines& lines, const LiveReport& report)
{
    const auto shown = [](Time time) { return duration(static_cast<double>(time) / kSecond); };
    for (std::size_t rank = 0; rank < report.processes.size(); ++rank) {
        const LiveProcess& process = report.processes[rank];
        std::string text = fmt::format("{} ({}): {}", rank, process.address, plural(process.nodes, "node"));
        text +=
            process.counted ? fmt::format(", busy {:.0f} %", 100 * process.busy) : ", gone: what it counted is missing";
        if (process.shortest_delay != kNever)
            text += fmt::format(", network {} one way, shortest link across it {}", shown(process.round_trip / 2),
                                shown(process.shortest_delay));
        if (rank > 0 && process.counted) text += fmt::format(", clock within {}", shown(process.clock_error));
        if (process.lagged != 0) text += fmt::format(", waited {} for others", shown(process.lagged));
        lines.add(rank == 0 ? "processes" : "", text);
    }
}

void add_real_time(Lines& lines, const Model& model, const LiveReport& report, const Figures& figures)
{
    const LiveCounters& counters = report.counters;
    const LiveSecond all = counters.all();
    auto slip = [&](double p) { return duration(static_cast<double>(counters.slip().percentile(p)) / kSecond); };
    if (all.released != 0) {
        lines.add("slip", fmt::format("median {}, p99 {}, max {}; {} of {} packets late", slip(50), slip(99), slip(100),
                                      all.late, all.released));
    }
    lines.add("devices",
              fmt::format("{} in, {} out, {} dropped by the kernel, {} not taken, {} malformed", all.received,
                          all.released, all.kernel_drops, all.send_failures, report.malformed));
    for (const LiveReport::Endpoint& endpoint : report.endpoints) {
        if (report.endpoints.size() == 1) break;
        const EndpointSecond own = endpoint.counters.all();
        const auto p99 = static_cast<double>(endpoint.counters.slip().percentile(99)) / kSecond;
        lines.add("", fmt::format("{}: {} in, {} out, {} late, slip p99 {}",
                                  model.text(model.image().endpoints[endpoint.row].name), own.received, own.released,
                                  own.late, duration(p99)));
    }
    if (report.foreign != 0) {
        lines.add("",
                  fmt::format("{} ignored: their source is not the endpoint's address, nor behind it", report.foreign));
    }
    if (report.ipv6 != 0) {
        lines.add("", fmt::format("{} of IPv6 ignored: to groups, or the endpoint has no IPv6",
                                  plural(report.ipv6, "frame")));
    }
    if (report.tagged != 0) {
        lines.add("", fmt::format("{} ignored: they belong to a VLAN", plural(report.tagged, "frame")));
    }
    if (report.groups != 0) {
        lines.add("", fmt::format("{} stayed on their segment: they were to all hosts, or to a group",
                                  plural(report.groups, "frame")));
    }
    if (report.moved != 0) {
        lines.add("", fmt::format("{} between bridged endpoints", plural(report.moved, "move")));
    }
    if (report.unreachable != 0) {
        lines.add("", fmt::format("{} not sent: the link was down, or no host answered ARP", report.unreachable));
    }
    add_processes(lines, report);
    std::string busy = fmt::format("emulator {} of a processor, {} of the time with work", percent(report.cpu_emulator),
                                   percent(report.busy));
    if (report.cpu_server) busy += fmt::format("; server {}", percent(*report.cpu_server));
    if (report.server_seen && counters.measured().server_lost > counters.measured().server_ran / 100)
        busy += fmt::format(", and others had one for {} that it waited for",
                            duration(static_cast<double>(counters.measured().server_lost) / kSecond));
    if (!report.server_seen && report.workloads_started != kNever)
        busy += "; whether the server had one when it wanted is not seen: it is in no sandbox";
    lines.add("processors", busy);
    const bool undecided = figures.verdict == Verdict::nothing_to_judge || figures.verdict == Verdict::degraded;
    std::string_view colour = figures.verdict == Verdict::kept_up ? lines.green()
                              : undecided                         ? lines.bold()
                                                                  : lines.red();
    // When: where the whole run is not valid, that would be no news.
    std::string when;
    constexpr std::size_t kShown = 4;
    const auto& spans = figures.degraded;
    for (std::size_t i = 0; i < spans.size() && figures.verdict == Verdict::degraded; ++i) {
        if (i < kShown)
            when += fmt::format("{} {} to {} s", i == 0 ? " from t =" : ",", spans[i].first, spans[i].second);
        if (i == kShown) when += fmt::format(" and {} more", plural(spans.size() - kShown, "time"));
    }
    lines.add("verdict", fmt::format("{}{}{}{}", colour, verdict_name(figures.verdict), when, lines.plain()));
    for (const std::string& reason : figures.verdict_reasons) lines.add("", reason);
    if (report.relayed)
        lines.add("", "the processes that hand connections on were not judged: beside other work they may be late");
}

}  // namespace

}  // namespace summary

std::string describe_tunables(std::span<const RunInfo::Parameter> parameters)
{
    std::string result;
    for (const RunInfo::Parameter& parameter : parameters) {
        if (!parameter.tunable) continue;
        result += fmt::format("{}{} = {}", result.empty() ? "" : ", ", parameter.name, parameter.text);
    }
    return result;
}

std::string results_summary(const Model& model, const RunInfo& run, const Statistics& statistics,
                            const Figures& figures, bool colour)
{
    using namespace summary;
    Lines lines(colour);
    std::string title = fmt::format("{}{}{}  {}, {} measured", lines.bold(), model.text(model.image().model_name),
                                    lines.plain(), run.live ? "live" : "simulated", duration(figures.measured_seconds));
    if (run.warmup > 0)
        title += fmt::format(" after {} of warm-up", duration(static_cast<double>(run.warmup) / kSecond));
    if (run.whole_run) title += ", the warm-up included, as the run is not longer than it";
    if (run.interrupted) title += "; interrupted";
    lines.line(title);
    // Their values are not in the model's text.
    if (std::string tunables = describe_tunables(run.parameters); !tunables.empty()) lines.add("with", tunables);
    const bool workloads = run.workload && model.image().workload_count != 0;
    if (workloads && run.real_time && run.real_time->workloads_started == kNever)
        lines.add("workloads", "none has begun: the run ended before their start");
    else if (workloads)
        add_workloads(lines, figures);
    if (!figures.groups.requests.empty()) add_report(lines, {{"request"}, figures.groups.requests});
    if (!figures.groups.request_groups.empty()) add_report(lines, {{"group"}, figures.groups.request_groups});
    for (const ReportFigures& report : figures.groups.reports) add_report(lines, report);
    add_groups(lines, "subnetworks", figures.groups.subnets);
    add_groups(lines, "sizes", figures.groups.sizes);
    if (run.workload) add_hang(lines, run, statistics, figures.total);
    // In a live run the verdict says it.
    if (const std::string shortage = describe_port_shortage(figures); !shortage.empty() && !run.real_time)
        lines.add("ports", shortage);
    if (run.workload) add_servers(lines, figures);
    add_packets(lines, model, run, statistics, figures);
    add_middleboxes(lines, model, statistics.middleboxes);
    add_buffers(lines, model, statistics.buffers, statistics.links);
    add_airs(lines, model, statistics.airs, figures.measured_seconds);
    add_links(lines, figures);
    add_fluid_links(lines, figures);
    add_impaired(lines, figures);
    add_thresholds(lines, figures);
    add_timeline(lines, model, run, statistics);
    if (run.replay) add_replay(lines, model, *run.replay);
    add_changes(lines, run, statistics);
    if (run.real_time) add_real_time(lines, model, *run.real_time, figures);
    double hops = static_cast<double>(statistics.total_packet_hops);
    double simulated = static_cast<double>(run.ended) / kSecond;
    if (run.live) {
        lines.add("run", fmt::format("{} of wall time, seed {}, digest {:016x}", duration(run.wall_seconds), run.seed,
                                     run.digest));
    } else {
        std::string threads = run.threads > 1 ? fmt::format(" on {} threads", run.threads) : "";
        if (!run.ranks.empty())
            threads = fmt::format(" on {} ranks{}", run.ranks.size(),
                                  run.threads > 1 ? fmt::format(" of {} threads", run.threads) : "");
        if (const std::string waited = waiting(run); !waited.empty()) lines.add("ranks", waited);
        lines.add("run", fmt::format("{} simulated in {}{} ({:.3g} M packet-hops/s), seed {}, digest {:016x}",
                                     duration(simulated), duration(run.wall_seconds), threads,
                                     run.wall_seconds > 0 ? hops / run.wall_seconds / 1e6 : 0, run.seed, run.digest));
    }
    return lines.take() + (run.profile ? describe_profile(*run.profile) : "");
}

}  // namespace anml::rt

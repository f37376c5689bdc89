// Workloads of each kind, groups of their hosts, and servers.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

#include "report/quantity.h"
#include "common/grpc_status.h"
#include "report/summary/summary_lines.h"

namespace anml::rt::summary {

namespace {

bool is_web(const WorkloadFigures& w) { return w.kind == app::FigureKind::transactions; }

void add_datagrams(Lines& lines, const WorkloadFigures& workload, std::string_view before)
{
    const DatagramFigures& f = workload.datagrams;
    std::string text =
        fmt::format("{}{} sent, {} received, {} lost", before, plural(f.sent, "datagram"), f.received, f.lost);
    if (f.lost_share) text += fmt::format(" ({})", percent(*f.lost_share));
    if (f.duplicates != 0) text += fmt::format(", {}", plural(f.duplicates, "duplicate"));
    if (f.refused != 0) text += fmt::format(", {} refused by the real host", f.refused);
    if (f.throughput_bps) text += fmt::format("; {} received, with IP headers", rate(*f.throughput_bps));
    lines.add("  " + workload.name, text);
    add_response_times(lines, "", f.delay, "one-way delay: ");
}

void add_echoes(Lines& lines, const WorkloadFigures& workload, std::string_view before)
{
    const EchoFigures& f = workload.echoes;
    std::string text =
        fmt::format("{}{} sent, {} received", before, plural(f.sent, "request"), plural(f.received, "reply"));
    auto count = [&](std::uint64_t number, std::string_view what) {
        if (number != 0) text += fmt::format(", {} {}", number, what);
    };
    count(f.duplicates, "duplicates");
    count(f.lost, "without a reply");
    count(f.late, "of them late");
    count(f.unreachable, "unreachable");
    count(f.time_exceeded, "time to live exceeded");
    if (f.lost_share) text += fmt::format("; {} packet loss", percent(*f.lost_share));
    lines.add("  " + workload.name, text);
    if (!f.least) return;
    add_response_times(
        lines, "", f.round_trip,
        fmt::format("round trip: min {}, deviation {}, ", duration(*f.least), duration(f.deviation.value_or(0))));
}

void add_fluid(Lines& lines, const WorkloadFigures& workload, std::string_view before)
{
    const FluidFigures& f = workload.fluid;
    if (!f.flows) return;
    std::string text =
        fmt::format("{}fluid: {:.1f} flows on average, {} offered; by rates alone, without queues, {} carried", before,
                    *f.flows, rate(*f.offered_bps), rate(*f.carried_bps));
    if (f.lost_share) text += fmt::format(" and {} lost", percent(*f.lost_share));
    lines.add("  " + workload.name, text);
}

void add_flows(Lines& lines, const WorkloadFigures& workload, std::string_view before)
{
    const FlowFigures& f = workload.flows;
    if (!f.goodput_bps) return;
    std::string text = fmt::format("{}{} delivered by {}", before, rate(*f.goodput_bps), plural(f.count, "flow"));
    if (f.count > 1) {
        text += fmt::format(": each {} to {}, median {}", rate(*f.min_bps), rate(*f.max_bps), rate(*f.median_bps));
        if (f.fairness) text += fmt::format("; fairness {:.3f}", *f.fairness);
    }
    lines.add("  " + workload.name, text);
    const TransactionFigures& t = workload.transactions;
    if (t.completed + t.failed() == 0) return;
    lines.add("",
              fmt::format("{} completed, {}, {}", plural(t.completed, "transfer"), failures(t), open_at_the_end(t)));
    add_response_times(lines, "", t.response, "transfer time: ");
    if (!workload.flow_times) return;
    for (const std::string& line : describe_flow_times(*workload.flow_times)) lines.add("", line);
    add_response_times(lines, "", workload.flow_times->waited, "those that began late had waited: ");
}

// By its name, and what the model calls it. `of`: what its figures are of.
void add_workload(Lines& lines, const WorkloadFigures& w, std::string_view of = "")
{
    const std::string before = w.label().empty() ? std::string(of) : fmt::format("{}: ", w.label());
    if (is_web(w) || w.calls) {
        const TransactionFigures& f = w.transactions;
        lines.add("  " + w.name,
                  fmt::format("{}{} completed, {}, {}, {}", before, f.completed,
                              f.per_second ? per_second(*f.per_second) : "-", failures(f), open_at_the_end(f)));
        add_response_times(lines, "", f.response);
        add_offered(lines, w);
        add_pages(lines, w, false);
        add_calls(lines, w);
    } else if (w.kind == app::FigureKind::flows) {
        add_flows(lines, w, before);
    } else if (w.kind == app::FigureKind::fluid) {
        add_fluid(lines, w, before);
    } else if (w.kind == app::FigureKind::echoes) {
        add_echoes(lines, w, before);
    } else {
        add_datagrams(lines, w, before);
    }
}

// All of an array that are few, else those that fare worst: most of whose transactions fail, then those that wait the
// longest; who waits for all of them waits longer than who has waited. In the model's order.
std::vector<std::uint32_t> worth_a_line(const SumFigures& sum, const std::vector<WorkloadFigures>& workloads)
{
    constexpr std::size_t kFew = 12, kWorst = 3;
    std::vector<std::uint32_t> members = sum.members;
    if (members.size() <= kFew) return members;
    const auto rank = [&](std::uint32_t member) {
        const WorkloadFigures& w = workloads[member];
        const ResponseTimes* times = times_of(w);
        const bool hangs = completed(w) == 0 && (w.transactions.in_progress != 0 || w.echoes.sent != 0);
        return std::tuple(-failed_share(w).value_or(0), !hangs, -(times ? times->mean.value_or(0) : 0), member);
    };
    std::partial_sort(members.begin(), members.begin() + kWorst, members.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    members.resize(kWorst);
    std::sort(members.begin(), members.end());
    return members;
}

std::string group_text(const GroupFigures& f)
{
    std::string text = fmt::format("{} completed, {}, {} failed", f.completed,
                                   f.per_second ? per_second(*f.per_second) : "-", f.failed);
    const auto add = [&](std::string_view name, const std::optional<double>& value) {
        if (value) text += fmt::format("{} {} {}", name == "mean" ? ";" : ",", name, duration(*value));
    };
    add("mean", f.response.mean);
    add("median", f.response.median);
    add("p95", f.response.p95);
    add("p99", f.response.p99);
    return text;
}

}  // namespace

// Every workload by its name, but for a web workload that is the only one. Of an array what its elements come to
// together stands before them.
void add_workloads(Lines& lines, const Figures& figures)
{
    const bool web = std::any_of(figures.workloads.begin(), figures.workloads.end(), is_web);
    if (web) add_transactions(lines, figures.total);
    if (web && figures.workloads.size() == 1) {
        add_response_times(lines, "response time", figures.total.response);
        add_offered(lines, figures.workloads.front());
        add_pages(lines, figures.workloads.front(), true);
        return;
    }
    std::vector<const SumFigures*> sums(figures.workloads.size());
    for (const SumFigures& sum : figures.sums)
        if (sum.members.size() > 1)
            for (const std::uint32_t member : sum.members) sums[member] = &sum;
    for (std::uint32_t i = 0; i < figures.workloads.size(); ++i) {
        if (!sums[i]) add_workload(lines, figures.workloads[i]);
        if (!sums[i] || sums[i]->members.front() != i) continue;
        const SumFigures& sum = *sums[i];
        add_workload(lines, sum.all, fmt::format("{} together: ", sum.members.size()));
        const std::vector<std::uint32_t> shown = worth_a_line(sum, figures.workloads);
        for (const std::uint32_t member : shown) add_workload(lines, figures.workloads[member]);
        if (shown.size() < sum.members.size())
            lines.add("", fmt::format("these {} fare worst; the results file has the other {}", shown.size(),
                                      sum.members.size() - shown.size()));
    }
}

std::string failure_text(const FailureExample& first)
{
    std::string text = fmt::format("the first failed by `{}`{}{}", first.cause, first.origin.empty() ? "" : " at ",
                                   first.origin);
    if (first.status != 0) text += fmt::format(", with the status {}", status_name(first.status));
    if (!first.body.empty()) text += fmt::format(" and a body that begins with `{}`", first.body);
    return text;
}

// What the model asks for; of many groups those that fare worst.
void add_report(Lines& lines, const ReportFigures& report)
{
    constexpr std::size_t kFew = 12, kWorst = 3;
    std::vector<std::size_t> shown(report.groups.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    if (shown.size() > kFew) {
        const auto rank = [&](std::size_t i) {
            const GroupFigures& f = report.groups[i];
            const std::uint64_t ended = f.completed + f.failed;
            const double share = ended == 0 ? 0 : static_cast<double>(f.failed) / static_cast<double>(ended);
            return std::tuple(-share, -f.response.mean.value_or(0), i);
        };
        std::sort(shown.begin(), shown.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
        shown.resize(kWorst);
        std::sort(shown.begin(), shown.end());
    }
    lines.add(fmt::format("by {}", fmt::join(report.keys, ", ")),
              fmt::format("{}", plural(report.groups.size(), "group")));
    for (const std::size_t i : shown) {
        lines.add("  " + report.groups[i].name, group_text(report.groups[i]));
        if (const auto& first = report.groups[i].first_failure) lines.add("", failure_text(*first));
        for (const CheckFigures& check : report.groups[i].checks)
            if (check.failed != 0)
                lines.add("", fmt::format("check `{}`: {} failed, {} passed", check.check, check.failed, check.passed));
    }
    if (shown.size() < report.groups.size())
        lines.add("", fmt::format("these {} fare worst; the results file has the other {}", shown.size(),
                                  report.groups.size() - shown.size()));
}

// Where groups differ, the quickest and the slowest of them.
void add_groups(Lines& lines, std::string_view subject, const std::vector<GroupFigures>& groups)
{
    constexpr double kWorthSaying = 1.2;
    const GroupFigures *quickest = nullptr, *slowest = nullptr;
    std::size_t without = 0;
    for (const GroupFigures& group : groups) {
        without += group.completed == 0;
        if (!group.response.mean) continue;
        if (!quickest || *group.response.mean < *quickest->response.mean) quickest = &group;
        if (!slowest || *group.response.mean > *slowest->response.mean) slowest = &group;
    }
    if (!quickest || *slowest->response.mean < kWorthSaying * *quickest->response.mean) return;
    const auto name = [](const GroupFigures& f) {
        return f.label.empty() ? f.name : fmt::format("{}, {}", f.name, f.label);
    };
    std::string text = fmt::format("{}: mean {} ({}) to {} ({})", groups.size(), duration(*quickest->response.mean),
                                   name(*quickest), duration(*slowest->response.mean), name(*slowest));
    if (without != 0) text += fmt::format("; {} without a completed transaction", without);
    lines.add(subject, text);
}

void add_servers(Lines& lines, const Figures& figures)
{
    for (const ServerFigures& server : figures.servers) {
        if (server.requests + server.dropped_connections == 0 || !server.mean_busy) continue;
        std::string text = fmt::format("{}; on average {:.3g} in service, {:.3g} waiting",
                                       plural(server.requests, "request"), *server.mean_busy, *server.mean_waiting);
        if (server.dropped_connections != 0)
            text += fmt::format("; {} dropped: its backlog was full", plural(server.dropped_connections, "SYN"));
        if (server.failed != 0) text += fmt::format("; {} answered by 502, 503 or 504", server.failed);
        lines.add(server.name, server.label.empty() ? text : fmt::format("{}: {}", server.label, text));
    }
}

}  // namespace anml::rt::summary

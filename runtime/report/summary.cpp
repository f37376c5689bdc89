// The terminal summary of a run: one line per subject, the figures of results.json rounded for reading.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "abi/records.h"
#include "net/model.h"
#include "report/figures.h"
#include "report/happenings.h"
#include "report/live_report.h"
#include "report/words.h"

namespace anml::rt {

namespace {

std::string rate(double bps)
{
    if (bps < 1e3) return fmt::format("{:.0f} bps", bps);
    if (bps < 1e6) return fmt::format("{:.4g} Kbps", bps / 1e3);
    if (bps < 1e9) return fmt::format("{:.4g} Mbps", bps / 1e6);
    return fmt::format("{:.4g} Gbps", bps / 1e9);
}

std::string per_second(double value)
{
    return value < 1000 ? fmt::format("{:.4g}/s", value) : fmt::format("{:.0f}/s", value);
}

std::string percent(double share)
{
    if (share > 0 && share < 1e-6) return "below 0.0001 %";
    return fmt::format("{:.3g} %", 100 * share);
}

// "house[3] (Library)"
std::string named(const std::string& name, std::string_view label)
{
    return label.empty() ? name : fmt::format("{} ({})", name, label);
}

// Lines "  subject        text", subjects in bold where there is colour.
class Lines {
  public:
    explicit Lines(bool colour) : colour_(colour) {}
    void add(std::string_view subject, std::string_view text)
    {
        text_ += fmt::format("  {}{:<14}{} {}\n", bold(), subject, plain(), text);
    }
    void line(std::string_view text) { text_ += fmt::format("{}\n", text); }
    std::string_view bold() const { return colour_ ? "\x1b[1m" : ""; }
    std::string_view red() const { return colour_ ? "\x1b[1;31m" : ""; }
    std::string_view green() const { return colour_ ? "\x1b[1;32m" : ""; }
    std::string_view plain() const { return colour_ ? "\x1b[0m" : ""; }
    std::string take() { return std::move(text_); }

  private:
    bool colour_;
    std::string text_;
};

std::string after(const FailureFigures& f)
{
    const std::string least = duration(*f.least), most = duration(*f.most);
    if (least == most) return "after " + most;
    return fmt::format("after {} to {}, {} on average", least, most, duration(*f.mean));
}

// "71408 HTTP errors, the first: 404 for /1024"
std::string status_failures(const TransactionFigures& f)
{
    const FailureFigures& failed = f.failed(FailureCause::status);
    return fmt::format("{} {}, the first: {} for {}", plural(failed.count, "HTTP error"), after(failed),
                       f.first_bad_status->what ? fmt::to_string(f.first_bad_status->what) : "no HTTP",
                       f.first_bad_status->path);
}

}  // namespace

std::string describe_failures(const TransactionFigures& f)
{
    std::string causes;
    auto cause = [&](FailureCause which, std::string_view text) {
        const FailureFigures& failed = f.failed(which);
        if (failed.count == 0) return;
        causes += fmt::format("{}{} {} {}", causes.empty() ? "" : "; ", failed.count, text, after(failed));
    };
    cause(FailureCause::connect, "no answer to SYN");
    cause(FailureCause::reset, "reset or unreachable");
    cause(FailureCause::timeout, "timed out");
    cause(FailureCause::truncated, "truncated");
    cause(FailureCause::redirect, "redirected too often");
    cause(FailureCause::tls, "of TLS");
    if (!f.first_broken.empty()) causes += fmt::format(", the first: {}", f.first_broken);
    if (f.first_bad_status) causes += fmt::format("{}{}", causes.empty() ? "" : "; ", status_failures(f));
    return causes;
}

namespace {

std::string failures(const TransactionFigures& f)
{
    return f.failed() == 0 ? "0 failed" : fmt::format("{} failed ({})", f.failed(), describe_failures(f));
}

void add_silence(Lines& lines, const TransactionFigures& f)
{
    if (f.completed + f.failed() + f.in_progress == 0)
        lines.add(
            "",
            "nobody has begun: each begins behind a share of its think time or interval, unless start_spread is told");
}

// Since when nothing completes any more, where it did and more waits for it.
void add_hang(Lines& lines, const RunInfo& run, const Statistics& statistics, const TransactionFigures& f)
{
    constexpr double kLeast = 2, kUsualGaps = 10;  // s, times
    if (f.in_progress == 0 || f.completed == 0 || !f.per_second) return;
    std::size_t last = statistics.series.size();
    while (last > 0 && statistics.series[last - 1].completed == 0) --last;
    const double begun = static_cast<double>(statistics.begin - run.warmup) / kSecond;
    const double silent = static_cast<double>(run.ended) / kSecond - begun - static_cast<double>(last);
    if (silent >= std::max(kLeast, kUsualGaps / *f.per_second))
        lines.add("", fmt::format("nothing completed in the last {}", duration(std::floor(silent))));
}

std::string open_at_the_end(const TransactionFigures& f)
{
    std::string text = fmt::format("{} open at the end", f.in_progress);
    if (f.open.oldest)
        text += fmt::format(" (for {}, the oldest for {})", duration(*f.open.median), duration(*f.open.oldest));
    return text;
}

// What the responses were, where they were not what the model says.
void add_responses(Lines& lines, const TransactionFigures& f)
{
    const bool usual = f.statuses.empty() || (f.statuses.size() == 1 && f.statuses[0].first == 200);
    if (!usual) {
        std::string text;
        for (const auto& [status, count] : f.statuses)
            text += fmt::format("{}{} with {}", text.empty() ? "" : ", ", count, status);
        lines.add("", "responses by status: " + text);
    }
    if (const auto& first = f.first_unexpected_status)
        lines.add("", fmt::format("unexpected status: {}, the first: {} for {}",
                                  plural(f.unexpected_status, "response"), first->what, first->path));
    if (const auto& first = f.first_unexpected_size) {
        lines.add("", fmt::format("unexpected size: {}, the first: {} B for {}, which has {} B in the model",
                                  plural(f.unexpected_size, "response"), first->what, first->path, first->expected));
    }
    if (f.checked_content)
        lines.add("", *f.checked_content != 0 ? plural(*f.checked_content, "response") + " compared with SHA-256"
                                              : "no response compared with SHA-256, as none of simulated servers is");
    if (const auto& first = f.first_unexpected_content)
        lines.add("",
                  fmt::format("unexpected content: {}, the first: {} for {}, whose list has {}",
                              plural(f.unexpected_content, "response"), first->found, first->path, first->expected));
}

// Where they are for more than a request each.
void add_connections(Lines& lines, const TransactionFigures& f)
{
    if (f.handshakes + f.resumed != 0) {
        lines.add("TLS", fmt::format("{}, {} of them resumed a session", plural(f.handshakes + f.resumed, "handshake"),
                                     f.resumed));
    }
    if (f.redirected != 0) lines.add("", plural(f.redirected, "redirection") + " followed");
    if (f.not_modified != 0) lines.add("", plural(f.not_modified, "document") + " asked for again and not modified");
    if (f.requests == f.connections) return;
    lines.add("connections", fmt::format("{} opened, {} sent, {} of them again", f.connections,
                                         plural(f.requests, "request"), f.retried));
}

void add_response_times(Lines& lines, std::string_view subject, const ResponseTimes& r, std::string_view what = "")
{
    std::string text(what), missing;
    bool censored = false;
    auto add = [&](std::string_view name, const std::optional<double>& value,
                   const std::optional<double>& at_least = {}) {
        const std::string_view comma = text.size() == what.size() ? "" : ", ";
        if (value)
            text += fmt::format("{}{} {}", comma, name, duration(*value));
        else if (at_least)
            text += fmt::format("{}{} > {}", comma, name, duration(*at_least));
        else if (r.samples != 0)
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", name);
        censored |= at_least.has_value();
    };
    add("mean", r.mean);
    add("median", r.median, r.at_least.median);
    add("p95", r.p95, r.at_least.p95);
    add("p99", r.p99, r.at_least.p99);
    add("max", r.max, r.at_least.max);
    if (text.size() == what.size()) return;
    lines.add(subject, text);
    if (censored)
        lines.add("", r.samples == 0 ? "> : none has completed, those that are open will take longer"
                                     : "> : censored, those that are open will take longer; the mean leaves them out");
    if (!missing.empty()) {
        lines.add("", fmt::format("{} {} too few for: {}", plural(r.samples, "sample"), r.samples == 1 ? "is" : "are",
                                  missing));
    }
}

// Where some did not begin when they were due.
void add_offered(Lines& lines, const WorkloadFigures& w)
{
    if (!w.offered || w.offered->late + w.offered->waiting == 0) return;
    const OfferedFigures& f = *w.offered;
    add_response_times(lines, "", f.from_due, "from when they were due: ");
    lines.add("", fmt::format("{} due, {} of them began late, {} waiting at the end", plural(f.due, "transaction"),
                              f.late, f.waiting));
}

void add_pages(Lines& lines, const WorkloadFigures& w, bool alone)
{
    if (!w.pages) return;
    const PageFigures& f = *w.pages;
    lines.add(alone ? "pages" : "",
              fmt::format("{}{} completed, {} failed, {} open at the end; {} ended",
                          alone ? "" : "pages: ", f.completed, f.failed, f.in_progress, plural(f.sessions, "session")));
    add_response_times(lines, "", f.time, "page time: ");
}

// Behind what its tries came to: what the calls did that they were made for.
void add_calls(Lines& lines, const WorkloadFigures& w)
{
    if (!w.calls) return;
    const CallFigures& f = *w.calls;
    std::string text =
        fmt::format("calls: {} completed, {} failed, {} open at the end", f.completed, f.failed, f.in_progress);
    auto count = [&](std::uint64_t number, std::string_view what) {
        if (number != 0) text += fmt::format(", {} {}", number, what);
    };
    count(f.hits, "answered by the cache");
    count(f.retried, "tried again");
    count(f.over_budget, "over the budget");
    count(f.refused, "refused by open circuits");
    lines.add("", text);
    if (f.opened != 0)
        lines.add("", fmt::format("circuits opened {}", f.opened == 1 ? "once" : fmt::format("{} times", f.opened)));
    if (f.time.mean != w.transactions.response.mean) add_response_times(lines, "", f.time, "time of calls: ");
}

bool is_web(const WorkloadFigures& w) { return w.kind == app::Figures::transactions; }

void add_transactions(Lines& lines, const TransactionFigures& f)
{
    lines.add("transactions", fmt::format("{} completed, {}, {}, {}", f.completed,
                                          f.per_second ? per_second(*f.per_second) : "nothing measured", failures(f),
                                          open_at_the_end(f)));
    add_silence(lines, f);
    add_responses(lines, f);
    add_connections(lines, f);
    if (f.throughput_bps) {
        lines.add("throughput",
                  fmt::format("{} of HTTP, requests and responses with their headers", rate(*f.throughput_bps)));
    }
}

void add_datagrams(Lines& lines, const WorkloadFigures& workload, std::string_view before)
{
    const DatagramFigures& f = workload.datagrams;
    std::string text =
        fmt::format("{}{} sent, {} received, {} lost", before, plural(f.sent, "datagram"), f.received, f.lost);
    if (f.lost_share) text += fmt::format(" ({})", percent(*f.lost_share));
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
    std::string text = fmt::format("{}{} delivered by {}", before, rate(*f.goodput_bps), plural(f.flows, "flow"));
    if (f.flows > 1) {
        text += fmt::format(": each {} to {}, median {}", rate(*f.least_bps), rate(*f.most_bps), rate(*f.median_bps));
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
    } else if (w.kind == app::Figures::flows) {
        add_flows(lines, w, before);
    } else if (w.kind == app::Figures::fluid) {
        add_fluid(lines, w, before);
    } else if (w.kind == app::Figures::echoes) {
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
    for (const std::size_t i : shown) lines.add("  " + report.groups[i].name, group_text(report.groups[i]));
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
        if (server.requests + server.dropped == 0 || !server.busy) continue;
        std::string text = fmt::format("{}; on average {:.3g} in service, {:.3g} waiting",
                                       plural(server.requests, "request"), *server.busy, *server.waiting);
        if (server.dropped != 0)
            text += fmt::format("; {} dropped: its backlog was full", plural(server.dropped, "SYN"));
        if (server.failed != 0) text += fmt::format("; {} answered by 502, 503 or 504", server.failed);
        lines.add(server.name, server.label.empty() ? text : fmt::format("{}: {}", server.label, text));
    }
}

// Figures that are 0 are left out.
std::string counted(const std::vector<std::pair<std::string_view, std::uint64_t>>& figures)
{
    std::string text;
    for (const auto& [what, count] : figures)
        if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    return text;
}

// "home[3].box" as "home[*].box": those of a declaration do the same job.
std::string without_indices(const std::string& name)
{
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        text += name[i];
        if (name[i] != '[') continue;
        text += "*";
        while (i + 1 < name.size() && name[i + 1] != ']') ++i;
    }
    return text;
}

// Three of each declaration, the others of it together; of each one's back ends six.
void add_middleboxes(Lines& lines, const Model& model, const std::vector<MiddleboxCounters>& middleboxes)
{
    constexpr std::size_t kShown = 3, kBackEnds = 6;
    const auto add = [&](const std::string& name, const MiddleboxCounters& box, std::string_view of) {
        const std::string text = counted(box.figures);
        if (!text.empty()) lines.add(name, fmt::format("{}{}: {}", abi::record_layout(box.schema).name, of, text));
    };
    std::map<std::string, std::size_t> seen;
    std::map<std::string, MiddleboxCounters> others;
    for (const MiddleboxCounters& box : middleboxes) {
        const std::string declared = without_indices(model.node_name(box.node));
        if (++seen[declared] <= kShown) {
            add(model.node_name(box.node), box, "");
            for (std::size_t i = 0; i < std::min(box.back_ends.size(), kBackEnds); ++i)
                lines.add(fmt::format("  to {}", model.node_name(box.back_ends[i].node)),
                          box.back_ends[i].figures.front().second == 0 ? "nothing" : counted(box.back_ends[i].figures));
            if (box.back_ends.size() > kBackEnds)
                lines.add(fmt::format("  to {} others", box.back_ends.size() - kBackEnds), "see the results");
            continue;
        }
        MiddleboxCounters& sum = others.try_emplace(declared, MiddleboxCounters{0, box.schema, {}, {}}).first->second;
        sum.figures.resize(box.figures.size());
        for (std::size_t i = 0; i < box.figures.size(); ++i) {
            sum.figures[i].first = box.figures[i].first;
            sum.figures[i].second += box.figures[i].second;
        }
    }
    for (const auto& [declared, sum] : others)
        add(fmt::format("{} others", seen[declared] - kShown), sum, fmt::format("s `{}` together", declared));
}

// The three fullest. Where one has dropped nothing, its ports' own queues may have.
void add_buffers(Lines& lines, const Model& model, std::vector<BufferCounters> buffers,
                 const std::vector<LinkCounters>& links)
{
    constexpr std::size_t kShown = 3;
    const auto share = [](const BufferCounters& b) {
        return static_cast<double>(b.highest) / static_cast<double>(b.capacity);
    };
    std::sort(buffers.begin(), buffers.end(), [&](const BufferCounters& a, const BufferCounters& b) {
        return share(a) != share(b) ? share(a) > share(b) : a.node < b.node;
    });
    if (buffers.size() > kShown) buffers.resize(kShown);
    for (const BufferCounters& b : buffers) {
        std::uint64_t own = 0;
        for (const LinkCounters& link : links)
            if (b.dropped == 0 && link.dropped != 0 && model.near_end(link.link) == b.node) own += link.dropped;
        lines.add(model.node_name(b.node),
                  fmt::format("shared buffer: at most {} B of {} B in it ({}), {} dropped{}", b.highest, b.capacity,
                              percent(share(b)), b.dropped,
                              own == 0 ? "" : fmt::format("; its ports' own queues dropped {}", own)));
    }
}

// The three busiest.
void add_airs(Lines& lines, const Model& model, std::vector<AirCounters> airs, double seconds)
{
    constexpr std::size_t kShown = 3;
    std::sort(airs.begin(), airs.end(), [](const AirCounters& a, const AirCounters& b) {
        const auto most = [](const AirCounters& c) { return std::max({c.taken, c.taken_down, c.taken_up}); };
        return most(a) != most(b) ? most(a) > most(b) : a.node < b.node;
    });
    if (airs.size() > kShown) airs.resize(kShown);
    for (const AirCounters& a : airs) {
        if (a.transmissions == 0 || seconds <= 0) continue;
        const auto share = [&](Time time) { return percent(static_cast<double>(time) / kSecond / seconds); };
        std::string text;
        if (a.scheduled)
            text = fmt::format("slots taken for {} down, {} up; {}", share(a.taken_down), share(a.taken_up),
                               plural(a.transmissions, "transport block"));
        else
            text = fmt::format("air taken for {}; {}, {} collided", share(a.taken),
                               plural(a.transmissions, "transmission"),
                               percent(static_cast<double>(a.collisions) / static_cast<double>(a.transmissions)));
        if (a.failed != 0)
            text += a.scheduled ? fmt::format(", {} of them failed; {} lost", a.failed, plural(a.lost, "packet"))
                                : fmt::format("; {} failed, {} lost", plural(a.failed, "packet"), a.lost);
        lines.add(model.node_name(a.node), text);
    }
}

void add_packets(Lines& lines, const RunInfo& run, const Statistics& s, const Figures& figures)
{
    std::string text = fmt::format("{} sent, {} lost", s.packets_sent, figures.packets_lost);
    if (figures.packet_loss) text += fmt::format(" ({})", percent(*figures.packet_loss));
    std::string causes;
    auto cause = [&](std::uint64_t count, std::string_view name) {
        if (count != 0) causes += fmt::format("{}{} {}", causes.empty() ? ": " : ", ", count, name);
    };
    cause(s.dropped_queue, "queue full");
    cause(s.dropped_ttl, "TTL expired");
    cause(s.dropped_mtu, "above the MTU");
    cause(s.dropped_no_route, "without a route");
    cause(s.dropped_link, "link down");
    cause(s.dropped_malformed, "malformed");
    cause(s.dropped_lost, "lost by links");
    cause(s.dropped_corrupted, "corrupted");
    cause(s.dropped_processing, "no processor was free");
    cause(s.dropped_middlebox, "stopped by middleboxes");
    std::string again = plural(s.retransmissions, "retransmission");
    if (run.real_time) {
        again +=
            fmt::format(" by virtual hosts, {} by real ones", run.real_time->counters.measured().host_retransmissions);
    }
    lines.add("packets", fmt::format("{}{}; {}", text, causes, again));
    if (s.icmp_withheld != 0) lines.add("", fmt::format("{} ICMP errors withheld by limits", s.icmp_withheld));
    if (s.dropped_unfragmented != 0) {
        lines.add("", fmt::format("{} of those above the MTU a router would have cut into fragments; a switch cannot",
                                  s.dropped_unfragmented));
    }
    if (s.fragmented != 0) lines.add("", fmt::format("{} cut into {} fragments", s.fragmented, s.fragments));
    if (const std::uint64_t incomplete = s.reassembly_timed_out + s.reassembly_no_room + s.reassembly_discarded;
        s.reassembled + incomplete != 0)
    {
        text = fmt::format("{} put together", plural(s.reassembled, "datagram"));
        causes.clear();
        cause(s.reassembly_timed_out, "incomplete after 30 s");
        cause(s.reassembly_no_room, "given up for lack of room");
        cause(s.reassembly_discarded, "overlapping or broken");
        lines.add("", text + causes);
    }
}

void add_links(Lines& lines, const Figures& figures)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(figures.busiest.size(), kShown); ++i) {
        const LinkFigures& link = figures.busiest[i];
        text += fmt::format("{}{} {}", i == 0 ? "" : ", ", named(link.name, link.label), percent(link.utilisation));
        if (link.dropped != 0 && link.marked != 0)
            text += fmt::format(" ({} dropped, {} marked)", link.dropped, link.marked);
        else if (link.dropped != 0)
            text += fmt::format(" ({} dropped)", link.dropped);
        else if (link.marked != 0)
            text += fmt::format(" ({} marked)", link.marked);
    }
    if (!text.empty()) lines.add("busiest links", text);
    text.clear();
    for (std::size_t i = 0; i < std::min(figures.busiest.size(), kShown); ++i) {
        const LinkFigures& link = figures.busiest[i];
        if (link.longest_queue_delay.value_or(0) == 0) continue;
        text += fmt::format("{}{} {} on average, at most {}", text.empty() ? "" : "; ", named(link.name, link.label),
                            duration(*link.mean_queue_delay), duration(*link.longest_queue_delay));
    }
    if (!text.empty()) lines.add("queue delays", text);
}

void add_fluid_links(Lines& lines, const Figures& figures)
{
    constexpr std::size_t kShown = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(figures.fluid_links.size(), kShown); ++i) {
        const FluidLinkFigures& link = figures.fluid_links[i];
        text += fmt::format("{}{} {} fluid and {} packets", i == 0 ? "" : ", ", named(link.name, link.label),
                            percent(link.utilisation), percent(link.packet_utilisation));
        if (link.lost_share) text += fmt::format(" ({} of the fluid lost)", percent(*link.lost_share));
    }
    if (!text.empty()) lines.add("fluid on links", text);
}

void add_impaired(Lines& lines, const Figures& figures)
{
    constexpr std::size_t kShown = 3;
    for (std::size_t i = 0; i < std::min(figures.impaired_arrays.size(), kShown); ++i) {
        const ImpairedLinkFigures& link = figures.impaired_arrays[i];
        std::string text;
        auto fate = [&](std::uint64_t count, std::string_view name) {
            if (count == 0) return;
            text += fmt::format("{} {} {} ({})", text.empty() ? ":" : ",", count, name,
                                percent(static_cast<double>(count) / static_cast<double>(link.packets)));
        };
        fate(link.lost, "lost");
        fate(link.corrupted, "corrupted");
        fate(link.duplicated, "duplicated");
        fate(link.reordered, "reordered");
        lines.add(i == 0 ? "impairments" : "",
                  fmt::format("{}, {}{}{}", link.name, link.links > 1 ? plural(link.links, "link") + ", " : "",
                              plural(link.packets, "packet"), text));
    }
    if (figures.impaired_arrays.size() > kShown)
        lines.add("", fmt::format("and {} more, in the results file", figures.impaired_arrays.size() - kShown));
}

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
    for (const Happening& happening : happenings(model)) {
        if (happening.time + statistics.timeline_origin > run.ended) break;
        if (count++ < kShown)
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", moment(happening.time), happening.text);
    }
    if (count > kShown) text += fmt::format("; and {} more", count - kShown);
    if (!text.empty()) lines.add("timeline", text);
}

void add_replay(Lines& lines, const Model& model, const ReplayReport& report)
{
    for (const ReplayReport::Endpoint& endpoint : report.endpoints) {
        std::string text(model.text(model.image().endpoints[endpoint.row].name));
        if (!endpoint.in.empty())
            text += fmt::format(", {}: {} of {} entered", endpoint.in, endpoint.counted.entered,
                                plural(endpoint.counted.read, "packet"));
        if (!endpoint.out.empty())
            text += fmt::format(", {}: {} written", endpoint.out, plural(endpoint.counted.written, "packet"));
        if (endpoint.counted.cut_short != 0)
            text +=
                fmt::format("; of {} the file has the beginning, zeros stand for the rest", endpoint.counted.cut_short);
        lines.add(&endpoint == &report.endpoints.front() ? "replayed" : "", text);
    }
    const auto ignored = [&](std::uint64_t count, std::string_view why) {
        if (count != 0) lines.add("", fmt::format("{} ignored: {}", plural(count, "packet"), why));
    };
    ignored(report.foreign, "their source is not the endpoint's address, nor behind it");
    ignored(report.ipv6, "they are of no subnet of IPv6 behind an endpoint");
    ignored(report.tagged, "they belong to a VLAN");
    ignored(report.malformed, "malformed");
}

void add_changes(Lines& lines, const RunInfo& run, const Statistics& statistics)
{
    constexpr std::size_t kShown = 8;
    std::size_t count = 0;
    for (const WordedChange& change : run.changes) {
        if (change.time + statistics.timeline_origin > run.ended) break;
        if (count++ < kShown)
            lines.add(count == 1 ? "changes" : "",
                      fmt::format("{}: {}", duration(static_cast<double>(change.time) / kSecond), change.what));
    }
    if (count > kShown) lines.add("", fmt::format("and {} more", count - kShown));
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
    std::string busy = fmt::format("emulator {} of a processor, {} of the time with work", percent(report.cpu_emulator),
                                   percent(report.busy));
    if (report.cpu_server) busy += fmt::format("; server {}", percent(*report.cpu_server));
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
}

}  // namespace

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
    if (run.workload && run.real_time && run.real_time->workloads_started == kNever)
        lines.add("workloads", "none has begun: the run ended before their start");
    else if (run.workload)
        add_workloads(lines, figures);
    for (const ReportFigures& report : figures.groups.reports) add_report(lines, report);
    add_groups(lines, "subnetworks", figures.groups.subnets);
    add_groups(lines, "sizes", figures.groups.sizes);
    if (run.workload) add_hang(lines, run, statistics, figures.total);
    if (run.workload) add_servers(lines, figures);
    add_packets(lines, run, statistics, figures);
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
        const std::string threads = run.threads > 1 ? fmt::format(" on {} threads", run.threads) : "";
        lines.add("run", fmt::format("{} simulated in {}{} ({:.3g} M packet-hops/s), seed {}, digest {:016x}",
                                     duration(simulated), duration(run.wall_seconds), threads,
                                     run.wall_seconds > 0 ? hops / run.wall_seconds / 1e6 : 0, run.seed, run.digest));
    }
    return lines.take() + (run.profile ? describe_profile(*run.profile) : "");
}

}  // namespace anml::rt

// Of transactions: how they ended, what the responses were, how long they took.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/grpc_status.h"
#include "report/quantity.h"
#include "report/summary/summary_lines.h"

namespace anml::rt {

namespace {

std::string after(const FailureFigures& f)
{
    const std::string least = duration(*f.least), most = duration(*f.most);
    if (least == most) return "after " + most;
    return fmt::format("after {} to {}, {} on average", least, most, duration(*f.mean));
}

// "71408 HTTP errors after 2 ms, the first: 404 for /1024"
std::string status_failures(const TransactionFigures& f)
{
    std::string text;
    for (const auto& [cause, what] :
         {std::pair(FailureCause::status, "HTTP error"), std::pair(FailureCause::grpc_status, "gRPC error")})
        if (const FailureFigures& failed = f.failed(cause); failed.count != 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", plural(failed.count, what), after(failed));
    return fmt::format("{}, the first: {} for {}", text,
                       f.first_bad_status->what ? status_name(f.first_bad_status->what) : "no HTTP",
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
    cause(FailureCause::no_port, "without a local port");
    cause(FailureCause::tls, "of TLS");
    if (!f.first_broken.empty()) causes += fmt::format(", the first: {}", f.first_broken);
    cause(FailureCause::protocol, "not opened by the answer");
    cause(FailureCause::frame, "of wrong frames");
    cause(FailureCause::masked, "of masked frames");
    if (!f.first_wrong.empty()) causes += fmt::format(", the first: {}", f.first_wrong);
    cause(FailureCause::no_trailers, "without a gRPC status");
    cause(FailureCause::compressed, "of compressed messages");
    cause(FailureCause::server_closed, "closed by the server");
    if (!f.close_codes.empty()) {
        std::string codes;
        for (const auto& [code, count] : f.close_codes)
            codes += fmt::format("{}{} with {}", codes.empty() ? "" : ", ", count, code);
        causes += fmt::format(" ({})", codes);
    }
    if (const auto& bad = f.first_failed_check) {
        cause(FailureCause::check, "not as their checks want");
        causes += fmt::format(", the first: `{}` of `{}`, whose response had the status {}", bad->check, bad->request,
                              status_name(bad->status));
        if (!bad->body.empty()) causes += fmt::format(" and began with `{}`", bad->body);
    }
    if (f.first_bad_status) causes += fmt::format("{}{}", causes.empty() ? "" : "; ", status_failures(f));
    return causes;
}

std::string describe_port_shortage(const Figures& figures)
{
    std::uint64_t count = 0;
    for (const WorkloadFigures& w : figures.workloads) count += w.transactions.failed(FailureCause::no_port).count;
    if (count == 0) return "";
    return fmt::format(
        "no local port was free for {}: a host has those from `first_port` to `last_port` of its `tcp` for each "
        "server, and what it closes first keeps one for `time_wait`, unless `time_wait_reuse` is on",
        plural(count, "connection"));
}

namespace summary {

namespace {

void add_silence(Lines& lines, const TransactionFigures& f)
{
    if (f.completed + f.failed() + f.in_progress == 0)
        lines.add(
            "",
            "nothing was under way while it was measured: each begins behind a share of its think time or interval, "
            "unless start_spread is told");
}

// What the responses were, where they were not what the model says.
void add_responses(Lines& lines, const TransactionFigures& f)
{
    const auto fine = [](const auto& of) { return of.first == 200 || of.first == kGrpcOk; };
    const bool usual = std::all_of(f.statuses.begin(), f.statuses.end(), fine);
    if (!usual) {
        std::string text;
        for (const auto& [status, count] : f.statuses)
            text += fmt::format("{}{} with {}", text.empty() ? "" : ", ", count, status_name(status));
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

}  // namespace

std::string failures(const TransactionFigures& f)
{
    return f.failed() == 0 ? "0 failed" : fmt::format("{} failed ({})", f.failed(), describe_failures(f));
}

// Since when nothing completes any more, where it did and more waits for it.
void add_hang(Lines& lines, const RunInfo& run, const Statistics& statistics, const TransactionFigures& f)
{
    constexpr double kLeast = 2, kUsualGaps = 10;  // s, times
    if (f.in_progress == 0 || f.completed == 0 || !f.per_second) return;
    std::size_t last = statistics.series.size();
    while (last > 0 && statistics.series[last - 1].completed == 0) --last;
    const double begun = static_cast<double>(statistics.begin - run.warmup) / kSecond;
    const double silent =
        static_cast<double>(run.ended) / kSecond - begun - static_cast<double>(last * statistics.interval);
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

void add_response_times(Lines& lines, std::string_view subject, const ResponseTimes& r, std::string_view what)
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
    if (f.circuits_opened != 0)
        lines.add("", fmt::format("circuits opened {}", f.circuits_opened == 1 ? "once" : fmt::format("{} times", f.circuits_opened)));
    if (f.time.mean != w.transactions.response.mean) add_response_times(lines, "", f.time, "time of calls: ");
}

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

}  // namespace summary
}  // namespace anml::rt

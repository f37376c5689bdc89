#include "entry/run/run.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "app/flows/pairing.h"
#include "app/web_client/web_origins.h"
#include "app/web_client/web_stream.h"
#include "commandline/streams.h"
#include "entry/options/changes_file.h"
#include "entry/options/tunables.h"
#include "entry/run/report_file.h"
#include "entry/tools/interrupt.h"
#include "entry/tools/output_file.h"
#include "entry/tools/suggestion.h"
#include "io/capture/pcap_reader.h"
#include "net/timeline/timeline.h"
#include "report/quantity.h"
#include "simulator/statistics.h"

namespace anml::rt::entry {

namespace {

bool colour_wanted(int descriptor)
{
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    bool dumb = term && std::string_view(term) == "dumb";
    return isatty(descriptor) && !(no_color && *no_color) && !dumb;
}

// "the indices of `edge` are 0 .. 63" where `name` is a link but for its index; "": it is not.
std::string index_hint(const Model& model, std::string_view name)
{
    const std::size_t bracket = name.rfind('[');
    if (name.empty() || name.back() != ']' || bracket == name.npos) return "";
    const std::string_view array = name.substr(0, bracket);
    std::uint32_t elements = 0;
    for (std::uint32_t i = 0; i < model.image().link_row_count; ++i) {
        const abi::LinkRow& row = model.image().link_rows[i];
        const std::string_view link = model.text(row.name);
        if (link == array && row.keys != abi::kNone) {
            std::vector<std::string> keys;
            for (std::uint32_t element = 0; element < row.count; ++element)
                keys.push_back(element_text(model.image(), row.keys, element));
            return fmt::format("; `{}` has no such key{}", array,
                               suggestion(name.substr(bracket + 1, name.size() - bracket - 2), keys));
        }
        // An array is one row; what a `for` made has a row per index.
        if (link == array && row.is_array) elements = row.count;
        if (link.starts_with(array) && link.substr(array.size()) == fmt::format("[{}]", elements)) ++elements;
    }
    return elements == 0 ? "" : fmt::format("; the indices of `{}` are 0 .. {}", array, elements - 1);
}

std::string unknown_link(const Model& model, const std::string& name)
{
    std::string_view without_direction = name;
    if (name.ends_with('>') || name.ends_with('<')) without_direction.remove_suffix(1);
    if (std::string hint = index_hint(model, without_direction); !hint.empty()) {
        return fmt::format("--capture {}: no such link{}", name, hint);
    }
    std::vector<std::string> known;
    for (std::uint32_t i = 0; i < model.image().link_row_count; ++i) {
        known.emplace_back(model.text(model.image().link_rows[i].name));
    }
    return fmt::format("--capture {}: no such link{}", name, suggestion(without_direction, known));
}

// A live run whose every transaction or transfer failed, or hangs, measured nothing that anybody wanted; "": not so.
std::string all_failed(const RunInfo& info, const Figures& figures)
{
    std::uint64_t failed = 0;
    const TransactionFigures* first = nullptr;
    std::optional<double> oldest;
    for (const WorkloadFigures& w : figures.workloads) {
        if (w.transactions.completed != 0 || w.flows.bytes != 0 || w.datagrams.received != 0) return "";
        if (w.echoes.received != 0) return "";
        failed += w.transactions.failed();
        if (!first && w.transactions.failed() != 0) first = &w.transactions;
        oldest = std::max(oldest, w.transactions.open.oldest);
    }
    const TransactionFigures& total = figures.total;
    if (!info.live) return "";
    if (failed == 0 && oldest && !info.interrupted)
        return fmt::format("nothing completed: every server hangs, the oldest transaction for {:.3g} s", *oldest);
    if (failed == 0) return "";
    return fmt::format("no {} succeeded, {} failed: {}", total.failed() != 0 ? "transaction" : "transfer", failed,
                       describe_failures(total.failed() != 0 ? total : *first));
}

std::string unmet_thresholds(const Figures& figures)
{
    constexpr std::size_t kShown = 20;
    std::string text;
    std::size_t unmet = 0;
    for (const ThresholdFigures& threshold : figures.thresholds) {
        if (threshold.met || ++unmet > kShown) continue;
        const bool own_words = !threshold.message.starts_with("`" + threshold.text);
        const std::string what = threshold.judged
                                     ? threshold.message
                                     : fmt::format("cannot be judged: {}{}", threshold.text,
                                                   own_words ? fmt::format(" (else \"{}\")", threshold.message) : "");
        text += fmt::format("error: {}: {}: {}\n", threshold.where, what,
                            describe_measures(threshold, own_words && threshold.judged));
    }
    if (unmet > kShown) text += fmt::format("error: {} more are not met; the results file has them\n", unmet - kShown);
    return text;
}

}  // namespace

Run::Run(const abi::Image& image, std::vector<double> tunables, const Options& options)
    : model_(image, tunables), options_(options), reader_(model_, tunables)
{
    const Time warmup = options.warmup.value_or(model_.time(image.warmup));
    duration_ = options.duration.value_or(model_.time(image.duration));
    info_.whole_run = warmup > 0 && duration_ <= warmup;
    info_.warmup = info_.whole_run ? 0 : warmup;
    info_.live = options.command == Command::live;
    info_.workload = options.workload;
    for (const io::Attachment& attached : options.attachments) info_.attached.push_back(attached.endpoint);
    for (const io::SandboxRequest& sandbox : options.sandboxes) info_.attached.push_back(sandbox.endpoint);
    info_.seed = options.seed;
    info_.parameters = parameters_of(image, tunables);
}

// What happens by the run's end; later ones change nothing.
bool Run::read_changes(std::string& error)
{
    if (options_.changes.empty()) return true;
    // Whoever compiled it took what cannot change for granted (codegen/model_facts.cpp).
    if (model_.image().endpoint_count == 0) {
        error = "--changes: this model has no endpoint, and so no live run to repeat; write a timeline";
        return false;
    }
    const auto all = entry::read_changes(options_.changes, error);
    if (!all) return false;
    for (const WordedChange& change : *all) {
        const auto entered = reader_.read(change.what, change.time, error);
        if (!entered) {
            error = fmt::format("--changes {}: `{}`: {}", options_.changes, excerpt(change.what), error);
            return false;
        }
        worded_.push_back(change);
        entered_.insert(entered_.end(), entered->begin(), entered->end());
    }
    return true;
}

int Run::check(std::string& error) const
{
    std::vector<std::string> files;
    if (!options_.results.empty()) files.push_back(options_.results);
    for (const std::string& report : options_.reports) {
        if (error = why_no_report(report); !error.empty()) return kExitUsage;
        if (std::ranges::any_of(files, [&](const std::string& other) { return same_file(other, report); }))
            error = fmt::format("{} would be written twice", report);
        if (!error.empty()) return kExitUsage;
        files.push_back(report);
    }
    if (!options_.connections.empty()) {
        if (std::string_view(options_.connections).ends_with(".parquet"))
            error = fmt::format("--connections {}: connections are written as CSV, of which pandas and polars make Parquet",
                                options_.connections);
        for (const std::string& other : files)
            if (same_file(other, options_.connections))
                error = fmt::format("{} would be written twice", options_.connections);
        if (!error.empty()) return kExitUsage;
        files.push_back(options_.connections);
    }
    for (const CaptureRequest& capture : options_.captures) {
        if (model_.links_named(capture.link).empty()) error = unknown_link(model_, capture.link);
        const auto same = [&](const std::string& other) { return same_file(other, capture.file); };
        if (std::any_of(files.begin(), files.end(), same))
            error = fmt::format("{} would be written twice", capture.file);
        if (!error.empty()) return kExitUsage;
        files.push_back(capture.file);
    }
    for (const io::Attachment& attached : options_.attachments) {
        if (error = why_not_replayed(attached, files); !error.empty()) return kExitUsage;
        if (!attached.files.out.empty()) files.push_back(attached.files.out);
    }
    for (const std::string& file : files) {
        if (error = why_not_writable(file); !error.empty()) return kExitFailed;
    }
    if (error = app::WebStreams(model_, app::WebOrigins(model_), options_.seed, info_.live).problem; !error.empty()) return kExitFailed;
    return kExitOk;
}

// "": a capture file may take the place of the endpoint. `written`: by others.
std::string Run::why_not_replayed(const io::Attachment& attached, const std::vector<std::string>& written) const
{
    const abi::EndpointRow& endpoint = model_.image().endpoints[attached.endpoint];
    const io::PcapFiles& files = attached.files;
    if (attached.kind != io::Attachment::Kind::pcap) return "";
    const std::string asking = workload_that_asks(endpoint.node);
    if (info_.live && !asking.empty())
        return fmt::format(
            "workload `{}` asks endpoint `{}`, and a file does not answer: leave --attach {}=pcap:... "
            "out, or start no workload (--no-workload)",
            asking, model_.text(endpoint.name), model_.text(endpoint.name));
    std::string error;
    if (!files.in.empty() && !io::PcapReader::open(files.in, {}, {}, error)) return error;
    const auto same = [&](const std::string& other) { return same_file(other, files.out); };
    if (!files.out.empty() && std::any_of(written.begin(), written.end(), same))
        return fmt::format("{} would be written twice", files.out);
    for (const io::Attachment& other : options_.attachments) {
        if (!files.out.empty() && !other.files.in.empty() && same(other.files.in))
            return fmt::format("{} would be read and written", files.out);
    }
    return "";
}

// The first that connects to the node, "": none does, or none is started.
std::string Run::workload_that_asks(NodeId node) const
{
    const abi::Image& image = model_.image();
    for (std::uint32_t w = 0; w < image.workload_count && options_.workload; ++w) {
        if (image.workloads[w].transport == protocol::tcp && app::has_peer(model_, w, node))
            return std::string(model_.text(image.workloads[w].name));
    }
    return "";
}

std::unique_ptr<Run> Run::prepare(const abi::Image& image, const Options& options,
                                  const std::vector<std::string>& command_line, Ending& error)
{
    std::string message;
    std::optional<std::vector<double>> tunables = bind_tunables(image, options.settings, message);
    if (!tunables) {
        error = {kExitUsage, "", fmt::format("error: {}\n", message)};
        return nullptr;
    }
    std::unique_ptr<Run> run(new Run(image, std::move(*tunables), options));
    if (!run->read_changes(message)) {
        error = {kExitFailed, "", fmt::format("error: {}\n", message)};
        return nullptr;
    }
    std::string violated;
    for (const std::string& requirement : violated_requirements(run->model_, run->info_.parameters)) {
        violated += fmt::format("error: {}\n", requirement);
    }
    if (violated.empty())
        if (const std::string timeline = Timeline(run->model_, run->entered_).error(); !timeline.empty())
            violated = fmt::format("error: {}\n", timeline);
    if (!violated.empty()) {
        error = {kExitFailed, "", violated};
        return nullptr;
    }
    if (int status = run->check(message); status != kExitOk) {
        error = {status, "", fmt::format("error: {}\n", message)};
        return nullptr;
    }
    run->info_.command = command_line;
    run->info_.machine = this_machine();
    run->info_.started = fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::now()));
    return run;
}

void Run::become(const Run& other)
{
    model_.bind(other.model_.tunables());
    options_ = other.options_;
    const std::string started = std::move(info_.started);
    info_ = other.info_;
    info_.started = started;
}

bool Run::start_captures(Simulator& simulator, Time epoch, std::string& error)
{
    for (const CaptureRequest& capture : options_.captures) {
        const std::vector<LinkId> links = model_.links_named(capture.link);
        const bool frames = !links.empty() && model_.is_transparent(links.front());
        captures_.push_back(io::CaptureFile::open(capture.file, model_, simulator.buffers(), epoch, error, frames));
        if (!captures_.back()) return false;
        for (LinkId link : links) simulator.watch(link, *captures_.back());
    }
    if (options_.connections.empty()) return true;
    simulator.record_connections();
    if (writes_connections_) connections_ = io::ConnectionFile::open(options_.connections, model_, !info_.live, error);
    return connections_ || !writes_connections_;
}

std::string Senders::why_not_here() const
{
    return fmt::format("process {} sends what it carries: capture it there", elsewhere.value_or(0));
}

Senders Run::senders(const std::vector<LinkId>& links) const
{
    Senders senders;
    for (const LinkId link : links) {
        const std::uint32_t process = options_.several() ? model_.task_of(model_.near_end(link)).task : own_;
        if (process == own_)
            senders.here = true;
        else
            senders.elsewhere = process;
    }
    return senders;
}

bool Run::close_captures(Time end)
{
    bool good = true;
    for (auto& capture : captures_) {
        std::string error;
        if (capture->finish(end, error)) continue;
        commandline::say(fmt::format("error: {}\n", error));
        good = false;
    }
    captures_.clear();
    return good;
}

bool Run::close_connections(Simulator& simulator, bool failed)
{
    if (!connections_) return true;
    connections_->take(simulator.take_connections(true));
    std::string error;
    const bool good = connections_->finish(failed, error);
    if (!good) commandline::say(fmt::format("error: {}\n", error));
    info_.connections = {options_.connections, connections_->written(), connections_->dropped()};
    connections_.reset();
    return good;
}

int Run::fail(Simulator& simulator, const std::string& error)
{
    stopped();
    close_captures(simulator.now());
    close_connections(simulator, true);
    info_.error = error;
    info_.ended = simulator.now();
    info_.digest = simulator.digest();
    write_results(simulator.statistics(), compute_figures(model_, info_, simulator.statistics()));
    commandline::say(fmt::format("error: {}\n", error));
    return kExitFailed;
}

int Run::finish(Simulator& simulator)
{
    stopped();
    bool good = close_captures(simulator.now());
    good &= close_connections(simulator, false);
    info_.digest = simulator.digest();
    // Of several processes any may have been.
    info_.interrupted = interrupted_by() != 0 || (info_.real_time && info_.real_time->interrupted);
    const Statistics& statistics = simulator.statistics();
    Figures figures = compute_figures(model_, info_, statistics);
    if (std::string every = all_failed(info_, figures); info_.error.empty() && !every.empty()) {
        info_.error = every;
        figures = compute_figures(model_, info_, statistics);
    }
    std::string text =
        results_summary(model_, info_, statistics, figures,
                        !options_.mpi && colour_wanted(STDOUT_FILENO));  // mpirun gives rank 0 a terminal of its own
    good &= write_results(statistics, figures);
    if (good && !options_.results.empty()) text += fmt::format("  {:<14} {}\n", "results in", options_.results);
    for (const std::string& report : options_.reports)
        if (good) text += fmt::format("  {:<14} {}\n", "report in", report);
    if (good && !options_.connections.empty())
        text += fmt::format("  {:<14} {}, {} of them\n", "connections in", options_.connections,
                            info_.connections->written);
    for (const CaptureRequest& capture : options_.captures) {
        if (good) text += fmt::format("  {:<14} {} of {}\n", "capture in", capture.file, capture.link);
    }
    if (!options_.quiet) good &= write_standard_output(text);
    if (!info_.error.empty()) commandline::say(fmt::format("error: {}\n", info_.error));
    if (!good || !info_.error.empty()) return kExitFailed;
    const std::string unmet = unmet_thresholds(figures);
    commandline::say(unmet);
    if (info_.interrupted) return 128 + (interrupted_by() != 0 ? interrupted_by() : SIGINT);
    if (options_.strict && figures.verdict != Verdict::kept_up) return kExitNotKeptUp;
    return unmet.empty() ? kExitOk : kExitThreshold;
}

}  // namespace anml::rt::entry

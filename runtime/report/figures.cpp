#include "report/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "abi/records.h"
#include "app/web_client/request_script.h"
#include "common/array_name.h"
#include "net/model.h"
#include "net/web_clients.h"
#include "report/describe_draws.h"
#include "report/live/live_report.h"

namespace anml::rt {

namespace {

double mean_seconds(unsigned __int128 sum, std::uint64_t count)
{
    return static_cast<double>(sum) / static_cast<double>(count) / kSecond;
}

TransactionFigures transaction_figures(const Model& model, const WorkloadStatistics& w, double span)
{
    TransactionFigures f;
    f.completed = w.completed;
    for (std::size_t i = 0; i < kFailureCauses; ++i) {
        const Durations& failed = w.failures[i];
        f.failures[i].count = failed.count;
        if (failed.count == 0) continue;
        f.failures[i].least = in_seconds(failed.least);
        f.failures[i].mean = mean_seconds(failed.sum, failed.count);
        f.failures[i].most = in_seconds(failed.most);
    }
    f.in_progress = w.in_progress;
    std::vector<Time> ages = w.open_ages;
    std::sort(ages.begin(), ages.end());
    if (!ages.empty()) f.open = {in_seconds(ages[(ages.size() - 1) / 2]), in_seconds(ages.back())};
    for (std::size_t status = 0; status < w.statuses.size(); ++status)
        if (w.statuses[status] != 0) f.statuses.emplace_back(static_cast<std::uint16_t>(status), w.statuses[status]);
    const auto digits = [](const auto& bytes) { return fmt::format("{:02x}", fmt::join(bytes, "")); };
    const auto example = [&](const FirstResponse& first) {
        const auto end = std::ranges::find(first.path, '\0');
        std::string path(first.path.begin(), end);
        if (end == first.path.end()) path += "...";
        if (path.empty()) path = model.documents().path(first.document);
        return ResponseExample{path, first.what, model.documents().size(first.document)};
    };
    if (w.failed(FailureCause::status) + w.failed(FailureCause::grpc_status) != 0)
        f.first_bad_status = example(w.first_bad_status);
    if (const FirstFailedCheck& bad = w.first_failed_check; w.failed(FailureCause::check) != 0) {
        const abi::WrittenRequest& request = *model.documents().written(bad.document);
        f.first_failed_check = {std::string(model.text(request.name)),
                                app::name_of(app::RequestScript(model.text(request.script)), bad.check),
                                show_body(bad.body), bad.status};
    }
    if (w.unexpected_status != 0) f.first_unexpected_status = example(w.first_unexpected_status);
    if (w.unexpected_size != 0) f.first_unexpected_size = example(w.first_unexpected_size);
    if (w.checks_content) f.checked_content = w.checked_content;
    f.unexpected_content = w.unexpected_content;
    if (const auto& [at, document, found] = w.first_unexpected_content; w.unexpected_content != 0) {
        const abi::Sha256& expected = *model.documents().hash(document);
        f.first_unexpected_content = {model.documents().path(document), digits(found), digits(expected.bytes)};
    }
    f.request_bytes = w.request_bytes;
    f.response_bytes = w.response_bytes;
    ANML_COPY_COUNTED(ANML_WEB_FIGURES, f, w);
    f.handshakes = w.handshakes;
    f.resumed = w.resumed;
    f.first_broken = w.first_broken.why;
    f.first_wrong = w.first_wrong.why;
    for (std::size_t code = 0; code < w.close_codes.size(); ++code)
        if (w.close_codes[code] != 0) f.close_codes.emplace_back(static_cast<std::uint16_t>(code), w.close_codes[code]);
    if (span > 0) {
        f.per_second = static_cast<double>(w.completed) / span;
        f.throughput_bps = 8 * static_cast<double>(w.request_bytes + w.response_bytes) / span;
    }
    f.response = response_times(w.response_time, ages, span);
    return f;
}

DatagramFigures datagram_figures(const DatagramStatistics& d, double span)
{
    DatagramFigures f;
    ANML_COPY_COUNTED(ANML_DATAGRAM_FIGURES, f, d);
    if (d.received + d.lost != 0) f.lost_share = static_cast<double>(d.lost) / static_cast<double>(d.received + d.lost);
    if (span > 0) f.throughput_bps = 8 * static_cast<double>(d.bytes) / span;
    if (d.received != 0) f.least_delay = in_seconds(d.delay.minimum());
    f.delay = response_times(d.delay);
    return f;
}

EchoFigures echo_figures(const WorkloadStatistics& w)
{
    const EchoStatistics& e = w.echoes;
    EchoFigures f;
    ANML_COPY_COUNTED(ANML_ECHO_FIGURES, f, e);
    f.in_progress = w.in_progress;
    const auto replies = static_cast<double>(e.received);
    const double without = static_cast<double>(e.lost + e.unreachable + e.time_exceeded);
    if (replies + without > 0) f.lost_share = without / (replies + without);
    f.round_trip = response_times(e.round_trip);
    if (e.received == 0) return f;
    f.least = in_seconds(e.round_trip.minimum());
    const double mean = e.round_trip.mean();
    f.deviation = std::sqrt(std::max(0.0, static_cast<double>(e.squares) / replies - mean * mean)) / kSecond;
    return f;
}

FluidFigures fluid_figures(const fluid::Totals& totals, double span)
{
    FluidFigures f;
    if (span <= 0) return f;
    f.flows = totals.flows / kSecond / span;
    f.offered_bps = 8 * totals.offered / span;
    f.carried_bps = 8 * totals.carried / span;
    if (totals.offered > 0) f.lost_share = std::max(0.0, 1 - totals.carried / totals.offered);
    return f;
}

// Sorted first: sums must not depend on how the flows were spread over tasks.
FlowFigures flow_figures(const std::vector<Delivered>& senders, double span)
{
    FlowFigures f;
    f.count = senders.size();
    if (f.count == 0 || span <= 0) return f;
    std::vector<std::uint64_t> delivered;
    for (const Delivered& sender : senders) delivered.push_back(sender.bytes);
    std::sort(delivered.begin(), delivered.end());
    double squares = 0;
    for (const std::uint64_t bytes : delivered) {
        f.bytes += bytes;
        squares += static_cast<double>(bytes) * static_cast<double>(bytes);
    }
    const auto rate = [&](double bytes) { return 8 * bytes / span; };
    const auto sum = static_cast<double>(f.bytes), flows = static_cast<double>(f.count);
    f.goodput_bps = rate(sum);
    f.mean_bps = rate(sum / flows);
    f.min_bps = rate(static_cast<double>(delivered.front()));
    f.median_bps = rate((static_cast<double>(delivered[(delivered.size() - 1) / 2]) +
                         static_cast<double>(delivered[delivered.size() / 2])) /
                        2);
    f.max_bps = rate(static_cast<double>(delivered.back()));
    if (squares > 0) f.fairness = sum * sum / (flows * squares);
    return f;
}

PhaseFigures phase_figures(const WorkloadStatistics& w)
{
    return {response_times(w.connect), response_times(w.tls), response_times(w.first_byte), response_times(w.transfer)};
}

std::optional<OfferedFigures> offered_figures(const abi::Image& image, const abi::WorkloadRow& row,
                                              const WorkloadStatistics& w, double span)
{
    const abi::RecordSchema schema = abi::schema_of(image, row.record);
    if (schema != abi::RecordSchema::open_loop && schema != abi::RecordSchema::replay) return std::nullopt;
    std::vector<Time> ages = w.offered.ages;
    std::sort(ages.begin(), ages.end());
    OfferedFigures f;
    ANML_COPY_COUNTED(ANML_OFFERED_FIGURES, f, w.offered);
    f.from_due = response_times(w.offered.from_due, ages, span);
    return f;
}

std::optional<PageFigures> page_figures(const abi::Image& image, const abi::WorkloadRow& row,
                                        const WorkloadStatistics& w, double span)
{
    if (!web_clients::has_pages(image, row)) return std::nullopt;
    std::vector<Time> ages = w.pages.ages;
    std::sort(ages.begin(), ages.end());
    PageFigures f;
    ANML_COPY_COUNTED(ANML_PAGE_FIGURES, f, w.pages);
    f.time = response_times(w.pages.time, ages, span);
    return f;
}

std::vector<ServerFigures> server_figures(const Model& model, const RunInfo& run,
                                          const std::vector<ServerStatistics>& servers, double span)
{
    std::vector<ServerFigures> result;
    for (std::size_t i = 0; i < servers.size(); ++i) {
        const abi::ServerRow& row = model.image().servers[i];
        const std::uint32_t endpoint = model.node_row(row.node).endpoint;
        if (std::find(run.attached.begin(), run.attached.end(), endpoint) != run.attached.end()) continue;
        ServerFigures& f = result.emplace_back();
        f.name = model.node_name(row.node);
        f.label = label_of_node(model.image(), row.node);
        f.port = row.port;
        ANML_COPY_COUNTED(ANML_SERVER_FIGURES, f, servers[i]);
        f.handshakes = servers[i].handshakes;
        f.resumed = servers[i].resumed;
        if (span <= 0) continue;
        f.mean_busy = static_cast<double>(servers[i].busy) / kSecond / span;
        f.mean_waiting = static_cast<double>(servers[i].waiting) / kSecond / span;
    }
    return result;
}

WorkloadStatistics sum_of_web(const Model& model, const std::vector<WorkloadStatistics>& workloads)
{
    WorkloadStatistics sum;
    for (std::size_t i = 0; i < workloads.size(); ++i)
        if (app::figure_kind_of(model.image(), model.image().workloads[i]) == app::FigureKind::transactions)
            add_up(sum, workloads[i]);
    return sum;
}

// Whole nanoseconds, as the link counts them: a part of one is the next packet's, and may lie behind the window.
static Time transmission_time(double bits, double rate)
{
    constexpr long double kRounding = 1e-6;  // of the quotient
    return static_cast<Time>(static_cast<long double>(bits) * kSecond / rate + kRounding);
}

std::vector<LinkFigures> busiest_links(const Model& model, const std::vector<LinkCounters>& links, double span)
{
    struct Candidate {
        const LinkCounters* counters;
        double utilisation;
    };
    if (span <= 0) return {};
    std::vector<Candidate> candidates;
    candidates.reserve(links.size());
    for (const LinkCounters& counters : links) {
        const abi::LinkRow& row = model.image().link_rows[model.link_row_of(counters.link)];
        double overhead = static_cast<double>(counters.packets) * model.value(row.overhead);
        double bits = 8 * (static_cast<double>(counters.bytes) + overhead);
        const double rate = model.value(row.rate[(counters.link - row.first_link) & 1]);
        const RareLinkCounters& rare = *counters.rare;
        const Time transmitting = rare.transmitting.value_or(transmission_time(bits, rate));
        const double fluid = rare.fluid ? rare.fluid->time : 0;
        candidates.push_back(
            {&counters, (static_cast<double>(transmitting + counters.carried) + fluid) / kSecond / span});
    }
    auto busier = [&](const Candidate& a, const Candidate& b) {
        if (a.utilisation != b.utilisation) return a.utilisation > b.utilisation;
        if (a.counters->dropped != b.counters->dropped) return a.counters->dropped > b.counters->dropped;
        return a.counters->link < b.counters->link;
    };
    std::size_t shown = std::min(candidates.size(), Figures::kBusiest);
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(shown), candidates.end(),
                      busier);
    std::vector<LinkFigures> result;
    for (std::size_t i = 0; i < shown; ++i) {
        const LinkCounters& counters = *candidates[i].counters;
        result.push_back({model.link_name(counters.link), std::string(label_of_link(model.image(), counters.link)),
                          candidates[i].utilisation, counters.packets, counters.bytes, counters.dropped,
                          counters.rare->marked, std::nullopt, std::nullopt});
        if (counters.packets == 0) continue;
        result.back().mean_queue_delay = counters.queue_delay / static_cast<double>(counters.packets) / kSecond;
        result.back().longest_queue_delay = in_seconds(counters.longest_queue_delay);
    }
    return result;
}

std::vector<FluidLinkFigures> fluid_links(const Model& model, const std::vector<LinkCounters>& links, double span)
{
    std::vector<FluidLinkFigures> result;
    if (span <= 0) return result;
    for (const LinkCounters& c : links) {
        const std::optional<FluidCounters>& fluid = c.rare->fluid;
        if (!fluid) continue;
        FluidLinkFigures& f = result.emplace_back();
        f.name = model.link_name(c.link);
        f.label = label_of_link(model.image(), c.link);
        f.offered_bps = 8 * fluid->offered / span;
        f.carried_bps = 8 * fluid->carried / span;
        // Both are sums of many, and round.
        if (fluid->offered > 0) f.lost_share = std::min(1.0, fluid->lost / fluid->offered);
        f.utilisation = fluid->time / kSecond / span;
        f.packet_utilisation = in_seconds(c.rare->transmitting.value_or(0)) / span;
    }
    std::stable_sort(result.begin(), result.end(), [](const FluidLinkFigures& a, const FluidLinkFigures& b) {
        return a.utilisation > b.utilisation;
    });
    if (result.size() > Figures::kBusiest) result.resize(Figures::kBusiest);
    return result;
}

#define ANML_PLUS(key, ...) +c.key
#define ANML_ADD(key, ...) array.key += c.key;

// How much a link did to packets.
std::uint64_t effects(const auto& c) { return ANML_IMPAIRMENT_FIGURES(ANML_PLUS, ANML_NOTHING, ANML_NOTHING); }

std::vector<ImpairedLinkFigures> impaired_links(const Model& model, const std::vector<LinkCounters>& links)
{
    std::vector<std::pair<std::uint64_t, const LinkCounters*>> affected;
    for (const LinkCounters& c : links)
        if (const std::uint64_t sum = effects(*c.rare); sum != 0)
            affected.emplace_back(sum, &c);
    std::sort(affected.begin(), affected.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second->link < b.second->link;
    });
    affected.resize(std::min(affected.size(), Figures::kImpaired));
    std::vector<ImpairedLinkFigures> result;
    for (const auto& [sum, c] : affected) {
        ImpairedLinkFigures& f = result.emplace_back();
        f.name = model.link_name(c->link);
        f.label = label_of_link(model.image(), c->link);
        f.packets = c->packets;
        ANML_COPY_COUNTED(ANML_IMPAIRMENT_FIGURES, f, *c->rare);
    }
    return result;
}

// The worst of many links says little of what their model asks for: by arrays, the most affected first.
std::vector<ImpairedLinkFigures> impaired_arrays(const Model& model, const std::vector<LinkCounters>& links)
{
    std::map<std::string, ImpairedLinkFigures> arrays;
    for (const LinkCounters& counters : links) {
        const RareLinkCounters& c = *counters.rare;
        const std::string name = without_indices(model.link_name(counters.link));
        const auto [at, is_new] = arrays.try_emplace(name);
        ImpairedLinkFigures& array = at->second;
        array.name = name;
        if (!is_new) ++array.links;
        array.packets += counters.packets;
        ANML_IMPAIRMENT_FIGURES(ANML_ADD, ANML_NOTHING, ANML_NOTHING)
    }
    std::vector<ImpairedLinkFigures> result;
    for (auto& [name, array] : arrays)
        if (effects(array) != 0) result.push_back(std::move(array));
    std::stable_sort(result.begin(), result.end(),
                     [](const auto& a, const auto& b) { return effects(a) > effects(b); });
    return result;
}

}  // namespace

std::uint64_t TransactionFigures::failed() const
{
    std::uint64_t sum = 0;
    for (const FailureFigures& cause : failures) sum += cause.count;
    return sum;
}

static std::optional<CallFigures> call_figures(const abi::Image& image, const abi::WorkloadRow& row,
                                               const CallStatistics& c)
{
    if (app::figure_kind_of(image, row) != app::FigureKind::calls) return std::nullopt;
    CallFigures f;
    ANML_COPY_COUNTED(ANML_CALL_FIGURES, f, c);
    f.time = response_times(c.time);
    return f;
}

WorkloadFigures figures_of_workload(const Model& model, std::uint32_t at, const WorkloadStatistics& w, double span)
{
    const abi::WorkloadRow& row = model.image().workloads[at];
    return {std::string(model.text(row.name)),
            schema_name(model.image(), row.record),
            app::figure_kind_of(model.image(), row),
            transaction_figures(model, w, span),
            datagram_figures(w.datagrams, span),
            flow_figures(w.delivered, span),
            echo_figures(w),
            fluid_figures(w.fluid, span),
            phase_figures(w),
            offered_figures(model.image(), row, w, span),
            page_figures(model.image(), row, w, span),
            call_figures(model.image(), row, w.calls),
            flow_time_figures(model, at, w),
            row.ipv6 != 0};
}

std::string_view WorkloadFigures::label() const
{
    for (const auto& [key, value] : labels)
        if (key == "name") return value;
    return {};
}

// In order, those of all workloads one after the other.
static void add_labels(const Model& model, std::vector<WorkloadFigures>& figures)
{
    for (std::uint32_t i = 0; i < model.image().workload_label_count; ++i) {
        const abi::WorkloadLabelRow& row = model.image().workload_labels[i];
        figures[row.workload].labels.emplace_back(model.text(row.key), model.text(row.value));
    }
}

static std::vector<WorkloadFigures> workload_figures(const Model& model, const std::vector<WorkloadStatistics>& counted,
                                                     double span)
{
    std::vector<WorkloadFigures> figures;
    for (std::uint32_t i = 0; i < counted.size(); ++i)
        figures.push_back(figures_of_workload(model, i, counted[i], span));
    add_labels(model, figures);
    return figures;
}

static BatchFigures batch_figures(const Model& model, const Statistics& statistics)
{
    BatchFigures figures;
    figures.seconds = in_seconds(statistics.end - statistics.begin) / statistics.batch_count;
    for (const std::vector<WorkloadStatistics>& batch : statistics.batches)
        figures.measures.push_back(
            take_measures(model, batch, statistics.batch_links[figures.measures.size()], figures.seconds));
    return figures;
}

Figures compute_figures(const Model& model, const RunInfo& run, const Statistics& statistics)
{
    Figures figures;
    // An interrupted run is measured until it was interrupted.
    Time begin = statistics.begin;
    Time end = std::max(begin, std::min(statistics.end, run.ended));
    Time origin = begin - run.warmup;
    figures.measured_seconds = in_seconds(end - begin);
    figures.window_begin = in_seconds(begin - origin);
    figures.window_end = in_seconds(end - origin);

    figures.total = transaction_figures(model, sum_of_web(model, statistics.workloads), figures.measured_seconds);
    figures.workloads = workload_figures(model, statistics.workloads, figures.measured_seconds);
    figures.sums = sum_arrays(model, statistics.workloads, figures.measured_seconds);
    figures.groups = group_figures(model, statistics.groups, figures.measured_seconds);
    figures.servers = server_figures(model, run, statistics.servers, figures.measured_seconds);
    figures.throughput_bps = figures.total.throughput_bps;
    if (figures.throughput_bps) {
        for (const WorkloadFigures& workload : figures.workloads) {
            *figures.throughput_bps += workload.datagrams.throughput_bps.value_or(0) +
                                       workload.flows.goodput_bps.value_or(0) + workload.fluid.carried_bps.value_or(0);
        }
    }
    figures.packets_lost = statistics.dropped.sum();
    // What was cut went on as so many others.
    if (const std::uint64_t all = statistics.packets_sent + statistics.fragments - statistics.fragmented; all != 0)
        figures.packet_loss = static_cast<double>(figures.packets_lost) / static_cast<double>(all);
    figures.busiest = busiest_links(model, statistics.links, figures.measured_seconds);
    figures.fluid_links = fluid_links(model, statistics.links, figures.measured_seconds);
    figures.impaired = impaired_links(model, statistics.links);
    if (!figures.impaired.empty()) figures.impaired_arrays = impaired_arrays(model, statistics.links);
    if (run.workload) {
        const Snapshots snapshots{statistics.snapshots, begin - origin, end - origin};
        figures.measures =
            take_measures(model, statistics.workloads, statistics.links, figures.measured_seconds, &snapshots);
        if (statistics.batch_count != 0) figures.batches = batch_figures(model, statistics);
        figures.thresholds = judge_thresholds(model, figures);
    }
    if (run.real_time) {
        figures.effects = effects_of_lateness(model, run, figures);
        figures.verdict =
            judge(run, figures.effects, run.workload && !statistics.workloads.empty(), figures.verdict_reasons);
        if (figures.verdict == Verdict::degraded || figures.verdict == Verdict::not_valid)
            figures.degraded = degraded_spans(run, figures.effects);
    }
    if (std::string shortage = describe_port_shortage(figures); !shortage.empty())
        figures.verdict_reasons.push_back(std::move(shortage));
    if (!run.error.empty()) {
        figures.verdict = Verdict::failed;
        figures.degraded.clear();
        figures.verdict_reasons.insert(figures.verdict_reasons.begin(), run.error);
    }
    return figures;
}

}  // namespace anml::rt

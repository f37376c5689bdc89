// results.json. docs/results.md documents every key, docs/results.schema.json is checked against actual files.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abi/records.h"
#include "common/grpc_status.h"
#include "common/result_figures.h"
#include "net/model.h"
#include "report/figures.h"
#include "report/json_values.h"
#include "report/live_json.h"
#include "report/stations.h"
#include "report/timeline_events.h"

namespace anml::rt {

namespace {

using results::add_label;
using results::Json;
using results::or_null;

// The figures of a list of common/result_figures.h.
Json of(std::uint64_t count) { return count; }
Json of(const std::optional<double>& value) { return or_null(value); }
#define ANML_ADD_KEY(key, ...) json[#key] = of(figures.key);
#define ANML_ADD_KEYS(LIST) LIST(ANML_ADD_KEY, ANML_ADD_KEY, ANML_ADD_KEY)
#define ANML_JSON(name, LIST)                       \
    Json name(const auto& figures, Json json = {})  \
    {                                               \
        ANML_ADD_KEYS(LIST)                         \
        return json;                                \
    }
ANML_JSON(web_json, ANML_WEB_FIGURES)
ANML_JSON(pages_json, ANML_PAGE_FIGURES)
ANML_JSON(calls_json, ANML_CALL_FIGURES)
ANML_JSON(offered_json, ANML_OFFERED_FIGURES)
ANML_JSON(arrivals_json, ANML_ARRIVAL_FIGURES)
ANML_JSON(datagrams_json, ANML_DATAGRAM_FIGURES)
ANML_JSON(echoes_json, ANML_ECHO_FIGURES)
ANML_JSON(fluid_json, ANML_FLUID_FIGURES)
ANML_JSON(flows_json, ANML_FLOW_FIGURES)
ANML_JSON(server_json, ANML_SERVER_FIGURES)
ANML_JSON(impairments_json, ANML_IMPAIRMENT_FIGURES)
ANML_JSON(buffer_json, ANML_BUFFER_FIGURES)
ANML_JSON(drops_json, ANML_DROP_FIGURES)

Json open_json(const OpenFigures& f) { return {{"median", or_null(f.median)}, {"oldest", or_null(f.oldest)}}; }

// Of the causes that the kind of workload knows: how many failed, or after how long they did.
Json failures_json(const TransactionFigures& f, bool web, bool durations)
{
    Json json = Json::object();
    for (std::size_t i = 0; i < kFailureCauses; ++i) {
        const auto cause = static_cast<FailureCause>(i);
        if (!web && cause >= FailureCause::truncated && cause != FailureCause::no_port) continue;
        const FailureFigures& failed = f.failed(cause);
        Json& value = json[std::string(failure_name(cause))];
        if (durations)
            value = {{"min", or_null(failed.least)}, {"mean", or_null(failed.mean)}, {"max", or_null(failed.most)}};
        else
            value = failed.count;
    }
    return json;
}

Json status_json(std::uint64_t status)  // a number, or the name of one of gRPC
{
    return status == 0 ? Json(nullptr) : is_grpc_status(status) ? Json(status_name(status)) : Json(status);
}

Json transactions_json(const TransactionFigures& f)
{
    Json statuses = Json::object(), codes = Json::object();
    Json first = nullptr, check = nullptr, size = nullptr, answer = nullptr, content = nullptr;
    for (const auto& [status, count] : f.statuses) statuses[status_name(status)] = count;
    for (const auto& [code, count] : f.close_codes) codes[fmt::to_string(code)] = count;
    if (const auto& bad = f.first_bad_status)
        first = {{"status", status_json(bad->what)}, {"path", bad->path}};
    if (const auto& bad = f.first_failed_check)
        check = {{"request", bad->request},
                 {"check", bad->check},
                 {"status", status_json(bad->status)},
                 {"body", bad->body}};
    if (const auto& other = f.first_unexpected_size)
        size = {{"path", other->path}, {"bytes", other->what}, {"expected", other->expected}};
    if (const auto& other = f.first_unexpected_content)
        content = {{"path", other->path}, {"sha256", other->found}, {"expected", other->expected}};
    if (const auto& other = f.first_unexpected_status) answer = {{"status", other->what}, {"path", other->path}};
    return web_json(f, {{"completed", f.completed},
                        {"failed", f.failed()},
                        {"per_second", or_null(f.per_second)},
                        {"in_progress", f.in_progress},
                        {"open_seconds", open_json(f.open)},
                        {"failed_by_cause", failures_json(f, true, false)},
                        {"failed_after_seconds", failures_json(f, true, true)},
                        {"by_status", statuses},
                        {"by_close_code", codes},
                        {"first_status_failure", first},
                        {"first_failed_check", check},
                        {"first_unexpected_status", answer},
                        {"first_unexpected_size", size},
                        {"checked_content", f.checked_content ? Json(*f.checked_content) : Json(nullptr)},
                        {"unexpected_content", f.unexpected_content},
                        {"first_unexpected_content", content},
                        {"request_bytes", f.request_bytes},
                        {"response_bytes", f.response_bytes},
                        {"handshakes", {{"full", f.handshakes}, {"resumed", f.resumed}}},
                        {"first_tls_failure", f.first_broken.empty() ? Json(nullptr) : Json(f.first_broken)},
                        {"first_protocol_failure", f.first_wrong.empty() ? Json(nullptr) : Json(f.first_wrong)}});
}

Json times_json(const ResponseTimes& times)
{
    return {{"samples", times.samples},        {"mean", or_null(times.mean)}, {"median", or_null(times.median)},
            {"p95", or_null(times.p95)},       {"p99", or_null(times.p99)},   {"max", or_null(times.max)},
            {"percentiles", times.percentiles}};
}

Json response_json(const ResponseTimes& times)
{
    Json json = times_json(times);
    const auto& least = times.at_least;
    json["at_least"] = {{"median", or_null(least.median)},
                        {"p95", or_null(least.p95)},
                        {"p99", or_null(least.p99)},
                        {"max", or_null(least.max)}};
    return json;
}

Json delay_json(const ResponseTimes& times, const std::optional<double>& least)
{
    Json json = times_json(times);
    json["min"] = or_null(least);
    return json;
}

void add_flow_times(Json& json, const FlowTimeFigures& f)
{
    json["arrivals"] = arrivals_json(f);
    json["waited_seconds"] = times_json(f.waited);
    json["slowdown"] = times_json(f.slowdown);
    json["sizes"] = Json::array();
    for (const FlowSizeFigures& size : f.sizes)
        json["sizes"].push_back({{"from_bytes", size.from},
                                 {"below_bytes", size.below != 0 ? Json(size.below) : Json(nullptr)},
                                 {"completed", size.completed},
                                 {"bytes", size.bytes},
                                 {"transfer_time_seconds", times_json(size.time)},
                                 {"slowdown", times_json(size.slowdown)}});
}

Json transfers_json(const TransactionFigures& f)
{
    return {{"completed", f.completed},
            {"failed", f.failed()},
            {"in_progress", f.in_progress},
            {"open_seconds", open_json(f.open)},
            {"failed_by_cause", failures_json(f, false, false)},
            {"failed_after_seconds", failures_json(f, false, true)}};
}

// The name that the model gives it, where it gives one.
Json workload_json(const WorkloadFigures& f)
{
    Json json = {{"name", f.name}, {"kind", f.schema}};
    if (f.ipv6) json["family"] = *f.ipv6 ? "IPv6" : "IPv4";
    if (!f.labels.empty()) add_label(json, f.label());
    for (const auto& [key, value] : f.labels) json["labels"][key] = value;
    switch (f.kind) {
        case app::FigureKind::transactions:
        case app::FigureKind::calls:
            json["transactions"] = transactions_json(f.transactions);
            json["throughput_bps"] = or_null(f.transactions.throughput_bps);
            json["response_time_seconds"] = response_json(f.transactions.response);
            json["phase_seconds"] = {{"connect", or_null(f.phases.connect.mean)},
                                     {"tls", or_null(f.phases.tls.mean)},
                                     {"answer", or_null(f.phases.first_byte.mean)},
                                     {"receive", or_null(f.phases.transfer.mean)}};
            json["phase_times_seconds"] = {{"connect", times_json(f.phases.connect)},
                                           {"tls", times_json(f.phases.tls)},
                                           {"first_byte", times_json(f.phases.first_byte)},
                                           {"transfer", times_json(f.phases.transfer)}};
            if (f.pages) {
                json["pages"] = pages_json(*f.pages);
                json["page_time_seconds"] = response_json(f.pages->time);
            }
            if (f.calls) {
                json["calls"] = calls_json(*f.calls);
                json["call_time_seconds"] = times_json(f.calls->time);
            }
            if (f.offered) {
                json["offered"] = offered_json(*f.offered);
                json["response_time_from_due_seconds"] = response_json(f.offered->from_due);
            }
            break;
        case app::FigureKind::datagrams:
            json["datagrams"] = datagrams_json(f.datagrams);
            json["throughput_bps"] = or_null(f.datagrams.throughput_bps);
            json["delay_seconds"] = delay_json(f.datagrams.delay, f.datagrams.least_delay);
            break;
        case app::FigureKind::flows:
            json["transfers"] = transfers_json(f.transactions);
            json["delivered_bytes"] = f.flows.bytes;
            json["goodput_bps"] = or_null(f.flows.goodput_bps);
            json["flows"] = flows_json(f.flows);
            json["transfer_time_seconds"] = response_json(f.transactions.response);
            if (f.flow_times) add_flow_times(json, *f.flow_times);
            break;
        case app::FigureKind::fluid:
            json["fluid"] = fluid_json(f.fluid);
            break;
        case app::FigureKind::echoes:
            json["requests"] = echoes_json(f.echoes);
            json["round_trip_seconds"] = delay_json(f.echoes.round_trip, f.echoes.least);
            json["round_trip_seconds"]["deviation"] = or_null(f.echoes.deviation);
            break;
        case app::FigureKind::none:
            break;
    }
    return json;
}

Json groups_json(const std::vector<GroupFigures>& groups)
{
    Json list = Json::array();
    for (const GroupFigures& f : groups) {
        Json causes = Json::object(), times = times_json(f.response);
        for (std::size_t i = 0; i < kFailureCauses; ++i)
            causes[std::string(failure_name(static_cast<FailureCause>(i)))] = f.failed_by_cause[i];
        times.erase("percentiles");
        list.push_back({{"name", f.name},
                        {"completed", f.completed},
                        {"failed", f.failed},
                        {"failed_by_cause", causes},
                        {"per_second", or_null(f.per_second)},
                        {"throughput_bps", or_null(f.throughput_bps)},
                        {"request_bytes", f.request_bytes},
                        {"response_bytes", f.response_bytes},
                        {"response_time_seconds", times}});
        add_label(list.back(), f.label);
    }
    return list;
}

// Of requests that are written out: by which workload, and how the first failed.
Json requests_json(const std::vector<GroupFigures>& groups)
{
    Json list = groups_json(groups);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        const auto& failed = groups[i].first_failure;
        if (!groups[i].workload.empty()) list[i]["workload"] = groups[i].workload;
        for (const CheckFigures& each : groups[i].checks)
            list[i]["checks"].push_back({{"check", each.check}, {"passed", each.passed}, {"failed", each.failed}});
        list[i]["first_failure"] = nullptr;
        if (!failed) continue;
        list[i]["first_failure"] = {{"cause", failed->cause},
                                    {"status", status_json(failed->status)},
                                    {"body", failed->body.empty() ? Json(nullptr) : Json(failed->body)}};
        if (!failed->origin.empty()) list[i]["first_failure"]["origin"] = failed->origin;
    }
    return list;
}

Json reports_json(const std::vector<ReportFigures>& reports)
{
    Json list = Json::array();
    for (const ReportFigures& report : reports) {
        Json groups = groups_json(report.groups);
        for (std::size_t i = 0; i < report.groups.size(); ++i) groups[i]["labels"] = report.groups[i].labels;
        list.push_back({{"by", report.keys}, {"groups", std::move(groups)}});
    }
    return list;
}

// What happened until the run's end, and how long links were down.
Json timeline_json(const Model& model, const RunInfo& run, const Statistics& statistics)
{
    Json events = Json::array(), downtime = Json::array();
    for (const TimelineEvent& event : timeline_events(model)) {
        if (event.time + statistics.timeline_origin >= run.ended) break;
        events.push_back({{"seconds", static_cast<double>(event.time) / kSecond}, {"what", event.text}});
    }
    for (const ChangingLinkCounters& link : statistics.changing_links) {
        if (link.down <= 0) continue;
        std::string name = model.link_name(link.link);
        name.pop_back();  // both directions
        downtime.push_back(
            {{"name", name}, {"seconds", static_cast<double>(link.down) / kSecond}, {"lost", link.lost}});
        add_label(downtime.back(), label_of_link(model.image(), link.link));
    }
    Json origin = nullptr;
    if (run.live) origin = static_cast<double>(run.epoch + statistics.timeline_origin) / kSecond;
    return {{"origin", origin}, {"events", events}, {"downtime", downtime}};
}

// In the form in which --changes takes them.
Json changes_json(const RunInfo& run, const Statistics& statistics)
{
    Json list = Json::array();
    for (const WordedChange& change : run.changes)
        if (change.time + statistics.timeline_origin < run.ended)
            list.push_back({{"seconds", static_cast<double>(change.time) / kSecond}, {"what", change.what}});
    return list;
}

// An array by batch for each measure.
Json batches_json(const Figures& figures)
{
    Json measures = Json::object();
    for (std::size_t i = 0; i < figures.measures.size(); ++i) {
        Json& values = measures[figures.measures[i].name] = Json::array();
        for (const auto& batch : figures.batches->measures) values.push_back(or_null(batch[i].value));
    }
    return {{"count", figures.batches->measures.size()}, {"seconds", figures.batches->seconds}, {"measures", measures}};
}

Json thresholds_json(const Figures& figures)
{
    Json list = Json::array();
    for (const ThresholdFigures& threshold : figures.thresholds) {
        Json measures = Json::object();
        for (const MeasureFigure& measure : threshold.measures) measures[measure.name] = or_null(measure.value);
        list.push_back({{"requires", threshold.text},
                        {"met", threshold.met},
                        {"judged", threshold.judged},
                        {"message", threshold.message},
                        {"where", threshold.where},
                        {"measures", measures},
                        {"found", describe_measures(threshold)}});
    }
    return list;
}

// Of so many together, and the longest; null where there were none.
void add_mean_and_longest(Json& mean, Json& most, std::uint32_t count, Time together, Time longest)
{
    mean.push_back(count ? Json(static_cast<double>(together) / count / kSecond) : Json(nullptr));
    most.push_back(count ? Json(static_cast<double>(longest) / kSecond) : Json(nullptr));
}

Json series_json(const RunInfo& run, const Statistics& statistics)
{
    Time origin = statistics.begin - run.warmup;
    const auto interval = static_cast<Time>(statistics.interval) * kSecond;
    Time covered = std::max<Time>(0, std::min(statistics.end, run.ended) - origin);
    auto seconds =
        std::min<std::size_t>(statistics.series.size(), static_cast<std::size_t>((covered + interval - 1) / interval));
    Json completed = Json::array(), failed = Json::array(), throughput = Json::array();
    Json mean = Json::array(), longest = Json::array(), due_mean = Json::array(), due_longest = Json::array();
    Json median = Json::array(), p95 = Json::array(), p99 = Json::array();
    const std::vector<CoarseHistogram> histograms = statistics.second_times.histograms(seconds);
    for (std::size_t i = 0; i < seconds; ++i) {
        const Second& second = statistics.series[i];
        completed.push_back(second.completed);
        failed.push_back(second.failed);
        const Time length = std::min(interval, covered - static_cast<Time>(i) * interval);
        throughput.push_back(8 * static_cast<double>(second.bytes) * kSecond / static_cast<double>(length));
        add_mean_and_longest(mean, longest, second.completed, second.took, second.longest);
        add_mean_and_longest(due_mean, due_longest, second.were_due, second.took_from_due, second.longest_from_due);
        for (const auto& [values, percent] : {std::pair{&median, 50}, {&p95, 95}, {&p99, 99}})
            values->push_back(or_null(percentile_seconds(histograms[i], percent)));
    }
    return {{"interval_seconds", statistics.interval},
            {"completed", completed},
            {"failed", failed},
            {"throughput_bps", throughput},
            {"response_mean_seconds", mean},
            {"response_max_seconds", longest},
            {"response_median_seconds", median},
            {"response_p95_seconds", p95},
            {"response_p99_seconds", p99},
            {"response_from_due_mean_seconds", due_mean},
            {"response_from_due_max_seconds", due_longest}};
}

Json request_series_json(const std::vector<Groupings::Series>& all, std::size_t seconds)
{
    Json list = Json::array();
    for (const Groupings::Series& series : all) {
        Json completed = Json::array(), failed = Json::array(), mean = Json::array(), longest = Json::array();
        for (std::size_t i = 0; i < seconds; ++i) {
            const RequestSecond second = i < series.seconds.size() ? series.seconds[i] : RequestSecond();
            completed.push_back(second.completed);
            failed.push_back(second.failed);
            add_mean_and_longest(mean, longest, second.completed, second.took, second.longest);
        }
        list.push_back({{"name", series.name},
                        {"completed", completed},
                        {"failed", failed},
                        {"response_mean_seconds", mean},
                        {"response_max_seconds", longest}});
    }
    return list;
}

Json profile_json(const Profile& profile)
{
    Json tasks = Json::array(), channels = Json::array(), speed_ups = Json::array();
    for (const Profile::Task& task : profile.tasks) {
        tasks.push_back({{"events", task.events},
                         {"rounds", task.rounds},
                         {"wakes", task.wakes},
                         {"busy_seconds", task.busy},
                         {"ready_seconds", task.ready},
                         {"blocked_seconds", task.blocked}});
    }
    for (const Profile::Channel& channel : profile.channels) {
        channels.push_back({{"from", channel.from},
                            {"to", channel.to},
                            {"messages", channel.messages},
                            {"null_messages", channel.null_messages}});
    }
    for (const Profile::SpeedUp& speed_up : profile.speed_ups)
        speed_ups.push_back({{"processors", speed_up.processors}, {"factor", speed_up.factor}});
    return {{"tasks", tasks},
            {"channels", channels},
            {"event_seconds", profile.event_seconds},
            {"round_seconds", profile.round_seconds},
            {"work_seconds", profile.work},
            {"critical_path_seconds", profile.critical_path},
            {"speed_ups", speed_ups}};
}

}  // namespace

// What routers that are middleboxes have counted, by node.
static Json middleboxes_json(const Model& model, const std::vector<MiddleboxCounters>& middleboxes)
{
    Json list = Json::array();
    for (const MiddleboxCounters& box : middleboxes) {
        Json json{{"node", model.node_name(box.node)}, {"kind", abi::record_layout(box.schema).name}};
        add_label(json, label_of_node(model.image(), box.node));
        for (const auto& [name, value] : box.figures) json[std::string(name)] = value;
        for (const BackEndCounters& one : box.back_ends) {
            Json back_end{{"node", model.node_name(one.node)}};
            add_label(back_end, label_of_node(model.image(), one.node));
            for (const auto& [name, value] : one.figures) back_end[std::string(name)] = value;
            json["back_ends"].push_back(std::move(back_end));
        }
        list.push_back(std::move(json));
    }
    return list;
}

// Of the buffers that links of a node share, by node.
static Json buffers_json(const Model& model, const std::vector<BufferCounters>& buffers)
{
    Json list = Json::array();
    for (const BufferCounters& buffer : buffers) {
        Json json{{"node", model.node_name(buffer.node)}};
        add_label(json, label_of_node(model.image(), buffer.node));
        list.push_back(buffer_json(buffer, std::move(json)));
    }
    return list;
}

// Of access points, by node.
static Json airs_json(const Model& model, const std::vector<AirCounters>& airs, double seconds)
{
    Json list = Json::array();
    if (airs.empty()) return list;
    const Stations stations = stations_of(model);
    for (const AirCounters& air : airs) {
        Json json{{"node", model.node_name(air.node)}};
        add_label(json, label_of_node(model.image(), air.node));
        json["stations"] = Json::array();
        for (const NodeId station : stations.at(air.node)) json["stations"].push_back(model.node_name(station));
        json["transmissions"] = air.transmissions;
        json["failed"] = air.failed;
        json["lost"] = air.lost;
        const auto share = [&](const char* name, Time time) {
            json[name] = seconds > 0 ? Json(static_cast<double>(time) / kSecond / seconds) : Json();
        };
        if (air.scheduled) {
            share("down_share", air.taken_down);
            share("up_share", air.taken_up);
        } else {
            json["collisions"] = air.collisions;
            share("taken_share", air.taken);
            share("collided_share", air.collided);
        }
        list.push_back(std::move(json));
    }
    return list;
}

std::string results_json(const Model& model, const RunInfo& run, const Statistics& statistics, const Figures& figures)
{
    const abi::Image& image = model.image();
    Json json;
    json["results_version"] = 3;
    json["model"] = model.text(image.model_name);
    json["source"] = model.text(image.source_file);
    if (const auto doc = model.text(image.model_doc); !doc.empty()) json["doc"] = doc;
    json["mode"] = run.live ? "live" : "simulate";
    json["command"] = run.command;
    json["started"] = run.started;
    json["machine"] = {{"system", run.machine.system},
                       {"processor", run.machine.processor},
                       {"processors", run.machine.processors},
                       {"memory_bytes", run.machine.memory}};
    json["versions"] = {{"compiler", model.text(image.compiler)}, {"runtime", ANML_VERSION}};
    json["seed"] = run.seed;
    json["threads"] = std::max(run.threads, 1u);
    json["tasks"] = run.tasks;
    for (const RankFigures& rank : run.ranks)
        json["ranks"].push_back({{"start_seconds", rank.start_seconds},
                                 {"cpu_seconds", rank.cpu_seconds},
                                 {"waited_seconds", rank.waited_seconds},
                                 {"memory_bytes", rank.memory},
                                 {"events", rank.events}});
    json["parameters"] = Json::object();
    for (const RunInfo::Parameter& parameter : run.parameters) {
        json["parameters"][parameter.name] = {
            {"text", parameter.text},
            {"value", std::isfinite(parameter.value) ? Json(parameter.value) : Json()},
            {"tunable", parameter.tunable}};
    }
    json["verdict"] = verdict_name(figures.verdict);
    json["verdict_reasons"] = figures.verdict_reasons;
    json["degraded_seconds"] = figures.degraded;
    json["interrupted"] = run.interrupted;
    json["error"] = run.error.empty() ? Json(nullptr) : Json(run.error);
    json["digest"] = fmt::format("{:016x}", run.digest);
    json["simulated_seconds"] = static_cast<double>(run.ended) / kSecond;
    json["wall_seconds"] = run.wall_seconds;
    json["cpu_seconds"] = run.cpu_seconds;
    if (run.shared)
        json["shared"] = {{"seconds", static_cast<double>(run.shared->until) / kSecond},
                          {"runs", run.shared->runs},
                          {"cpu_seconds", run.shared->cpu_seconds},
                          {"cpu_part", run.shared->part}};
    json["packet_hops"] = statistics.total_packet_hops;
    json["events"] = statistics.total_events;
    json["window"] = {{"begin", figures.window_begin},
                      {"end", figures.window_end},
                      {"measured_seconds", figures.measured_seconds},
                      {"warmup", static_cast<double>(run.warmup) / kSecond},
                      {"whole_run", run.whole_run}};
    json["transactions"] = transactions_json(figures.total);
    json["throughput_bps"] = or_null(figures.throughput_bps);
    json["response_time_seconds"] = response_json(figures.total.response);
    json["packet_loss"] = or_null(figures.packet_loss);
    json["packets"] = {{"sent", statistics.packets_sent},
                       {"delivered", statistics.packets_delivered},
                       {"lost", figures.packets_lost},
                       {"unfragmented", statistics.dropped.unfragmented},
                       {"fragmented", statistics.fragmented},
                       {"fragments", statistics.fragments},
                       {"reassembly",
                        {{"whole", statistics.reassembled},
                         {"timed_out", statistics.reassembly_timed_out},
                         {"no_room", statistics.reassembly_no_room},
                         {"discarded", statistics.reassembly_discarded}}},
                       {"icmp_withheld", statistics.icmp_withheld},
                       {"dropped", drops_json(statistics.dropped)}};
    json["middleboxes"] = middleboxes_json(model, statistics.middleboxes);
    json["buffers"] = buffers_json(model, statistics.buffers);
    json["radios"] = airs_json(model, statistics.airs, figures.measured_seconds);
    json["retransmissions"] = statistics.retransmissions;
    json["workloads"] = Json::array();
    for (const WorkloadFigures& workload : figures.workloads) json["workloads"].push_back(workload_json(workload));
    json["sums"] = Json::array();
    for (const SumFigures& sum : figures.sums) {
        Json& together = json["sums"].emplace_back(workload_json(sum.all));
        together["workloads"] = sum.members.size();
    }
    json["groups"] = {{"subnetwork", groups_json(figures.groups.subnets)},
                      {"document_size", groups_json(figures.groups.sizes)},
                      {"status", groups_json(figures.groups.statuses)}};
    if (!figures.groups.requests.empty()) {
        json["groups"]["request"] = requests_json(figures.groups.requests);
        json["groups"]["workload_request"] = requests_json(figures.groups.of_workloads);
    }
    if (!figures.groups.request_groups.empty())
        json["groups"]["request_group"] = requests_json(figures.groups.request_groups);
    if (!figures.groups.reports.empty()) json["groups"]["reports"] = reports_json(figures.groups.reports);
    json["servers"] = Json::array();
    for (const ServerFigures& server : figures.servers) {
        json["servers"].push_back(server_json(
            server, {{"name", server.name},
                     {"port", server.port},
                     {"handshakes", {{"full", server.handshakes}, {"resumed", server.resumed}}}}));
        add_label(json["servers"].back(), server.label);
    }
    json["series"] = series_json(run, statistics);
    if (!figures.groups.series.empty())
        json["series_by_request"] = request_series_json(figures.groups.series, json["series"]["completed"].size());
    json["busiest_links"] = Json::array();
    for (const LinkFigures& link : figures.busiest) {
        json["busiest_links"].push_back(
            {{"name", link.name},
             {"utilisation", link.utilisation},
             {"packets", link.packets},
             {"bytes", link.bytes},
             {"dropped", link.dropped},
             {"marked", link.marked},
             {"queue_delay_seconds",
              {{"mean", or_null(link.mean_queue_delay)}, {"max", or_null(link.longest_queue_delay)}}}});
        add_label(json["busiest_links"].back(), link.label);
    }
    if (!figures.fluid_links.empty()) json["fluid_links"] = Json::array();
    for (const FluidLinkFigures& link : figures.fluid_links) {
        json["fluid_links"].push_back({{"name", link.name},
                                       {"offered_bps", link.offered_bps},
                                       {"carried_bps", link.carried_bps},
                                       {"lost_share", or_null(link.lost_share)},
                                       {"utilisation", link.utilisation},
                                       {"packet_utilisation", link.packet_utilisation}});
        add_label(json["fluid_links"].back(), link.label);
    }
    json["impaired_links"] = Json::array();
    for (const ImpairedLinkFigures& link : figures.impaired) {
        json["impaired_links"].push_back(impairments_json(link, {{"name", link.name}, {"packets", link.packets}}));
        add_label(json["impaired_links"].back(), link.label);
    }
    json["measures"] = Json::object();
    for (const MeasureFigure& measure : figures.measures) json["measures"][measure.name] = or_null(measure.value);
    if (figures.batches) json["batches"] = batches_json(figures);
    json["thresholds"] = thresholds_json(figures);
    json["timeline"] = timeline_json(model, run, statistics);
    json["replay"] = run.replay ? results::replay_json(model, *run.replay) : Json(nullptr);
    if (run.connections)
        json["connections"] = {{"file", run.connections->file},
                               {"written", run.connections->written},
                               {"dropped", run.connections->dropped}};
    json["changes"] = changes_json(run, statistics);
    json["profile"] = run.profile ? profile_json(*run.profile) : Json(nullptr);
    json["live"] = run.real_time ? results::live_json(model, *run.real_time, figures.effects) : Json(nullptr);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace anml::rt

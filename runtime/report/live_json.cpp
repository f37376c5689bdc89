#include "report/live_json.h"

#include "net/model.h"
#include "report/effects.h"
#include "report/live/live_report.h"
#include "report/live/replay_report.h"

namespace anml::rt::results {

namespace {

// What lateness did to the figures.
Json touched_json(const Effects& effects)
{
    Json touched = Json::array();
    for (const Effect& effect : effects.figures) {
        if (effect.high <= Effects::kLimit) continue;
        touched.push_back({{"workload", effect.workload.empty() ? Json(nullptr) : Json(effect.workload)},
                           {"figure", effect.figure},
                           {"may_be_high", effect.high}});
    }
    return touched;
}

// By second since the workloads' start.
Json live_seconds_json(const LiveCounters& counters, const Effects& effects)
{
    Json json;
    for (const char* key :
         {"released", "late", "slip_p99_seconds", "slip_max_seconds", "kernel_drops", "send_failures",
          "server_lost_seconds"})
        json[key] = Json::array();
    for (const LiveSecond& second : counters.seconds()) {
        json["released"].push_back(second.released);
        json["late"].push_back(second.late);
        json["slip_p99_seconds"].push_back(static_cast<double>(second.slip_p99) / kSecond);
        json["slip_max_seconds"].push_back(static_cast<double>(second.slip_max) / kSecond);
        json["kernel_drops"].push_back(second.kernel_drops);
        json["send_failures"].push_back(second.send_failures);
        json["server_lost_seconds"].push_back(static_cast<double>(second.server_lost) / kSecond);
    }
    json["may_be_high"] = effects.seconds;
    return json;
}

Json xdp_json(const DeviceReport& device)
{
    if (!device.xdp) return nullptr;
    return {{"mode", device.xdp->generic ? "generic" : "native"},
            {"zero_copy", device.xdp->zero_copy},
            {"queues", device.xdp->queues},
            {"dropped", device.xdp->dropped},
            {"ring_full", device.xdp->ring_full},
            {"too_long", device.xdp->too_long}};
}

Json endpoints_json(const Model& model, const LiveReport& report)
{
    Json all = Json::array();
    for (const LiveReport::Endpoint& endpoint : report.endpoints) {
        const EndpointCounters& counters = endpoint.counters;
        const auto slip = [&](double percent) {
            return static_cast<double>(counters.slip().percentile(percent)) / kSecond;
        };
        Json seconds;
        for (const char* key : {"released", "received", "late", "slip_max_seconds", "kernel_drops", "send_failures"})
            seconds[key] = Json::array();
        for (const EndpointSecond& second : counters.seconds()) {
            seconds["released"].push_back(second.released);
            seconds["received"].push_back(second.received);
            seconds["late"].push_back(second.late);
            seconds["slip_max_seconds"].push_back(static_cast<double>(second.slip_max) / kSecond);
            seconds["kernel_drops"].push_back(second.kernel_drops);
            seconds["send_failures"].push_back(second.send_failures);
        }
        const EndpointSecond sum = counters.all();
        all.push_back({{"name", model.text(model.image().endpoints[endpoint.row].name)},
                       {"device", endpoint.device.kind},
                       {"xdp", xdp_json(endpoint.device)},
                       {"released", sum.released},
                       {"received", sum.received},
                       {"late", sum.late},
                       {"kernel_drops", sum.kernel_drops},
                       {"send_failures", sum.send_failures},
                       {"slip_seconds", {{"median", slip(50)}, {"p99", slip(99)}, {"max", slip(100)}}},
                       {"seconds", seconds}});
        add_label(all.back(), label_of_node(model.image(), model.image().endpoints[endpoint.row].node));
    }
    return all;
}

Json processes_json(const LiveReport& report)
{
    const auto seconds = [](Time time) { return static_cast<double>(time) / kSecond; };
    Json all = Json::array();
    for (const LiveProcess& process : report.processes) {
        const bool borders = process.shortest_delay != kNever;
        all.push_back({{"address", process.address},
                       {"nodes", process.nodes},
                       {"counted", process.counted},
                       {"clock_error_seconds", seconds(process.clock_error)},
                       {"clock_steps", process.clock_steps},
                       {"shortest_delay_seconds", borders ? Json(seconds(process.shortest_delay)) : Json(nullptr)},
                       {"round_trip_seconds", seconds(process.round_trip)},
                       {"lagged_seconds", seconds(process.lagged)},
                       {"longest_lag_seconds", seconds(process.longest_lag)},
                       {"busy", process.busy},
                       {"slip_p99_seconds", seconds(process.slip_p99)}});
    }
    return all;
}

}  // namespace

Json live_json(const Model& model, const LiveReport& report, const Effects& effects)
{
    const LiveCounters& counters = report.counters;
    const LiveSecond all = counters.all();
    auto slip = [&](double percent) { return static_cast<double>(counters.slip().percentile(percent)) / kSecond; };
    const auto seen = [&](Time time) {
        return report.server_seen ? Json(static_cast<double>(time) / kSecond) : Json(nullptr);
    };
    Json json = {
        {"slip_seconds",
         {{"median", slip(50)}, {"p95", slip(95)}, {"p99", slip(99)}, {"p999", slip(99.9)}, {"max", slip(100)}}},
        {"released", all.released},
        {"late", all.late},
        {"received", all.received},
        {"kernel_drops", all.kernel_drops},
        {"send_failures", all.send_failures},
        {"touched", touched_json(effects)},
        {"seconds", live_seconds_json(counters, effects)},
        {"endpoints", endpoints_json(model, report)},
        {"host_retransmissions", counters.measured().host_retransmissions},
        {"pace", pace_name(report.pace)},
        {"arrival_error_seconds", static_cast<double>(report.arrival_error) / kSecond},
        {"malformed", report.malformed},
        {"foreign", report.foreign},
        {"ipv6", report.ipv6},
        {"tagged", report.tagged},
        {"groups", report.groups},
        {"moved", report.moved},
        {"unreachable", report.unreachable},
        {"processor_wait_seconds", or_null(report.processor_wait)},
        {"cpu_emulator", report.cpu_emulator},
        {"busy", report.busy},
        {"cpu_server", or_null(report.cpu_server)},
        {"server_waited_seconds", seen(counters.measured().server_waited)},
        {"server_lost_seconds", seen(counters.measured().server_lost)},
        {"forecast", nullptr},
        {"workloads_started_seconds", nullptr}};
    if (!report.processes.empty()) {
        json["one_way_error"] = effects.one_way;
        json["processes"] = processes_json(report);
    }
    if (const auto& forecast = report.forecast)
        json["forecast"] = {{"packets_per_second", forecast->packets},
                            {"packet_hops_per_second", forecast->hops},
                            {"processor", forecast->processor}};
    if (report.workloads_started != kNever) {
        json["workloads_started_seconds"] = static_cast<double>(report.workloads_started) / kSecond;
    }
    return json;
}

Json replay_json(const Model& model, const ReplayReport& report)
{
    Json endpoints = Json::array();
    for (const ReplayReport::Endpoint& endpoint : report.endpoints) {
        const auto file = [](const std::string& name) { return name.empty() ? Json(nullptr) : Json(name); };
        Json ignored;
        for (std::size_t i = 0; i < ReplayReport::kCauses.size(); ++i)
            ignored[std::string(ReplayReport::kCauses[i].key)] = endpoint.counted.ignored[i];
        endpoints.push_back({{"name", model.text(model.image().endpoints[endpoint.row].name)},
                             {"in", file(endpoint.in)},
                             {"read", endpoint.counted.read},
                             {"entered", endpoint.counted.entered},
                             {"ignored", ignored},
                             {"packets", endpoint.counted.packets},
                             {"cut_short", endpoint.counted.cut_short},
                             {"repaired", endpoint.counted.repaired},
                             {"wrong_checksum", endpoint.counted.wrong_checksum},
                             {"back_in_time", endpoint.counted.back_in_time},
                             {"goes_on", endpoint.counted.goes_on},
                             {"out", file(endpoint.out)},
                             {"written", endpoint.counted.written}});
    }
    return {{"endpoints", endpoints}};
}

}  // namespace anml::rt::results

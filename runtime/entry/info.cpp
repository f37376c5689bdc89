// `info`: the nodes, links and endpoints of the model, row by row.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "entry/options/describe.h"
#include "entry/tools/addresses.h"
#include "io/device/dotted.h"
#include "io/gateway/gateway.h"
#include "net/model.h"
#include "net/record.h"
#include "report/describe_draws.h"
#include "report/quantity.h"
#include "report/stations.h"
#include "report/timeline_events.h"

namespace anml::rt::entry {

namespace {

using Json = nlohmann::ordered_json;

Json bound(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json parameters_json(const Model& model)
{
    Json list = Json::array();
    for (std::uint32_t i = 0; i < model.image().parameter_count; ++i) {
        const abi::ParameterRow& row = model.image().parameters[i];
        const bool word = row.word != abi::kNone;
        list.push_back(
            {{"name", model.text(row.name)},
             {"doc", model.text(row.doc)},
             {"kind", word ? "word" : unit_name(row.unit)},
             {"tunable", row.tunable != abi::kNone},
             {"default", word ? Json(nullptr) : Json(row.value)},
             {"default_text", word ? std::string(model.text(row.word)) : format_quantity(row.value, row.unit)},
             {"minimum", bound(row.minimum)},
             {"maximum", bound(row.maximum)}});
    }
    return list;
}

// Of the file that says when a link transmits, null where it has a rate.
Json trace_name(const Model& model, std::uint32_t trace)
{
    return trace == abi::kNone ? Json(nullptr) : Json(model.text(model.image().traces[trace].name));
}

std::string or_droptail(const std::string& discipline) { return discipline.empty() ? "droptail" : discipline; }

// The schema and its attributes; what is random in words. Null: drop-tail.
Json record_json(const Model& model, std::uint32_t record)
{
    if (record == abi::kNone) return nullptr;
    Json json{{"schema", abi::record_layout(model.image().records[record].schema).schema}};
    each_field(model.image(), record, [&](const abi::RecordField& field, const std::uint32_t* words) {
        Json& value = json[std::string(field.name)];
        if (abi::is_random(field.kind))
            value = describe_distribution(model, abi::distribution_at(words), abi::unit_of(field.kind));
        else if (field.kind == abi::FieldKind::choice)
            value = abi::choice_name(field, words[0]);
        else if (field.kind == abi::FieldKind::records)
            for (value = Json::array(); const std::uint32_t one : abi::listed(model.image(), abi::records_at(words)))
                value.push_back(record_json(model, one));
        else if (abi::is_optional(field.kind) && words[0] == abi::kNone)
            value = nullptr;
        else if (abi::is_addresses(field.kind))
            for (value = Json::array();
                 const abi::AddressRange& range : abi::ranges_of(model.image(), abi::addresses_at(words)))
                value.push_back(range.first == range.last
                                    ? format_address(range.first)
                                    : format_address(range.first) + "-" + format_address(range.last));
        else if (abi::is_file(field.kind))
            value = model.text(model.image().files[words[0]].name);
        else if (abi::is_text(field.kind))
            value = model.text(words[0]);
        else if (field.kind == abi::FieldKind::truth)
            value = model.value(words[0]) != 0;
        else
            value = model.value(words[0]);
    });
    return json;
}

Json links_json(const Model& model)
{
    Json list = Json::array();
    for (std::uint32_t i = 0; i < model.image().link_row_count; ++i) {
        const abi::LinkRow& row = model.image().link_rows[i];
        auto both = [&](const abi::ValueId(&ids)[2]) { return Json{model.value(ids[0]), model.value(ids[1])}; };
        list.push_back(
            {{"name", model.text(row.name)},
             {"count", row.count},
             {"from", model.node_name(row.node[0])},
             {"to", model.node_name(row.node[1])},
             {"rate_bps", both(row.rate)},
             {"traces", {trace_name(model, row.trace[0]), trace_name(model, row.trace[1])}},
             {"delay_ns", both(row.delay)},
             {"queue_bytes", both(row.queue)},
             {"queue_packets", both(row.queue_packets)},
             {"disciplines", {record_json(model, row.discipline[0]), record_json(model, row.discipline[1])}},
             {"mtu", model.value(row.mtu)},
             {"transparent", row.transparent != 0},
             {"impairments",
              {describe_impairment(model, row.impairment[0]), describe_impairment(model, row.impairment[1])}}});
    }
    return list;
}

Json prefixes_json(const abi::Image& image, const abi::EndpointRow& endpoint)
{
    Json list = Json::array();
    for (std::uint32_t i = 0; i < endpoint.prefixes.count; ++i) {
        const abi::EndpointPrefixRow& row = image.endpoint_prefixes[endpoint.prefixes.first + i];
        list.push_back({{"prefix", fmt::format("{}/{}", format_address(row.first), row.length)},
                        {"kind", abi::prefix_kind_name(row.kind)}});
    }
    return list;
}

std::uint64_t hosts_of(const abi::Image& image, const abi::WorkloadRow& row)
{
    std::uint64_t hosts = 0;
    for (std::uint32_t i = 0; i < row.targets.count; ++i) hosts += image.targets[row.targets.first + i].count;
    return hosts;
}

const char* family_name(const abi::WorkloadRow& row) { return row.ipv6 != 0 ? "IPv6" : "IPv4"; }

bool has_ipv4(const abi::NodeRow& row) { return row.address != 0 && !is_ipv6(Address{row.address}); }

std::string ipv6_range(const Model& model, const abi::NodeRow& row)
{
    const auto text = [&](std::uint32_t element) { return model.address_text(ipv6_of(row.first_node + element)); };
    return row.count <= 1 ? text(0) : fmt::format("{} .. {}", text(0), text(row.count - 1));
}

std::string addresses_of(const Model& model, const abi::NodeRow& row)
{
    if (row.address == 0) return "-";
    std::string list = has_ipv4(row) ? format_range(row.address, row.count) : "";
    if (row.ipv6[0] != 0) list += (list.empty() ? "" : ", ") + ipv6_range(model, row);
    if (row.anycast != 0) list += ", anycast " + model.address_text(Address{row.anycast});
    return list;
}

// Of IPv4; "": there is none.
std::string pool_text(const abi::Image& image)
{
    return image.pool_length > 32 ? "" : fmt::format("{}/{}", format_address(image.pool_first), image.pool_length);
}

// The link-local address that real hosts of IPv6 have as their gateway; "": none can be attached.
std::string gateway_ipv6(const Model& model)
{
    for (std::uint32_t i = 0; i < model.image().endpoint_count; ++i)
        if (model.has_ipv6(model.image().endpoints[i].node)) return io::shown(io::model_link_local(model));
    return "";
}

std::string radio_of(const Model& model, NodeId node)
{
    return std::string(abi::record_layout(abi::schema_of(model.image(), model.node_row(node).radio)).name);
}

// Access points and base stations, with the hosts whose links to them are on the air.
std::string cells_text(const Model& model, std::size_t width)
{
    constexpr std::size_t kShown = 8;
    std::string text;
    for (const auto& [node, stations] : stations_of(model)) {
        text +=
            fmt::format("{:<{}}  {:<8} {:>8}  ", model.node_name(node), width, radio_of(model, node), stations.size());
        for (std::size_t i = 0; i < std::min(kShown, stations.size()); ++i)
            text += fmt::format("{}{}", i == 0 ? "" : ", ", model.node_name(stations[i]));
        if (stations.size() > kShown) text += fmt::format(" and {} more", stations.size() - kShown);
        text += "\n";
    }
    return text.empty() ? text
                        : fmt::format("\n{:<{}}  {:<8} {:>8}  on the air\n", "radio", width, "kind", "stations") + text;
}

}  // namespace

std::string info_json(const Model& model)
{
    const abi::Image& image = model.image();
    Json json;
    json["model"] = model.text(image.model_name);
    json["doc"] = model.text(image.model_doc);
    json["source"] = model.text(image.source_file);
    json["compiler"] = model.text(image.compiler);
    json["runtime"] = ANML_VERSION;
    json["pool"] = pool_text(image).empty() ? Json(nullptr) : Json(pool_text(image));
    json["gateway"] = image.gateway ? Json(format_address(image.gateway)) : Json(nullptr);
    if (const std::string gateway = gateway_ipv6(model); !gateway.empty()) json["gateway_ipv6"] = gateway;
    json["duration_seconds"] = static_cast<double>(model.time(image.duration)) / kSecond;
    json["warmup_seconds"] = static_cast<double>(model.time(image.warmup)) / kSecond;
    json["node_count"] = image.nodes;
    json["link_count"] = image.directed_links / 2;
    json["parameters"] = parameters_json(model);
    json["nodes"] = Json::array();
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        json["nodes"].push_back(
            {{"name", model.text(row.name)},
             {"kind", abi::node_kind_name(row.kind)},
             {"count", row.count},
             {"address", has_ipv4(row) ? Json(format_block(row.address, row.count)) : Json(nullptr)}});
        if (row.ipv6[0] != 0) json["nodes"].back()["ipv6"] = ipv6_range(model, row);
        if (row.anycast != 0) json["nodes"].back()["anycast"] = model.address_text(Address{row.anycast});
    }
    json["links"] = links_json(model);
    json["radios"] = Json::array();
    for (const auto& [node, stations] : stations_of(model)) {
        Json list = Json::array();
        for (const NodeId station : stations) list.push_back(model.node_name(station));
        json["radios"].push_back(
            {{"node", model.node_name(node)}, {"radio", radio_of(model, node)}, {"stations", std::move(list)}});
    }
    json["endpoints"] = Json::array();
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i) {
        const abi::EndpointRow& row = image.endpoints[i];
        std::string stand_in = describe_stand_in(model, row);
        json["endpoints"].push_back({{"name", model.text(row.name)},
                                     {"doc", model.text(row.doc)},
                                     {"address", model.address_text(model.address(row.node))},
                                     {"prefixes", prefixes_json(image, row)},
                                     {"simulated", stand_in.empty() ? Json(nullptr) : Json(stand_in)}});
        if (model.has_ipv6(row.node)) json["endpoints"].back()["ipv6"] = model.address_text(ipv6_of(row.node));
    }
    json["workloads"] = Json::array();
    for (std::uint32_t i = 0; i < image.workload_count; ++i) {
        const abi::WorkloadRow& row = image.workloads[i];
        json["workloads"].push_back({{"name", model.text(row.name)},
                                     {"kind", schema_name(image, row.record)},
                                     {"hosts", hosts_of(image, row)},
                                     {"family", family_name(row)}});
    }
    json["timeline"] = Json::array();
    for (const TimelineEvent& event : timeline_events(model))
        json["timeline"].push_back(
            {{"seconds", static_cast<double>(event.time) / kSecond}, {"what", event.text}});
    json["requirements"] = Json::array();
    for (std::uint32_t i = 0; i < image.requirement_count; ++i) {
        const abi::RequirementRow& row = image.requirements[i];
        json["requirements"].push_back({{"message", model.text(row.message)},
                                        {"where", model.text(row.where)},
                                        {"holds", model.value(row.holds) != 0}});
    }
    json["thresholds"] = Json::array();
    for (std::uint32_t i = 0; i < image.threshold_count; ++i) {
        const abi::ThresholdRow& row = image.thresholds[i];
        json["thresholds"].push_back({{"requires", model.text(row.text)},
                                      {"message", model.text(row.message)},
                                      {"where", model.text(row.where)}});
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string info_text(const Model& model)
{
    const abi::Image& image = model.image();
    std::string out =
        fmt::format("{}: {} nodes, {} links", model.text(image.model_name), image.nodes, image.directed_links / 2);
    if (const std::string pool = pool_text(image); !pool.empty()) out += ", addresses from " + pool;
    if (image.gateway) out += fmt::format(", gateway {}", format_address(image.gateway));
    if (const std::string gateway = gateway_ipv6(model); !gateway.empty())
        out += (image.gateway ? " and " : ", gateway ") + gateway;
    out += "\n\n";
    std::size_t width = 4;
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        width = std::max(width, model.text(image.node_rows[i].name).size());
    }
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        width = std::max(width, model.text(image.link_rows[i].name).size());
    }
    out += fmt::format("{:<{}}  {:<8} {:>7}  address\n", "node", width, "kind", "count");
    for (std::uint32_t i = 0; i < image.node_row_count; ++i) {
        const abi::NodeRow& row = image.node_rows[i];
        out += fmt::format("{:<{}}  {:<8} {:>7}  {}\n", model.text(row.name), width, abi::node_kind_name(row.kind),
                           row.count, addresses_of(model, row));
    }
    out += fmt::format("\n{:<{}}  {:>7}  from -- to: rate, delay, queue, MTU\n", "link", width, "count");
    for (std::uint32_t i = 0; i < image.link_row_count; ++i) {
        const abi::LinkRow& row = image.link_rows[i];
        auto both = [&](const abi::ValueId(&ids)[2], abi::Unit unit) {
            std::string one = format_quantity(model.value(ids[0]), unit),
                        two = format_quantity(model.value(ids[1]), unit);
            return one == two ? one : one + " / " + two;
        };
        std::string rates[2];
        for (int i = 0; i < 2; ++i) {
            rates[i] = format_quantity(model.value(row.rate[i]), abi::Unit::rate);
            if (row.trace[i] == abi::kNone) continue;
            rates[i] += fmt::format(" on average ({})", model.text(image.traces[row.trace[i]].name));
        }
        const std::string rate = rates[0] == rates[1] ? rates[0] : rates[0] + " / " + rates[1];
        std::string queue = both(row.queue, abi::Unit::size);
        if (model.value(row.queue_packets[0]) > 0 || model.value(row.queue_packets[1]) > 0)
            queue += " or " + both(row.queue_packets, abi::Unit::integer) + " packets";
        const std::string disciplines[] = {describe_record(model, row.discipline[0]),
                                           describe_record(model, row.discipline[1])};
        if (!disciplines[0].empty() || !disciplines[1].empty())
            queue += disciplines[0] == disciplines[1]
                         ? fmt::format(" ({})", disciplines[0])
                         : fmt::format(" ({} / {})", or_droptail(disciplines[0]), or_droptail(disciplines[1]));
        std::string impairments;
        const std::string there = describe_impairment(model, row.impairment[0]),
                          back = describe_impairment(model, row.impairment[1]);
        if (!there.empty() || !back.empty()) impairments = "; " + (there == back ? there : there + " / " + back);
        if (row.transparent != 0) impairments += "; transparent";
        out += fmt::format("{:<{}}  {:>7}  {} {} {}: {}, {}, {}, {}{}\n", model.text(row.name), width, row.count,
                           model.node_name(row.node[0]), row.one_way ? "->" : "--", model.node_name(row.node[1]), rate,
                           both(row.delay, abi::Unit::time), queue,
                           format_quantity(model.value(row.mtu), abi::Unit::size), impairments);
    }
    out += cells_text(model, width);
    std::string subnets;
    for (std::uint32_t i = 0; i < image.endpoint_count; ++i)
        if (const std::string hosts = describe_prefixes(image, image.endpoints[i]); !hosts.empty())
            subnets += fmt::format("{:<{}}  {}\n", model.text(image.endpoints[i].name), width, hosts);
    if (!subnets.empty()) out += fmt::format("\n{:<{}}  real hosts\n", "endpoint", width) + subnets;
    width = 8;
    for (std::uint32_t i = 0; i < image.workload_count; ++i)
        width = std::max(width, model.text(image.workloads[i].name).size());
    if (image.workload_count != 0) out += fmt::format("\n{:<{}}  {:>7}  kind, family\n", "workload", width, "hosts");
    for (std::uint32_t i = 0; i < image.workload_count; ++i) {
        const abi::WorkloadRow& row = image.workloads[i];
        out += fmt::format("{:<{}}  {:>7}  {}, {}\n", model.text(row.name), width, hosts_of(image, row),
                           schema_name(image, row.record), family_name(row));
    }
    const std::vector<TimelineEvent> timeline = timeline_events(model);
    if (!timeline.empty()) out += fmt::format("\n{:>10}  timeline\n", "time");
    for (const TimelineEvent& event : timeline)
        out += fmt::format("{:>10}  {}\n", format_quantity(static_cast<double>(event.time), abi::Unit::time),
                           event.text);
    return out;
}

}  // namespace anml::rt::entry

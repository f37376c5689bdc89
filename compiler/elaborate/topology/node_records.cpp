// What nodes are besides: attributes that are records, each by its own schema.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/topology/topology.h"
#include "elaborate/workloads/workloads.h"

namespace anml {
namespace {

// The schema's default, which says nothing.
constexpr double kUsualPackets = 1000;

// Nobody waits for a processor that is never busy.
void idle_processor(Elaboration& in, const SchemaValue& processing)
{
    const RecordInfo& record = in.network.records[record_of(in, processing)];
    const DistributionValue& service = record_draw(record, "service");
    const auto packets = in.network.values.as_constant(record_number(record, "packets"));
    if (service.kind != abi::DistributionKind::constant || in.network.values.as_constant(service.a) != 0.0) return;
    if (!packets || *packets == kUsualPackets) return;
    in.report(Diag::requirement_failed, processing.span,
              "`packets` is about those that wait for the processor, which needs no time for any: `service` is 0 s")
        .help(
            "say how long it works on each, `processing(service = 20 us, packets = 50)`; packets don't wait for a "
            "`delay`");
}

}  // namespace

bool on_air(const Network& network, const LinkArray& link)
{
    if (link.wired) return false;
    const NodeArray* const ends[] = {&network.nodes[link.end[0].row.value], &network.nodes[link.end[1].row.value]};
    return (ends[0]->radio != abi::kNone && ends[1]->kind == abi::NodeKind::host) ||
           (ends[1]->radio != abi::kNone && ends[0]->kind == abi::NodeKind::host);
}

// What waits for the air is asked for when somebody may transmit: a queue has to decide then, and to have a packet
// whenever some wait.
void queue_on_air(const Network& network, ReportOnce& report, const LinkArray& link, int direction)
{
    constexpr abi::RecordSchema kFit[] = {abi::RecordSchema::codel, abi::RecordSchema::fq_codel, abi::RecordSchema::drr,
                                          abi::RecordSchema::sfq, abi::RecordSchema::priority};
    if (link.trace[direction] != abi::kNone) {
        report(Diag::queue_on_air, link.span, fmt::format("`{}` follows a trace, and is on the air", link.name))
            .help("its `rate` is what the station and the access point send to each other at");
        return;
    }
    if (link.discipline[direction] == abi::kNone) return;
    const RecordInfo& record = network.records[link.discipline[direction]];
    if (std::any_of(std::begin(kFit), std::end(kFit), [&](abi::RecordSchema fit) { return is_a(record, fit); })) return;
    constexpr abi::RecordSchema kShaping[] = {abi::RecordSchema::htb, abi::RecordSchema::htb_classes,
                                              abi::RecordSchema::token_bucket};
    const bool shapes =
        std::any_of(std::begin(kShaping), std::end(kShaping), [&](abi::RecordSchema one) { return is_a(record, one); });
    const std::string_view schema = abi::record_layout(record.layout).schema;
    report(Diag::queue_on_air, link.span,
           fmt::format("`{}` is on the air, and its queue is a `{}`, which {}", link.name,
                       schema.substr(schema.rfind('.') + 1),
                       shapes ? "holds packets back until its rates let them go, whoever may transmit meanwhile"
                              : "decides when a packet comes, by when it will leave"))
        .help(
            "`droptail`, and `codel`, `fq_codel`, `drr`, `sfq` and `priority` of `std.queue` decide when somebody "
            "may transmit");
}

void node_records(Elaboration& in, const SchemaValue& node_attributes, NodeArray& group)
{
    const Schema& schema = in.program.schema(node_attributes.schema);
    const auto record = [&](std::string_view name, std::uint32_t& index) {
        const auto has = [&](const Attribute& a) { return a.name == name; };
        if (std::none_of(schema.attributes.begin(), schema.attributes.end(), has)) return;
        const SchemaValue* value = attribute_of(in.program, node_attributes, name).schema();
        if (!value) return;
        index = record_of(in, *value);
        if (index != abi::kNone) return;
        in.report(Diag::unsupported_schema, value->span,
                  fmt::format("`{}` is nothing that a node can do", in.program.schema(value->schema).name))
            .help(name == "radio"
                      ? "`wifi.ac()` and others of `std.wifi` are, and `cellular.lte()` and others of `std.cellular`"
                      : "`middlebox.nat(...)`, `middlebox.firewall(...)` and `middlebox.load_balancer(...)` are");
    };
    record("processing", group.processing);
    if (group.processing != abi::kNone)
        idle_processor(in, *attribute_of(in.program, node_attributes, "processing").schema());
    record("middlebox", group.middlebox);
    if (group.middlebox != abi::kNone)
        balancer(in, *attribute_of(in.program, node_attributes, "middlebox").schema(), group);
    record("icmp_limits", group.icmp_limits);
    record("buffer", group.buffer);
    record("radio", group.radio);
}

// The settings of TCP on a node: its attribute `tcp`, or the schema's defaults. Nodes with equal settings share them.
std::uint32_t tcp(Elaboration& in, const SchemaValue& node_attributes, const Statement& at)
{
    const SchemaValue* value = attribute_of(in.program, node_attributes, "tcp").schema();
    if (!value && in.default_record != abi::kNone) return in.default_record;
    if (!in.default_tcp) {
        Frame none;
        in.default_tcp =
            schema_value(in, in.program.find_schema("std.prelude.Tcp"), {}, none, nullptr, at.span, "the default TCP");
    }
    const bool own = value != nullptr;
    if (own) {
        in.own_tcp.try_emplace(static_cast<std::uint32_t>(in.network.nodes.size() - 1), value->span);
        unused_of_tcp(in.network.values, in.program, in.report, *value, *in.default_tcp);
    } else {
        value = in.default_tcp.get();
    }
    const std::uint32_t record = record_of(in, *value);
    if (!own) in.default_record = record;
    return record;
}

}  // namespace anml

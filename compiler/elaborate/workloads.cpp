// Workloads: which hosts do what.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "elaborate/elaborator.h"

namespace anml {

// Where an attribute of a block is given; `otherwise` where it is not.
Span Elaborator::place_of(const std::vector<AttributeValue>& attributes, SchemaId schema, std::string_view name,
                          Span otherwise) const
{
    for (const AttributeValue& given : attributes)
        if (program_.schema(schema).attributes[given.attribute].name == name) return program_.expr(given.value).span;
    return otherwise;
}

Span Elaborator::place_of(const WorkloadStatement& s, std::string_view name, Span otherwise) const
{
    return place_of(s.attributes, s.schema, name, otherwise);
}

void Elaborator::workload(const WorkloadStatement& s, const Statement& at, Frame& frame)
{
    if (s.slot != abi::kNone) frame.slots[s.slot] = {Failed{}};
    const Value on = evaluate(s.on, frame);
    const auto value = overridden(s.name, schema_value(s.schema, s.attributes, frame, nullptr, at.span, "the workload"),
                                  "the workload");
    const NodeSet* targets = on.as<NodeSet>();
    if (!targets || !value || !claim(path(s.name), at.span)) return;
    const Schema& schema = program_.schema(s.schema);
    const auto is = [&](std::string_view name) { return program_.derives(s.schema, program_.find_schema(name)); };
    constexpr abi::WorkloadKind kKinds[] = {abi::WorkloadKind::closed_loop, abi::WorkloadKind::cbr,
                                            abi::WorkloadKind::bulk, abi::WorkloadKind::on_off,
                                            abi::WorkloadKind::ping};
    const auto kind = std::find_if(std::begin(kKinds), std::end(kKinds), [&](abi::WorkloadKind k) {
        return is(std::string("std.") + abi::workload_kind_name(k));
    });
    if (kind == std::end(kKinds)) {
        report(Diag::unsupported_schema, at.span, fmt::format("hosts do not know how to do `{}`", schema.name))
            .also(schema.span, "declared here")
            .help("extend a workload of the standard library, such as `web.ClosedLoop`");
        return;
    }
    WorkloadInfo info;
    info.name = path(s.name);
    info.kind = *kind;
    info.targets = *targets;
    info.span = at.span;
    const bool ports = info.kind != abi::WorkloadKind::ping;
    if (ports) info.port = port_of(*value, place_of(s, "port", at.span));
    info.start_spread = number_of(*value, "start_spread");
    info.think = info.amount = info.on = info.off = {abi::DistributionKind::constant, constant(0), 0};
    info.connect_timeout = info.timeout = info.size = info.interval = info.transfers = info.ttl = constant(0);
    if (targets->empty())
        report(Diag::no_targets, program_.expr(s.on).span, fmt::format("`{}` runs on no host", info.name));
    if (ports && info.port == 0) return;
    const bool web = info.kind == abi::WorkloadKind::closed_loop;
    if (web ? !closed_loop(*value, s, info) : !peers(*value, s, info)) return;
    switch (info.kind) {
        case abi::WorkloadKind::closed_loop:
            break;
        case abi::WorkloadKind::cbr:
        case abi::WorkloadKind::on_off:
            if (!datagrams(*value, s, info)) return;
            break;
        case abi::WorkloadKind::bulk:
            bulk(*value, info);
            break;
        case abi::WorkloadKind::ping:
            ping(*value, info);
            break;
    }
    if (s.slot != abi::kNone)
        frame.slots[s.slot] = {WorkloadSet{static_cast<std::uint32_t>(network_.workloads.size())}};
    network_.workloads.push_back(std::move(info));
}

// 0: an error was reported.
std::uint32_t Elaborator::port_of(const SchemaValue& value, Span place)
{
    const ValueExprId port = number_of(value, "port");
    if (const auto number = network_.values.as_constant(port)) return static_cast<std::uint32_t>(*number);
    report_shape(port, place, "a port");
    return 0;
}

bool Elaborator::closed_loop(const SchemaValue& value, const WorkloadStatement& s, WorkloadInfo& info)
{
    const NodeSet* server = attribute_of(value, "server").as<NodeSet>();
    if (!server || server->empty()) return false;
    info.peers = {{server->front().row, server->front().first, 1}};
    const NodeGroup& node = network_.nodes[server->front().row.value];
    if (node.kind != abi::NodeKind::endpoint) {
        report(Diag::type_mismatch, place_of(s, "server", info.span),
               fmt::format("`server` wants an endpoint, found {}", a_type(program_, node_type(node.kind))))
            .also(node.span, "declared here");
        return false;
    }
    for (const ServerInfo& simulated : network_.servers) {
        if (simulated.node == server->front().row && simulated.port != info.port)
            report(Diag::port_mismatch, place_of(s, "port", info.span),
                   fmt::format("`{}` connects to port {}, but the simulated server listens on {}", info.name, info.port,
                               simulated.port))
                .also(node.span, "the server is declared here");
    }

    const Span place = place_of(s, "documents", info.span);
    const Value& documents = attribute_of(value, "documents");
    std::vector<const SchemaValue*> list;
    if (const SchemaValue* one = documents.schema()) list.push_back(one);
    if (const auto* many = documents.as<std::shared_ptr<const ListValue>>())
        for (const Value& v : **many) list.push_back(v.schema());
    if (list.empty()) report(Diag::out_of_range, place, "the workload needs at least one document");
    for (const SchemaValue* document : list) {
        const std::string* path = attribute_of(*document, "path").as<std::string>();
        const ValueExprId size = number_of(*document, "size");
        const auto bytes = network_.values.as_constant(size);
        if (path->empty() && !bytes) {
            report_shape(size, place, "the path of a document");
            return false;
        }
        info.documents.push_back({path->empty() ? fmt::format("/{:.0f}", *bytes) : *path, size});
    }
    info.think = distribution_of(value, "think");
    info.connect_timeout = number_of(value, "connect_timeout");
    info.timeout = number_of(value, "timeout");
    return true;
}

}  // namespace anml

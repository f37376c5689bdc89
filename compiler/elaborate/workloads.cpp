// Workloads: which hosts do what.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {

void Elaborator::workload(const WorkloadStatement& s, const Statement& at, Frame& frame)
{
    const Value on = evaluate(s.on, frame);
    const auto value = schema_value(s.schema, s.attributes, frame, nullptr, at.span, "the workload");
    const NodeSet* targets = on.as<NodeSet>();
    if (!targets || !value || !claim(path(s.name), at.span)) return;
    const Schema& schema = program_.schema(s.schema);
    if (!program_.derives(s.schema, program_.find_schema("std.web.ClosedLoop"))) {
        report(Diag::unsupported_schema, at.span, fmt::format("hosts do not know how to do `{}`", schema.name))
            .also(schema.span, "declared here")
            .help("extend a workload of the standard library, such as `web.ClosedLoop`");
        return;
    }
    // The place of an attribute's value, for messages.
    const auto place = [&](std::string_view name) {
        for (const AttributeValue& given : s.attributes)
            if (schema.attributes[given.attribute].name == name) return program_.expr(given.value).span;
        return at.span;
    };
    WorkloadInfo info;
    info.name = path(s.name);
    info.kind = abi::WorkloadKind::closed_loop;
    info.targets = *targets;
    info.span = at.span;
    if (targets->empty())
        report(Diag::no_targets, program_.expr(s.on).span, fmt::format("`{}` runs on no host", info.name));

    const NodeSet* server = attribute_of(*value, "server").as<NodeSet>();
    if (!server || server->empty()) return;
    info.server = server->front().row;
    info.server_element = server->front().first;
    const NodeGroup& node = network_.nodes[info.server.value];
    if (node.kind != abi::NodeKind::endpoint) {
        report(Diag::type_mismatch, place("server"),
               fmt::format("`server` wants an endpoint, found a {}", node_kind_name(node.kind)))
            .also(node.span, "declared here");
        return;
    }
    const ValueExprId port = number_of(*value, "port");
    const auto port_number = network_.values.as_constant(port);
    if (!port_number) {
        report_shape(port, place("port"), "a port");
        return;
    }
    info.port = static_cast<std::uint32_t>(*port_number);
    for (const ServerInfo& simulated : network_.servers) {
        if (simulated.node == info.server && simulated.port != info.port)
            report(Diag::port_mismatch, place("port"),
                   fmt::format("`{}` connects to port {}, but the simulated server listens on {}", info.name, info.port,
                               simulated.port))
                .also(node.span, "the server is declared here");
    }

    const Value& documents = attribute_of(*value, "documents");
    std::vector<const SchemaValue*> list;
    if (const SchemaValue* one = documents.schema()) list.push_back(one);
    if (const auto* many = documents.as<std::shared_ptr<const ListValue>>())
        for (const Value& v : **many) list.push_back(v.schema());
    if (list.empty()) report(Diag::out_of_range, place("documents"), "the workload needs at least one document");
    for (const SchemaValue* document : list) {
        const std::string* path = attribute_of(*document, "path").as<std::string>();
        const ValueExprId size = number_of(*document, "size");
        const auto bytes = network_.values.as_constant(size);
        if (path->empty() && !bytes) {
            report_shape(size, place("documents"), "the path of a document");
            return;
        }
        info.documents.push_back({path->empty() ? fmt::format("/{:.0f}", *bytes) : *path, size});
    }
    info.think = distribution_of(*value, "think");
    info.connect_timeout = number_of(*value, "connect_timeout");
    info.timeout = number_of(*value, "timeout");
    info.start_spread = number_of(*value, "start_spread");
    network_.workloads.push_back(std::move(info));
}

}  // namespace anml

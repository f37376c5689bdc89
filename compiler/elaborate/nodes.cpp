// Nodes: a row per declaration in an instance, however many elements it has; endpoints and what stands in for them.
#include <fmt/format.h>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

constexpr std::uint32_t kMaxNodes = 1u << 28;  // stream ids are 32 bits: directed links and nodes together

}  // namespace

bool Elaborator::claim(const std::string& name, Span span)
{
    const auto [first, inserted] = names_.try_emplace(name, span);
    if (!inserted) {
        auto message = report(Diag::duplicate_name, span, fmt::format("`{}` is declared twice", name));
        if (*first != span)
            message.also(*first, "first declared here");
        else
            message.help("in a loop, number it: `name[i]`");
    }
    return inserted;
}

void Elaborator::node(const NodeStatement& s, const Statement& at, Frame& frame)
{
    frame.slots[s.slot] = {Failed{}};
    std::int64_t count = 1;
    if (s.count) {
        const auto wanted = shape(s.count, frame, fmt::format("the count of `{}`", s.name));
        if (!wanted) return;
        count = *wanted;
        if (count < 0) {
            report(Diag::out_of_range, program_.expr(s.count).span,
                   fmt::format("`{}` cannot have {} elements", s.name, count));
            return;
        }
        if (count > static_cast<std::int64_t>(kMaxNodes) - network_.node_count) {
            report(
                Diag::network_too_large, program_.expr(s.count).span,
                fmt::format("with {} elements of `{}` the network has more than {} nodes", count, s.name, kMaxNodes));
            return;
        }
    }
    const std::string what = fmt::format("the {}", node_kind_name(s.kind));
    const auto attributes_of = [&](std::uint32_t element) {
        if (s.index_slot != abi::kNone) frame.slots[s.index_slot] = {Number{constant(element)}};
        return overridden(
            s.name, schema_value(program_.node_schema(s.kind), s.attributes, frame, nullptr, at.span, what), what);
    };
    const auto attributes = attributes_of(0);
    if (!attributes || !claim(path(s.name), at.span)) return;
    if (count == 0) {
        frame.slots[s.slot] = {NodeSet{}};
        return;
    }
    const NodeRowId row{network_.nodes.size()};
    NodeGroup& group = network_.nodes.emplace_back();
    group.name = path(s.name);
    group.kind = s.kind;
    group.is_array = s.count.valid();
    group.count = static_cast<std::uint32_t>(count);
    group.first_node = network_.node_count;
    group.span = at.span;
    group.task = task_;
    row_pool_.push_back(pool_);
    row_region_.push_back(region_);
    if (const auto* address = attribute_of(*attributes, "address").as<AddressValue>()) {
        group.address = address->bits;
        group.explicit_address = true;
        group.address_span = place_of(s.attributes, program_.node_schema(s.kind), "address", at.span);
        for (const ActiveOverride& o : overrides_of(s.name))
            group.address_span =
                place_of(o.override->attributes, program_.node_schema(s.kind), "address", group.address_span);
    }
    group.position = position(*attributes, at);
    const bool placed = s.index_slot != abi::kNone && group.position;
    if (placed && !each_is_a_step(group.count, at.span, "the position is worked out")) return;
    for (std::uint32_t i = 0; placed && i < group.count; ++i) {
        const auto own = attributes_of(i);
        const auto place = own ? position(*own, at) : std::nullopt;
        if (!place) break;
        group.positions.push_back(*place);
    }
    if (s.kind == abi::NodeKind::host || s.kind == abi::NodeKind::endpoint) group.tcp = tcp(*attributes, at);
    network_.node_count += group.count;
    frame.slots[s.slot] = {NodeSet{{row, 0, group.count}}};
    if (s.kind == abi::NodeKind::endpoint) endpoint(*attributes, row, at);
}

void Elaborator::endpoint(const SchemaValue& attributes, NodeRowId row, const Statement& at)
{
    EndpointInfo info;
    info.name = network_.nodes[row.value].name;
    info.doc = std::get<NodeStatement>(at.form).doc;
    info.node = row;
    info.span = at.span;
    if (!endpoint_prefixes(attributes, info, at)) return;
    if (const SchemaValue* service = attribute_of(attributes, "simulated").schema()) {
        if (layout_of(service->schema) == abi::kNone) {
            report(Diag::unsupported_schema, service->span,
                   fmt::format("`{}` cannot stand in for an endpoint", program_.schema(service->schema).name))
                .help("`web.server(...)` can");
            return;
        }
        ServerInfo server;
        server.node = row;
        server.port =
            static_cast<std::uint32_t>(network_.values.evaluate(number_of(*service, "port"), tunable_defaults_));
        server.record = record_of(*service);
        if (!network_.values.as_constant(number_of(*service, "port")))
            report_shape(number_of(*service, "port"), service->span, "the port of a server");
        info.server = static_cast<std::uint32_t>(network_.servers.size());
        servers_.emplace(row.value, info.server);
        network_.servers.push_back(server);
    }
    network_.endpoints.push_back(std::move(info));
}

const ServerInfo* Elaborator::server_of(NodeRowId row) const
{
    const auto at = servers_.find(row.value);
    return at != servers_.end() ? &network_.servers[at->second] : nullptr;
}

}  // namespace anml

// What nodes are besides: attributes that are records, each by its own schema.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {

void Elaborator::node_records(const SchemaValue& node_attributes, NodeGroup& group)
{
    const Schema& schema = program_.schema(node_attributes.schema);
    const auto record = [&](std::string_view name, std::uint32_t& index) {
        const auto has = [&](const Attribute& a) { return a.name == name; };
        if (std::none_of(schema.attributes.begin(), schema.attributes.end(), has)) return;
        const SchemaValue* value = attribute_of(node_attributes, name).schema();
        if (!value) return;
        index = record_of(*value);
        if (index != abi::kNone) return;
        report(Diag::unsupported_schema, value->span,
               fmt::format("`{}` is nothing that a node can do", program_.schema(value->schema).name))
            .help("`middlebox.nat(...)` and `middlebox.firewall(...)` are");
    };
    record("processing", group.processing);
    record("middlebox", group.middlebox);
    record("icmp_limits", group.icmp_limits);
}

}  // namespace anml

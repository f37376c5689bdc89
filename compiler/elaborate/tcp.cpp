// The settings of TCP on a node: its attribute `tcp`, or the schema's defaults. Nodes with equal settings share them.
#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {

std::uint32_t Elaborator::tcp(const SchemaValue& node_attributes, const Statement& at)
{
    const SchemaValue* value = attribute_of(node_attributes, "tcp").schema();
    std::shared_ptr<const SchemaValue> defaults;
    if (!value) {
        if (default_tcp_ != abi::kNone) return default_tcp_;
        Frame none;
        defaults = schema_value(program_.find_schema("std.prelude.Tcp"), {}, none, nullptr, at.span, "the default TCP");
        value = defaults.get();
    } else {
        own_tcp_.try_emplace(static_cast<std::uint32_t>(network_.nodes.size() - 1), value->span);
        unused_of_tcp(*value);
    }
    TcpInfo info;
    if (const Number* segment = attribute_of(*value, "segment").as<Number>()) info.segment = segment->id;
    info.initial_window = number_of(*value, "initial_window");
    info.receive_buffer = number_of(*value, "receive_buffer");
    info.window_scaling = number_of(*value, "window_scaling");
    info.sack = number_of(*value, "sack");
    info.timestamps = number_of(*value, "timestamps");
    info.delayed_ack = number_of(*value, "delayed_ack");
    info.minimum_rto = number_of(*value, "minimum_rto");

    const auto known = std::find(network_.tcps.begin(), network_.tcps.end(), info);
    const auto index = static_cast<std::uint32_t>(known - network_.tcps.begin());
    if (known == network_.tcps.end()) network_.tcps.push_back(info);
    if (defaults) default_tcp_ = index;
    return index;
}

}  // namespace anml

// The settings of TCP on a node: its attribute `tcp`, or the schema's defaults. Nodes with equal settings share them.
#include "elaborate/elaborator.h"

namespace anml {

std::uint32_t Elaborator::tcp(const SchemaValue& node_attributes, const Statement& at)
{
    const SchemaValue* value = attribute_of(node_attributes, "tcp").schema();
    if (!value && default_record_ != abi::kNone) return default_record_;
    if (!default_tcp_) {
        Frame none;
        default_tcp_ =
            schema_value(program_.find_schema("std.prelude.Tcp"), {}, none, nullptr, at.span, "the default TCP");
    }
    const bool own = value != nullptr;
    if (own) {
        own_tcp_.try_emplace(static_cast<std::uint32_t>(network_.nodes.size() - 1), value->span);
        unused_of_tcp(*value, *default_tcp_);
    } else {
        value = default_tcp_.get();
    }
    const std::uint32_t record = record_of(*value);
    if (!own) default_record_ = record;
    return record;
}

}  // namespace anml

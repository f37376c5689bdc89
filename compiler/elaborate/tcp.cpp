// The settings of TCP on a node: its attribute `tcp`, or the schema's defaults. Nodes with equal settings share them.
#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {
namespace {

// The enumeration's values stand in the library in the order in which abi/image.h has them.
template <class Choice>
Choice chosen(const Value& value)
{
    const auto* which = value.as<EnumValue>();
    return which ? static_cast<Choice>(which->ordinal) : Choice{};
}

}  // namespace

std::uint32_t Elaborator::tcp(const SchemaValue& node_attributes, const Statement& at)
{
    const SchemaValue* value = attribute_of(node_attributes, "tcp").schema();
    if (!value && default_row_ != abi::kNone) return default_row_;
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
    TcpInfo info;
    if (const Number* segment = attribute_of(*value, "segment").as<Number>()) info.segment = segment->id;
#define ANML_TCP_NUMBER(name, dimension) info.name = number_of(*value, #name);
#define ANML_TCP_TRUTH(name) info.name = number_of(*value, #name);
#define ANML_TCP_CHOICE(name, Type) info.name = chosen<abi::Type>(attribute_of(*value, #name));
#include "runtime/abi/tcp.def"
#undef ANML_TCP_CHOICE
#undef ANML_TCP_TRUTH
#undef ANML_TCP_NUMBER

    const auto known = std::find(network_.tcps.begin(), network_.tcps.end(), info);
    const auto index = static_cast<std::uint32_t>(known - network_.tcps.begin());
    if (known == network_.tcps.end()) network_.tcps.push_back(info);
    if (!own) default_row_ = index;
    return index;
}

}  // namespace anml

// Values of schemas that the runtime declares a layout for become records, attribute by attribute as the layout has
// them.
#include <fmt/format.h>

#include <utility>

#include "elaborate/topology/topology.h"

namespace anml {
namespace {

// A string, or a list of them; "" where an error was reported.
std::string lines_of(const Value& value)
{
    if (const auto* text = value.as<std::string>()) return *text;
    std::string lines;
    if (const auto* list = value.as<std::shared_ptr<const ListValue>>())
        for (const Value& line : **list)
            if (const auto* text = line.as<std::string>()) lines.append(lines.empty() ? "" : "\n").append(*text);
    return lines;
}

// Of a list, or the one that stands for it.
RecordList records_of(Elaboration& in, const Value& values)
{
    RecordList records;
    if (const SchemaValue* one = values.schema()) records.push_back(record_of(in, *one));
    if (const auto* many = values.as<std::shared_ptr<const ListValue>>())
        for (const Value& v : **many) records.push_back(record_of(in, *v.schema()));
    return records;
}

// Nodes, or a list of prefixes or the one that stands for it. Nodes that have no address are an error. Where
// nobody is named it is anybody; a selection of none is nobody.
RecordRanges ranges_of(const Network& network, ReportOnce& report, const Value& value, Span span)
{
    RecordRanges ranges;
    const auto add = [&](const Value& v) {
        const auto* prefix = v.as<PrefixValue>();
        if (!prefix) return;
        if (prefix->ipv6) {
            ranges.push_back({abi::kNone, 0, 0, prefix->bits, prefix->length});
            return;
        }
        const std::uint32_t rest = prefix->length == 0 ? 0xffffffffu : (1u << (32 - prefix->length)) - 1;
        const auto first = static_cast<std::uint32_t>(prefix->bits);
        ranges.push_back({abi::kNone, first, first | rest});
    };
    add(value);
    if (const auto* list = value.as<std::shared_ptr<const ListValue>>())
        for (const Value& v : **list) add(v);
    const auto* nodes = value.as<NodeSet>();
    if (!nodes) return ranges;
    if (nodes->unnamed && nodes->empty()) return {kAnybody};
    for (const TargetRange& range : *nodes) {
        const NodeArray& group = network.nodes[range.row.value];
        if (group.kind == abi::NodeKind::switch_) {
            report(Diag::type_mismatch, span, fmt::format("`{}` is a switch, which has no address", group.name))
                .help("name the hosts, routers and endpoints behind it");
            return {};
        }
        if (range.count != 0) ranges.push_back({range.row.value, range.first, range.first + range.count - 1});
    }
    return ranges;
}

}  // namespace

// That of the schema, or of what it extends; kNone: it has none.
std::uint32_t layout_of(Elaboration& in, SchemaId schema)
{
    if (!schema) return abi::kNone;
    if (in.layouts.empty()) in.layouts.resize(in.program.schemas.size());
    auto& known = in.layouts[schema.value];
    if (known) return *known;
    known = abi::kNone;
    for (std::uint32_t i = 0; i < abi::kRecordLayouts; ++i)
        if (abi::record_layout(i).schema == in.program.schema(schema).full_name) known = i;
    if (const SchemaId base = in.program.schema(schema).base; *known == abi::kNone && base) known = layout_of(in, base);
    return *known;
}

std::uint32_t record_of(Elaboration& in, const SchemaValue& value, const ComputedNumbers& computed)
{
    const std::uint32_t layout = layout_of(in, value.schema);
    if (layout == abi::kNone) return layout;
    RecordInfo values = record_values(in, layout, value, computed);
    const std::size_t known = in.network.records.size();
    const std::uint32_t record = shared_record(in, std::move(values));
    if (in.network.records.size() != known)
        shaped_classes(in.network, in.report, in.network.records[record], value.span);
    return record;
}

RecordInfo record_values(Elaboration& in, std::uint32_t layout, const SchemaValue& value,
                         const ComputedNumbers& computed)
{
    RecordInfo record{layout, {}};
    for (const abi::RecordField& field : abi::record_layout(layout).fields) {
        if (const auto known = computed.find(field.name); known != computed.end() && abi::is_random(field.kind))
            record.values.emplace_back(DistributionValue{abi::DistributionKind::constant, known->second, 0});
        else if (known != computed.end())
            record.values.emplace_back(known->second);
        else if (abi::is_optional(field.kind) && attribute_of(in.program, value, field.name).absent())
            record.values.emplace_back(std::monostate());
        else if (abi::is_text(field.kind))
            record.values.emplace_back(lines_of(attribute_of(in.program, value, field.name)));
        else if (abi::is_file(field.kind))
            record.values.emplace_back(file_of(in, value, field));
        else if (field.kind == abi::FieldKind::choice)
            record.values.emplace_back(
                RecordChoice{attribute_of(in.program, value, field.name).as<EnumValue>()->ordinal});
        else if (field.kind == abi::FieldKind::records)
            record.values.emplace_back(records_of(in, attribute_of(in.program, value, field.name)));
        else if (abi::is_addresses(field.kind))
            record.values.emplace_back(
                ranges_of(in.network, in.report, attribute_of(in.program, value, field.name), value.span));
        else if (abi::is_random(field.kind))
            record.values.emplace_back(distribution_of(in.network.values, in.program, value, field.name));
        else
            record.values.emplace_back(number_of(in.program, value, field.name));
    }
    return record;
}

std::uint32_t shared_record(Elaboration& in, RecordInfo record)
{
    const auto [known, fresh] = in.records.try_emplace(record, static_cast<std::uint32_t>(in.network.records.size()));
    if (fresh) in.network.records.push_back(std::move(record));
    return known->second;
}

const RecordValue* find_value(const RecordInfo& record, std::string_view name)
{
    const abi::RecordLayout layout = abi::record_layout(record.layout);
    const abi::RecordField* field = abi::find_field(layout, name);
    return field ? &record.values[static_cast<std::size_t>(field - layout.fields.data())] : nullptr;
}

RecordValue* find_value(RecordInfo& record, std::string_view name)
{ return const_cast<RecordValue*>(find_value(std::as_const(record), name)); }

ValueExprId record_number(const RecordInfo& record, std::string_view name)
{ return std::get<ValueExprId>(*find_value(record, name)); }

const DistributionValue& record_draw(const RecordInfo& record, std::string_view name)
{ return std::get<DistributionValue>(*find_value(record, name)); }

std::uint32_t record_index(const Network& network, const TimelineInfo& change)
{ return static_cast<std::uint32_t>(network.values.as_constant(change.value).value_or(0)); }

}  // namespace anml

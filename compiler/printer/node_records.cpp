// What nodes do besides: records by the profiles that take all of their attributes, since a declared one could not name
// nodes; addresses as the nodes that have them, or as prefixes.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/address.h"
#include "base/record_fields.h"
#include "printer/names.h"
#include "printer/program_writer.h"

namespace anml {

bool has_addresses(const RecordInfo& record)
{
    return std::any_of(record.values.begin(), record.values.end(),
                       [](const RecordValue& v) { return std::holds_alternative<RecordRanges>(v); }) ||
           is_a(record, abi::RecordSchema::firewall_rule);
}

bool is_nobodys(const RecordInfo& record)
{
    return std::any_of(record.values.begin(), record.values.end(), [](const RecordValue& v) {
        const auto* ranges = std::get_if<RecordRanges>(&v);
        return ranges && ranges->empty();
    });
}

std::string called(ProgramWriter& in, const RecordInfo& record)
{
    AttributeList list;
    if (is_a(record, abi::RecordSchema::firewall_rule)) {  // which has three, by what they do
        constexpr const char* kNames[] = {"allow", "deny", "reject"};
        add_record(in, list, record, "action");
        const auto& action = std::get<RecordChoice>(*find_value(record, "action"));
        return fmt::format("{}.{}({})", module(in, "middlebox"), kNames[action.ordinal], list.text());
    }
    add_record(in, list, record);
    if (is_a(record, abi::RecordSchema::buffer)) return fmt::format("shared_buffer({})", list.text());
    return fmt::format("{}({})", profile_name(schema_name(in, abi::record_layout(record.layout).schema)), list.text());
}

std::string addresses_text(const ProgramWriter& in, const RecordRanges& ranges)
{
    std::vector<TargetRange> nodes;
    std::string prefixes;
    for (const RecordRange& range : ranges) {
        if (range.row == abi::kNone)
            prefixes +=
                (prefixes.empty() ? "" : ", ") +
                (range.is_prefix() ? format_prefix(range.bits, range.length, true)
                                   : format_prefix(range.first, std::countl_zero(range.first ^ range.last), false));
        else
            nodes.push_back({NodeRowId{range.row}, range.first, range.last - range.first + 1});
    }
    return nodes.empty() ? fmt::format("[{}]", prefixes) : in.selection(nodes);
}

}  // namespace anml

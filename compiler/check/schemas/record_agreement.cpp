#include "check/schemas/record_agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/record_fields.h"
#include "runtime/abi/timeline.h"

namespace anml {
namespace {

bool has_layout(std::string_view schema)
{
    for (std::uint32_t i = 0; i < abi::kRecordLayouts; ++i)
        if (abi::record_layout(i).schema == schema) return true;
    return false;
}

bool fits(const CheckedProgram& program, const Attribute& attribute, const abi::RecordField& field)
{
    const Type& type = attribute.type;
    const auto number = [&](Dimension dim) { return type.kind == TypeKind::number && type.dim == dim; };
    if (type.random != abi::is_random(field.kind) || (abi::is_optional(field.kind) && !attribute.optional))
        return false;
    switch (field.kind) {
        case abi::FieldKind::size:
        case abi::FieldKind::optional_size:
        case abi::FieldKind::random_size:
            return number(dimension::size);
        case abi::FieldKind::time:
        case abi::FieldKind::random_time:
            return number(dimension::time);
        case abi::FieldKind::rate:
            return number(dimension::rate);
        case abi::FieldKind::ratio:
        case abi::FieldKind::random_ratio:
            return number(dimension::none);
        case abi::FieldKind::count:
        case abi::FieldKind::random_count:
            return type.kind == TypeKind::integer;
        case abi::FieldKind::truth:
            return type.kind == TypeKind::boolean;
        case abi::FieldKind::records:
            return type.list && type.kind == TypeKind::schema && has_layout(program.schemas[type.ref].full_name);
        case abi::FieldKind::addresses:
            return (type.kind == TypeKind::node && type.many) || (type.kind == TypeKind::prefix && type.list);
        case abi::FieldKind::text:
        case abi::FieldKind::optional_text:
        case abi::FieldKind::optional_texts:
            return type.kind == TypeKind::string && type.list == (field.kind == abi::FieldKind::optional_texts);
        case abi::FieldKind::document_list:
        case abi::FieldKind::optional_times:
        case abi::FieldKind::optional_log:
            return type.kind == TypeKind::file && !type.list;
        case abi::FieldKind::choice:
            return type.kind == TypeKind::enumeration && program.enums[type.ref].name == field.enumeration &&
                   fmt::format("{}", fmt::join(program.enums[type.ref].values, ", ")) == field.values;
    }
    return false;
}

// What the compiler reads itself: of a workload or server whom it talks to and about what, and what other attributes
// follow from; of a link all but what it does to packets.
bool is_structural(const abi::RecordLayout& layout, const Attribute& a)
{
    static const std::set<std::string_view> kOfWorkloads{"dscp", "family", "offered", "pairing", "pick",
                                                         "path", "port",   "rate",    "start_spread"};
#define ANML_LINK_NUMBER(name, ...) #name,
#define ANML_LINK_TRUTH(name, ...) #name,
    static const std::set<std::string_view> kOfLinks{
#include "base/link_attributes.def"
        "rate", "delay", "mtu", "overhead", "relation"};
    return a.type.kind == TypeKind::node || a.type.kind == TypeKind::schema ||
           (layout.schema == abi::kImpairment.schema ? kOfLinks : kOfWorkloads).contains(a.name);
}

bool takes(const CheckedProgram& program, std::string_view profile, std::string_view parameter)
{
    const auto has_it = [&](const Parameter& p) { return p.name == parameter; };
    return std::any_of(program.profiles.begin(), program.profiles.end(), [&](const Profile& p) {
        return p.full_name == profile && std::any_of(p.parameters.begin(), p.parameters.end(), has_it);
    });
}

}  // namespace

std::vector<std::string> modules_with_records()
{
    std::set<std::string> modules;
    for (std::uint32_t i = 0; i < abi::kRecordLayouts; ++i) {
        const std::string_view schema = abi::record_layout(i).schema;
        modules.emplace(schema.substr(0, schema.rfind('.')));
    }
    return {modules.begin(), modules.end()};
}

std::vector<std::string> record_disagreements(const CheckedProgram& program)
{
    std::vector<std::string> found;
    for (std::uint32_t i = 0; i < abi::kRecordLayouts; ++i) {
        const abi::RecordLayout layout = abi::record_layout(i);
        const SchemaId id = program.find_schema(layout.schema);
        if (!id) {
            found.push_back(fmt::format("{}.def: the library has no schema `{}`", layout.name, layout.schema));
            continue;
        }
        const Schema& schema = program.schema(id);
        for (const abi::RecordField& field : layout.fields) {
            const auto a = std::find_if(schema.attributes.begin(), schema.attributes.end(),
                                        [&](const Attribute& attribute) { return attribute.name == field.name; });
            if (a == schema.attributes.end() || !fits(program, *a, field))
                found.push_back(fmt::format("{}.def: `{}` of `{}` is no attribute of that kind, or has other values",
                                            layout.name, field.name, layout.schema));
        }
        const std::size_t inherited = schema.base ? program.schema(schema.base).attributes.size() : 0;
        for (std::size_t index = inherited; index < schema.attributes.size(); ++index) {
            const Attribute& a = schema.attributes[index];
            const auto reads = [&](const abi::RecordField& field) { return field.name == a.name; };
            if (is_structural(layout, a) || std::any_of(layout.fields.begin(), layout.fields.end(), reads)) continue;
            found.push_back(
                fmt::format("{}.def: nothing reads the attribute `{}` of `{}`", layout.name, a.name, layout.schema));
        }
        for (const Attribute& a : schema.attributes)
            if (abi::is_server(layout) && !takes(program, "std." + profile_name(layout.schema), a.name))
                found.push_back(fmt::format("{}: the library has no profile of this name with a parameter `{}`",
                                            profile_name(layout.schema), a.name));
    }
    return found;
}

}  // namespace anml

#include "report/describe_draws.h"

#include <fmt/format.h>

#include "net/model.h"
#include "net/record.h"
#include "report/quantity.h"

namespace anml::rt {

std::string describe_distribution(const Model& model, const abi::Distribution& distribution, abi::Unit unit)
{
    const auto a = [&] { return format_quantity(model.value(distribution.a), unit); };
    switch (distribution.kind) {
        case abi::DistributionKind::constant:
            return a();
        case abi::DistributionKind::uniform:
            return fmt::format("uniform in {} .. {}", a(), format_quantity(model.value(distribution.b), unit));
        case abi::DistributionKind::exponential:
            return fmt::format("exponential with mean {}", a());
        case abi::DistributionKind::computed:
            break;
    }
    return "drawn from an expression";
}

// Lines behind each other.
static std::string in_one_line(std::string_view lines)
{
    std::string text;
    for (const char c : lines) text += c == '\n' ? std::string("; ") : std::string(1, c);
    return text;
}

std::string describe_values(const Model& model, std::uint32_t record)
{
    std::string text;
    each_field(model.image(), record, [&](const abi::RecordField& field, const std::uint32_t* words) {
        if (field.kind == abi::FieldKind::records) {
            if (const std::uint32_t count = abi::records_at(words).count)
                text += fmt::format("{}{} of {}", text.empty() ? "" : ", ", field.name, count);
            return;
        }
        if (abi::is_addresses(field.kind)) return;  // too many to show
        const bool number = abi::is_number(field.kind) && field.kind != abi::FieldKind::truth;
        if (abi::is_optional(field.kind) && words[0] == abi::kNone) return;
        if (field.kind == abi::FieldKind::text && model.text(words[0]).empty()) return;
        if (number && model.value(words[0]) == 0) return;  // there is none of it
        text += fmt::format("{}{} ", text.empty() ? "" : ", ", field.name);
        if (abi::is_random(field.kind))
            text += describe_distribution(model, abi::distribution_at(words), abi::unit_of(field.kind));
        else if (field.kind == abi::FieldKind::choice)
            text += abi::choice_name(field, words[0]);
        else if (abi::is_file(field.kind))
            text += model.text(model.image().files[words[0]].name);
        else if (abi::is_text(field.kind))
            text += in_one_line(model.text(words[0]));
        else if (field.kind == abi::FieldKind::truth)
            text += model.value(words[0]) != 0 ? "true" : "false";
        else
            text += format_quantity(model.value(words[0]), abi::unit_of(field.kind));
    });
    return text;
}

std::string describe_record(const Model& model, std::uint32_t record)
{
    if (record == abi::kNone) return "";
    const std::string text = describe_values(model, record);
    const std::string_view name = abi::record_layout(model.image().records[record].schema).name;
    return fmt::format("{}{}{}", name, text.empty() ? "" : ": ", text);
}

std::string_view schema_name(const abi::Image& image, std::uint32_t record)
{
    constexpr std::string_view kLibrary = "std.";
    return abi::record_layout(abi::schema_of(image, record)).schema.substr(kLibrary.size());
}

std::string describe_impairment(const Model& model, std::uint32_t impairment)
{
    if (impairment == abi::kNone) return "";
    std::string text;
    each_field(model.image(), impairment, [&](const abi::RecordField& field, const std::uint32_t* words) {
        if (!abi::is_random(field.kind) || field.name == "reorder_delay") return;  // how, not what
        const abi::Distribution d = abi::distribution_at(words);
        if (d.kind == abi::DistributionKind::constant && model.value(d.a) == 0) return;
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field.name,
                            describe_distribution(model, d, abi::unit_of(field.kind)));
    });
    return text;
}

}  // namespace anml::rt

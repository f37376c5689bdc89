#include "entry/options/tunables.h"

#include <fmt/format.h>

#include <cmath>

#include "entry/tools/suggestion.h"
#include "net/model.h"
#include "report/quantity.h"

namespace anml::rt::entry {

namespace {

std::string_view text(const abi::Image& image, abi::StringRef ref) { return image.strings + ref; }

std::span<const abi::ParameterRow> parameters(const abi::Image& image)
{
    return {image.parameters, image.parameter_count};
}

const abi::ParameterRow* find_parameter(const abi::Image& image, std::string_view name)
{
    for (const abi::ParameterRow& row : parameters(image)) {
        if (text(image, row.name) == name) return &row;
    }
    return nullptr;
}

std::string unknown_tunable(const abi::Image& image, std::string_view name)
{
    std::vector<std::string> known;
    for (const abi::ParameterRow& row : parameters(image)) {
        if (row.tunable != abi::kNone) known.emplace_back(text(image, row.name));
    }
    if (known.empty()) return fmt::format("--set {}: this model has no tunables", name);
    return fmt::format("--set {}: no such tunable{}", name, suggestion(name, known));
}

}  // namespace

std::string apply_setting(const abi::Image& image, const std::string& setting, std::vector<double>& values)
{
    std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        return fmt::format("--set {}: write it as NAME=VALUE", setting);
    }
    std::string name = setting.substr(0, equals);
    const abi::ParameterRow* row = find_parameter(image, name);
    if (!row) return unknown_tunable(image, name);
    if (row->tunable == abi::kNone) {
        return fmt::format(
            "--set {0}: `{0}` was fixed when this emulator was compiled; compile the model again with -D {1}", name,
            setting);
    }
    std::string error;
    std::optional<double> value = parse_quantity(std::string_view(setting).substr(equals + 1), row->unit, error);
    if (!value) return fmt::format("--set {}: {}", name, error);
    if (*value < row->minimum || *value > row->maximum) {
        return fmt::format("--set {}: {} is outside {} .. {}", name, format_quantity(*value, row->unit),
                           format_quantity(row->minimum, row->unit), format_quantity(row->maximum, row->unit));
    }
    values[row->tunable] = *value;
    return "";
}

std::optional<std::vector<double>> bind_tunables(const abi::Image& image, std::span<const std::string> settings,
                                                 std::string& error)
{
    std::vector<double> values(image.tunable_count);
    for (const abi::ParameterRow& row : parameters(image)) {
        if (row.tunable != abi::kNone) values[row.tunable] = row.value;
    }
    for (const std::string& setting : settings) {
        error = apply_setting(image, setting, values);
        if (!error.empty()) return std::nullopt;
    }
    return values;
}

std::vector<RunInfo::Parameter> parameters_of(const abi::Image& image, std::span<const double> tunables)
{
    std::vector<RunInfo::Parameter> result;
    for (const abi::ParameterRow& row : parameters(image)) {
        bool tunable = row.tunable != abi::kNone;
        double value = tunable ? tunables[row.tunable] : row.value;
        const bool word = row.word != abi::kNone;
        result.push_back({std::string(text(image, row.name)), word ? std::string(text(image, row.word)) : format_quantity(value, row.unit),
                          word ? std::nan("") : value, tunable});
    }
    return result;
}

std::vector<std::string> violated_requirements(const Model& model, std::span<const RunInfo::Parameter> parameters)
{
    const std::string tunables = describe_tunables(parameters);
    std::vector<std::string> messages;
    const abi::Image& image = model.image();
    for (std::uint32_t i = 0; i < image.requirement_count; ++i) {
        const abi::RequirementRow& row = image.requirements[i];
        if (model.value(row.holds) == 0) {
            messages.push_back(fmt::format("{}: a requirement does not hold{}{}: {}", model.text(row.where),
                                           tunables.empty() ? "" : " with ", tunables, model.text(row.message)));
        }
    }
    return messages;
}

}  // namespace anml::rt::entry

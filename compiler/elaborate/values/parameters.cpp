// The model's parameters: -D or default, in their ranges; tunables that -D doesn't fix stay open.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "elaborate/elaborator.h"

namespace anml {

void Elaborator::unknown_defines(const Component& model)
{
    std::vector<std::string_view> candidates;
    for (const Parameter& p : model.parameters) candidates.push_back(p.name);
    for (const auto& [name, value] : options_.defines) {
        bool known = false;
        for (std::string_view candidate : candidates) known = known || candidate == name;
        if (known) continue;
        auto message = report(Diag::unknown_parameter, {},
                              fmt::format("-D {}: the model `{}` has no such parameter", name, model.name));
        if (!diagnostics_.suggests()) continue;
        if (const auto similar = similar_name(name, candidates); !similar.empty()) {
            message.help(fmt::format("there is `{}`", similar));
        } else if (!candidates.empty()) {
            std::string names;
            for (std::string_view c : candidates) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", c);
            message.help(fmt::format("it has {}", names));
        }
    }
}

void Elaborator::model_parameters(const Component& model)
{
    unknown_defines(model);
    Frame& frame = frames_.front();
    for (const Parameter& p : model.parameters) {
        const ExprId given = p.defined ? p.defined : p.fallback;
        Value value{Failed{}};
        if (given) {
            value = evaluate(given, frame);
        } else {
            report(Diag::missing_parameter, p.span, fmt::format("the parameter `{}` has no default", p.name))
                .help(fmt::format("set it when compiling: -D {}=...", p.name));
        }
        const Span place = given ? program_.expr(given).span : p.span;
        if (value.failed() || !check_range(value, p.range, p.type, p.name, place, p.span, frame)) {
            frame.slots[p.slot] = {Failed{}};
        } else if (p.tunable && !p.defined) {  // -D fixes it
            tunable(p, std::move(value), frame);
        } else {
            show_parameter(p, value, abi::kNone);
            frame.slots[p.slot] = std::move(value);
        }
    }
}

ValuePool::Interval Elaborator::constant_range(const ValueRange& range, Frame& frame)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ValuePool::Interval result{-kInfinity, kInfinity};
    if (!range.low) return result;
    const auto low = number(range.low, frame), high = number(range.high, frame);
    if (!low || !high) return result;
    result.low = network_.values.evaluate(*low, tunable_defaults_);
    result.high = network_.values.evaluate(*high, tunable_defaults_);
    return result;
}

void Elaborator::tunable(const Parameter& p, Value value, Frame& frame)
{
    ValuePool& pool = network_.values;
    const ValueExprId id = *number_in(value);
    const auto fallback = pool.as_constant(id);
    if (!fallback) {
        report(Diag::misplaced_tunable, program_.expr(p.fallback).span,
               fmt::format("the default of the tunable `{}` depends on another tunable", p.name))
            .also(network_.tunables[tunables_in(id).front()].span, "declared tunable here");
        frame.slots[p.slot] = {Failed{}};
        return;
    }
    TunableInfo info;
    info.name = p.name;
    info.doc = p.doc;
    info.dim = p.type.dim;
    info.integer = p.type.kind == TypeKind::integer;
    info.value = *fallback;
    info.span = p.span;
    const auto limits = constant_range(p.range, frame);
    info.minimum = limits.low;
    info.maximum = limits.high;
    if (p.range.half_open) info.maximum = info.integer ? limits.high - 1 : std::nextafter(limits.high, limits.low);
    const auto index = static_cast<std::uint32_t>(network_.tunables.size());
    tunable_ranges_.push_back({info.minimum, info.maximum});
    tunable_defaults_.push_back(info.value);
    show_parameter(p, value, index);
    network_.parameters.back().minimum = info.minimum;
    network_.parameters.back().maximum = info.maximum;
    network_.tunables.push_back(std::move(info));
    frame.slots[p.slot] = {Number{pool.tunable(index)}};
}

// What can be said in a word: no profiles and lists.
void Elaborator::show_parameter(const Parameter& p, const Value& value, std::uint32_t tunable)
{
    ParameterInfo info;
    info.name = p.name;
    info.doc = p.doc;
    if (const auto* text = value.as<std::string>()) info.word = *text;
    if (const auto* one = value.as<EnumValue>()) info.word = program_.enums[p.type.ref].values[one->ordinal];
    if (info.word) return network_.parameters.push_back(std::move(info));
    if (!value.as<Number>() && !value.as<TraceValue>()) return;
    info.dim = p.type.dim;
    info.integer = p.type.kind != TypeKind::number;
    info.value = network_.values.evaluate(*number_in(value), tunable_defaults_);
    const auto limits = constant_range(p.range, frames_.front());
    info.minimum = limits.low;
    info.maximum = limits.high;
    if (p.type.kind == TypeKind::boolean) {
        info.minimum = 0, info.maximum = 1;
        info.word = info.value != 0 ? "true" : "false";
    }
    info.tunable = tunable;
    network_.parameters.push_back(std::move(info));
}

}  // namespace anml

// The model's parameters: -D or default, in their ranges; tunables that -D doesn't fix stay open.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "elaborate/schemas/schema_values.h"

namespace anml {
namespace {

void unknown_defines(Elaboration& in, const Component& model)
{
    std::vector<std::string_view> candidates;
    for (const Parameter& p : model.parameters) candidates.push_back(p.name);
    for (const auto& [name, value] : in.options.defines) {
        bool known = false;
        for (std::string_view candidate : candidates) known = known || candidate == name;
        if (known) continue;
        auto message = in.report(Diag::unknown_parameter, {},
                                 fmt::format("-D {}: the model `{}` has no such parameter", name, model.name));
        if (!in.report.diagnostics.suggests()) continue;
        if (const auto similar = similar_name(name, candidates); !similar.empty()) {
            message.help(fmt::format("there is `{}`", similar));
        } else if (!candidates.empty()) {
            std::string names;
            for (std::string_view c : candidates) names += fmt::format("{}`{}`", names.empty() ? "" : ", ", c);
            message.help(fmt::format("it has {}", names));
        }
    }
}

ValuePool::Interval constant_range(Elaboration& in, const ValueRange& range, Frame& frame)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ValuePool::Interval result{-kInfinity, kInfinity};
    if (!range.low) return result;
    const auto low = number(in, range.low, frame), high = number(in, range.high, frame);
    if (!low || !high) return result;
    result.low = in.network.values.evaluate(*low, in.tunable_defaults);
    result.high = in.network.values.evaluate(*high, in.tunable_defaults);
    return result;
}

// What can be said in a word: no profiles and lists.
void show_parameter(Elaboration& in, const Parameter& p, const Value& value, std::uint32_t tunable)
{
    ParameterInfo info;
    info.name = p.name;
    info.doc = p.doc;
    if (const auto* text = value.as<std::string>()) info.word = *text;
    if (const auto* one = value.as<EnumValue>()) info.word = in.program.enums[p.type.ref].values[one->ordinal];
    if (info.word) return in.network.parameters.push_back(std::move(info));
    if (!value.as<Number>() && !value.as<TraceValue>()) return;
    info.dim = p.type.dim;
    info.integer = p.type.kind != TypeKind::number;
    info.value = in.network.values.evaluate(*number_in(in.network.values, value), in.tunable_defaults);
    const auto limits = constant_range(in, p.range, in.frames.front());
    info.minimum = limits.low;
    info.maximum = limits.high;
    if (p.type.kind == TypeKind::boolean) {
        info.minimum = 0, info.maximum = 1;
        info.word = info.value != 0 ? "true" : "false";
    }
    info.tunable = tunable;
    in.network.parameters.push_back(std::move(info));
}

void tunable(Elaboration& in, const Parameter& p, Value value, Frame& frame)
{
    ValuePool& pool = in.network.values;
    const ValueExprId id = *number_in(in.network.values, value);
    const auto fallback = pool.as_constant(id);
    if (!fallback) {
        in.report(Diag::misplaced_tunable, in.program.expr(p.fallback).span,
                  fmt::format("the default of the tunable `{}` depends on another tunable", p.name))
            .also(in.network.tunables[tunables_in(in.network.values, id).front()].span, "declared tunable here");
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
    const auto limits = constant_range(in, p.range, frame);
    info.minimum = limits.low;
    info.maximum = limits.high;
    if (p.range.half_open) info.maximum = info.integer ? limits.high - 1 : std::nextafter(limits.high, limits.low);
    const auto index = static_cast<std::uint32_t>(in.network.tunables.size());
    in.tunable_ranges.push_back({info.minimum, info.maximum});
    in.tunable_defaults.push_back(info.value);
    show_parameter(in, p, value, index);
    in.network.parameters.back().minimum = info.minimum;
    in.network.parameters.back().maximum = info.maximum;
    in.network.tunables.push_back(std::move(info));
    frame.slots[p.slot] = {Number{pool.tunable(index)}};
}

}  // namespace

void model_parameters(Elaboration& in, const Component& model)
{
    unknown_defines(in, model);
    Frame& frame = in.frames.front();
    for (const Parameter& p : model.parameters) {
        const ExprId given = p.defined ? p.defined : p.fallback;
        Value value{Failed{}};
        if (given) {
            value = evaluate(in, given, frame);
        } else {
            in.report(Diag::missing_parameter, p.span, fmt::format("the parameter `{}` has no default", p.name))
                .help(fmt::format("set it when compiling: -D {}=...", p.name));
        }
        const Span place = given ? in.program.expr(given).span : p.span;
        if (value.failed() || !check_range(in, value, p.range, p.type, p.name, place, p.span, frame)) {
            frame.slots[p.slot] = {Failed{}};
        } else if (p.tunable && !p.defined) {  // -D fixes it
            tunable(in, p, std::move(value), frame);
        } else {
            show_parameter(in, p, value, abi::kNone);
            frame.slots[p.slot] = std::move(value);
        }
    }
}

}  // namespace anml

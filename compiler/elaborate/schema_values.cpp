// Values of schemas: attributes given, taken over from a profile, or by default; their ranges and requirements.
#include <fmt/format.h>

#include <algorithm>

#include "elaborate/elaborator.h"

namespace anml {

std::shared_ptr<const SchemaValue> Elaborator::schema_value(SchemaId schema, const std::vector<AttributeValue>& given,
                                                            Frame& frame, const SchemaValue* base, Span span,
                                                            std::string_view what)
{
    if (base) schema = base->schema;  // the profile's may extend what the place wants
    auto up = directed_value(schema, given, frame, base, span, what, LinkDirection::up);
    const bool apart = std::any_of(given.begin(), given.end(),
                                   [](const AttributeValue& v) { return v.direction != LinkDirection::both; });
    if (!apart && !(base && base->down)) return up;
    const SchemaValue* below = base ? &base->downwards() : nullptr;
    auto down = directed_value(schema, given, frame, below, span, what, LinkDirection::down);
    if (!up || !down) return nullptr;
    auto both = std::make_shared<SchemaValue>(*up);
    both->down = std::move(down);
    return both;
}

std::shared_ptr<const SchemaValue> Elaborator::directed_value(SchemaId schema_id,
                                                              const std::vector<AttributeValue>& given, Frame& frame,
                                                              const SchemaValue* base, Span span, std::string_view what,
                                                              LinkDirection direction)
{
    const Schema& schema = program_.schema(schema_id);
    Construct construct{schema_id, &given, base, &frame, direction, {}, {}, span};
    construct.states.resize(schema.attributes.size());
    construct.values.resize(schema.attributes.size());
    bool fine = true;
    for (std::uint32_t i = 0; i < schema.attributes.size(); ++i) fine = !attribute(construct, i).failed() && fine;
    if (!fine) return nullptr;

    Construct* outer = std::exchange(construct_, &construct);
    Frame none;
    for (const SchemaRequirement& r : schema.requirements) {
        const auto holds = number(r.require.condition, none);
        if (!holds) continue;
        if (network_.values.as_constant(*holds) == 0.0) {
            fine = false;
            report(Diag::requirement_failed, span, r.require.message)
                .also(r.span, fmt::format("`{}` requires it here", schema.name))
                .label(std::string(what));
        }
        require(*holds, r.require.message, span);
    }
    construct_ = outer;
    if (!fine) return nullptr;
    auto result = std::make_shared<SchemaValue>();
    result->schema = schema_id;
    result->attributes = std::move(construct.values);
    result->span = span;
    return result;
}

Value Elaborator::attribute(Construct& construct, std::uint32_t index)
{
    using State = Construct::State;
    State& state = construct.states[index];
    if (state == State::done) return construct.values[index];
    const Attribute& declared = program_.schema(construct.schema).attributes[index];
    const auto given_for = [&](LinkDirection direction) {
        return std::find_if(construct.given->begin(), construct.given->end(),
                            [&](const AttributeValue& v) { return v.attribute == index && v.direction == direction; });
    };
    auto given = given_for(construct.direction);
    if (given == construct.given->end()) given = given_for(LinkDirection::both);
    const Span place = given != construct.given->end() ? given->span : construct.span;
    if (state == State::active) {
        report(Diag::attribute_cycle, place, fmt::format("`{}` is computed from itself", declared.name))
            .also(declared.span, "declared here");
        return {Failed{}};
    }
    state = State::active;
    Construct* outer = std::exchange(construct_, &construct);
    Frame none;
    Value v{Absent{}};
    Span value_place = place;
    bool fits = false;  // where the range was looked at before: by the checker, or when the profile was made
    if (given != construct.given->end()) {
        v = evaluate(given->value, *construct.frame);
        value_place = program_.expr(given->value).span;
    } else if (construct.base && index < construct.base->attributes.size()) {
        v = construct.base->attributes[index];
        fits = true;
    } else if (declared.fallback) {
        v = evaluate(declared.fallback, none);
        fits = program_.expr(declared.fallback).kind == ExprKind::number;
    }
    if (!fits && !v.failed()) {
        if (check_range(v, declared.range, declared.type, declared.name, value_place, declared.span, none))
            v = within(v, declared.range, none, value_place);
        else
            v = {Failed{}};
    }
    if (v.absent() && !declared.optional) v = {Failed{}};
    construct_ = outer;
    construct.values[index] = v;
    state = State::done;
    return v;
}

Value Elaborator::profile(const Expr& e, Frame& frame)
{
    const Profile& p = program_.profile(ProfileId{e.index});
    Frame own;
    own.slots.resize(p.slot_count);
    Frame& inner = p.owner ? frame : own;
    const std::size_t before = diagnostics_.errors() + muted_.errors();
    bind_parameters(p.parameters, program_.operands_of(e), frame, inner, e.span);
    if (diagnostics_.errors() + muted_.errors() != before) return {Failed{}};
    Construct* outer = std::exchange(construct_, nullptr);
    auto value = schema_value(p.schema, p.attributes, inner, nullptr, e.span, fmt::format("`{}`", p.name));
    construct_ = outer;
    if (!value) return {Failed{}};
    return {std::move(value)};
}

void Elaborator::bind_parameters(const std::vector<Parameter>& parameters, std::span<const ExprId> arguments,
                                 Frame& outer, Frame& inner, Span span)
{
    std::vector<Value> values(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (arguments[i]) values[i] = evaluate(arguments[i], outer);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& p = parameters[i];
        if (!arguments[i] && p.fallback) values[i] = evaluate(p.fallback, inner);
        inner.slots[p.slot] = values[i];
        const Span place = arguments[i] ? program_.expr(arguments[i]).span : span;
        if (!values[i].failed()) check_range(values[i], p.range, p.type, p.name, place, p.span, inner);
    }
}

bool Elaborator::check_range(const Value& value, const Limits& range, const Type& type, std::string_view name,
                             Span span, Span declared, Frame& frame, std::string note)
{
    if (!check_limits(value, range, name, span, declared)) return false;
    if (!range.low) return true;
    std::vector<ValueExprId> checked_values;
    if (const Number* n = value.as<Number>()) checked_values.push_back(n->id);
    if (const TraceValue* trace = value.as<TraceValue>()) checked_values.push_back(trace->mean);
    const DistributionValue* d = value.as<DistributionValue>();
    if (d && d->kind != abi::DistributionKind::computed) {
        checked_values.push_back(d->a);
        if (d->kind == abi::DistributionKind::uniform) checked_values.push_back(d->b);
    }
    const bool computed = d && d->kind == abi::DistributionKind::computed;
    if (checked_values.empty() && !computed) return true;
    const auto low = number(range.low, frame), high = number(range.high, frame);
    if (!low || !high) return false;
    ValuePool& pool = network_.values;
    const auto show = [&](ValueExprId id) { return format_quantity(pool.evaluate(id, tunable_defaults_), type.dim); };
    if (computed) {
        const std::string limits = fmt::format("{} {} {}", show(*low), range.half_open ? "..<" : "..", show(*high));
        return check_random_range(*d, *low, *high, limits, type, name, span, declared);
    }
    for (ValueExprId v : checked_values) {
        for (std::uint32_t index : tunables_in(v)) {
            if (index < network_.tunables.size()) continue;
            report_shape(v, span, fmt::format("`{}`", name));
            return false;
        }
        const ValueExprId inside = pool.make(ValueOp::and_, pool.make(ValueOp::le, *low, v),
                                             pool.make(range.half_open ? ValueOp::lt : ValueOp::le, v, *high));
        const std::string limits = fmt::format("{} {} {}", show(*low), range.half_open ? "..<" : "..", show(*high));
        if (pool.evaluate(inside, tunable_defaults_) == 0) {
            auto message =
                report(Diag::out_of_range, span, fmt::format("`{}` is {}, outside {}", name, show(v), limits));
            if (declared != span) message.also(declared, "its range is declared here");
            if (!note.empty()) message.note(std::move(note));
            return false;
        }
        if (pool.bounds(inside, tunable_ranges_).low == 0)
            require(inside, fmt::format("`{}` is outside {}", path(name), limits), span);
    }
    return true;
}

void Elaborator::require(ValueExprId holds, std::string message, Span span)
{
    const auto c = network_.values.as_constant(holds);
    if (c && *c != 0) return;
    for (const RequirementInfo& r : network_.requirements)
        if (r.holds == holds && r.span == span) return;
    network_.requirements.push_back({holds, std::move(message), path_, span});
}

const Value& Elaborator::attribute_of(const SchemaValue& value, std::string_view name) const
{
    static const Value kAbsent{Absent{}};
    const Schema& schema = program_.schema(value.schema);
    for (std::size_t i = 0; i < schema.attributes.size(); ++i)
        if (schema.attributes[i].name == name) return value.attributes[i];
    return kAbsent;
}

ValueExprId Elaborator::number_of(const SchemaValue& value, std::string_view name) const
{
    const Value& v = attribute_of(value, name);
    if (const TraceValue* trace = v.as<TraceValue>()) return trace->mean;
    const Number* n = v.as<Number>();
    return n ? n->id : 0;
}

DistributionValue Elaborator::distribution_of(const SchemaValue& value, std::string_view name)
{
    const Value& v = attribute_of(value, name);
    if (const auto* d = v.as<DistributionValue>()) return *d;
    const Number* n = v.as<Number>();
    return {abi::DistributionKind::constant, n ? n->id : constant(0), 0};
}

}  // namespace anml

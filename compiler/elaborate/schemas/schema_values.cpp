// Values of schemas: attributes given, taken over from a profile, or by default; their ranges and requirements.
#include <fmt/format.h>

#include <algorithm>

#include "base/pattern.h"
#include "elaborate/elaborator.h"

namespace anml {

std::shared_ptr<const SchemaValue> Elaborator::schema_value(SchemaId schema, const std::vector<AttributeValue>& given,
                                                            Frame& frame, const SchemaValue* base, Span span,
                                                            std::string_view what)
{
    if (base) {
        if (!has_all(*base, schema, given, what)) return nullptr;
        schema = base->schema;  // the profile's may extend what the place knows of it
    }
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

// An override may have put a profile of another schema in the place of the one that the attributes were checked
// against.
bool Elaborator::has_all(const SchemaValue& base, SchemaId checked, const std::vector<AttributeValue>& given,
                         std::string_view what)
{
    if (base.schema == checked || given.empty() || program_.derives(base.schema, checked)) return true;
    const Schema &actual = program_.schema(base.schema), &known = program_.schema(checked);
    bool all = true;
    for (const AttributeValue& v : given) {
        const Attribute& wanted = known.attributes[v.attribute];
        if (v.attribute < actual.attributes.size() && actual.attributes[v.attribute].span == wanted.span) continue;
        all = false;
        report(Diag::unknown_attribute, v.span,
               fmt::format("{} has no attribute `{}`: its profile is of `{}`", what, wanted.name, actual.name))
            .also(base.span, "this override gives the profile")
            .help(fmt::format("override it by a profile of `{}`, or leave `{}` out", known.name, wanted.name));
    }
    return all;
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
        if (!holds || network_.values.as_constant(*holds).value_or(0) != 0) continue;
        const auto message = message_of(r.require, none);
        if (!message) continue;
        if (network_.values.as_constant(*holds) == 0.0) {
            fine = false;
            auto failed = report(Diag::requirement_failed, span, *message);
            failed.also(r.span, fmt::format("`{}` requires it here", schema.name)).label(std::string(what));
            note_sides(failed, r.require.condition, none);
        }
        require(*holds, *message, span, of_library(r.span));
    }
    construct_ = outer;
    if (!fine) return nullptr;
    auto result = std::make_shared<SchemaValue>();
    result->schema = schema_id;
    result->attributes = std::move(construct.values);
    result->span = span;
    result->definition = definition(schema, given, frame, base);
    return result;
}

// Kept only where an attribute asks for another.
std::shared_ptr<Definition> Elaborator::definition(const Schema& schema, const std::vector<AttributeValue>& given,
                                                   Frame& frame, const SchemaValue* base) const
{
    const bool asks = (base && base->definition) ||
                      std::any_of(given.begin(), given.end(), [](const AttributeValue& v) { return v.asks_self; }) ||
                      std::any_of(schema.attributes.begin(), schema.attributes.end(),
                                  [](const Attribute& a) { return a.fallback_asks_self; });
    if (!asks) return nullptr;
    auto result = std::make_shared<Definition>();
    result->given = &given;
    result->frame = &frame;
    if (base) result->base = base->definition;
    return result;
}

namespace {

const AttributeValue* find_given(const std::vector<AttributeValue>& given, std::uint32_t index, LinkDirection direction)
{
    const AttributeValue* both = nullptr;
    for (const AttributeValue& v : given) {
        if (v.attribute != index) continue;
        if (v.direction == direction) return &v;
        if (v.direction == LinkDirection::both) both = &v;
    }
    return both;
}

}  // namespace

// What a profile gave: again, where it is computed from attributes that are overridden now. `again` says that it was.
Value Elaborator::inherited(const Construct& construct, std::uint32_t index, bool& again)
{
    const Attribute& declared = program_.schema(construct.schema).attributes[index];
    for (const Definition* d = construct.base->definition.get(); d; d = d->base.get()) {
        const AttributeValue* given = find_given(*d->given, index, construct.direction);
        if (!given) continue;
        if (!given->asks_self) return construct.base->attributes[index];
        std::vector<std::pair<std::uint32_t, Value>> now;  // of the profile's parameters: another call's
        for (const auto& [slot, value] : d->parameters) {
            now.emplace_back(slot, d->frame->slots[slot]);
            d->frame->slots[slot] = value;
        }
        Value v = evaluate(given->value, *d->frame);
        for (auto& [slot, value] : now) d->frame->slots[slot] = std::move(value);
        again = true;
        return v;
    }
    if (!construct.base->definition || !declared.fallback_asks_self) return construct.base->attributes[index];
    again = true;
    Frame none;
    return evaluate(declared.fallback, none);
}

Value Elaborator::attribute(Construct& construct, std::uint32_t index)
{
    using State = Construct::State;
    State& state = construct.states[index];
    if (state == State::done) return construct.values[index];
    const Attribute& declared = program_.schema(construct.schema).attributes[index];
    const AttributeValue* given = find_given(*construct.given, index, construct.direction);
    const Span place = given ? given->span : construct.span;
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
    if (given) {
        v = evaluate(given->value, *construct.frame);
        value_place = program_.expr(given->value).span;
    } else if (construct.base && index < construct.base->attributes.size()) {
        bool again = false;
        v = inherited(construct, index, again);
        fits = !again;
    } else if (declared.fallback) {
        v = fallback(declared);
        fits = program_.expr(declared.fallback).kind == ExprKind::number;
    }
    if (!fits && !v.failed()) {
        if (check_range(v, declared.range, declared.type, declared.name, value_place, declared.span, none,
                        of_library(declared.span)))
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
    return profile_value(program_.profile(ProfileId{e.index}), program_.operands_of(e), frame, e.span);
}

Value Elaborator::profile_value(const Profile& p, std::span<const ExprId> arguments, Frame& frame, Span span)
{
    const auto own = std::make_shared<Frame>();
    if (!p.owner) own->slots.resize(p.slot_count);
    Frame& inner = p.owner ? frame : *own;
    const std::size_t before = diagnostics_.errors() + muted_.errors();
    const Span outer_use = leading_from(span);
    bind_parameters(p.parameters, arguments, frame, inner, span);
    std::shared_ptr<const SchemaValue> value;
    if (diagnostics_.errors() + muted_.errors() == before) {
        Construct* outer = std::exchange(construct_, nullptr);
        const Value base = p.base ? evaluate(p.base, inner) : Value{Absent{}};
        if (!base.failed())
            value = schema_value(p.schema, p.attributes, inner, base.schema(), span, fmt::format("`{}`", p.name));
        construct_ = outer;
    }
    led_from_ = outer_use;
    if (!value) return {Failed{}};
    for (const SchemaValue* one : {value.get(), &value->downwards()}) {
        if (!one->definition) continue;
        one->definition->own = own;
        one->definition->parameters.clear();
        for (const Parameter& parameter : p.parameters)
            if (p.owner) one->definition->parameters.emplace_back(parameter.slot, inner.slots[parameter.slot]);
    }
    return {std::move(value)};
}

void Elaborator::bind_parameters(const std::vector<Parameter>& parameters, std::span<const ExprId> arguments,
                                 Frame& outer, Frame& inner, Span span)
{
    std::vector<Argument> given(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (arguments[i]) given[i] = {evaluate(arguments[i], outer), program_.expr(arguments[i]).span};
    bind_values(parameters, std::move(given), inner, span);
}

void Elaborator::bind_values(const std::vector<Parameter>& parameters, std::vector<Argument> given, Frame& inner,
                             Span span)
{
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& p = parameters[i];
        if (!given[i].value) given[i] = {p.fallback ? evaluate(p.fallback, inner) : Value{}, span};
        inner.slots[p.slot] = *given[i].value;
        // A value outside its range decides no range behind it.
        if (!given[i].value->failed() &&
            !check_range(*given[i].value, p.range, p.type, p.name, given[i].place, p.span, inner))
            inner.slots[p.slot] = {Failed{}};
    }
}

bool Elaborator::check_range(const Value& value, const Limits& range, const Type& type, std::string_view name,
                             Span span, Span declared, Frame& frame, bool implied)
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
    const auto limits = [&] {
        return fmt::format("{} {} {}", show(*low), range.half_open ? "..<" : "..", show(*high));
    };
    if (computed) return check_random_range(*d, *low, *high, limits(), type, name, span, declared);
    for (ValueExprId v : checked_values) {
        const auto x = pool.as_constant(v), least = pool.as_constant(*low), most = pool.as_constant(*high);
        if (x && least && most && *x >= *least && (range.half_open ? *x < *most : *x <= *most)) continue;
        for (std::uint32_t index : tunables_in(v)) {
            if (index < network_.tunables.size()) continue;
            report_shape(v, span, fmt::format("`{}`", name));
            return false;
        }
        const ValueExprId inside = pool.make(ValueOp::and_, pool.make(ValueOp::le, *low, v),
                                             pool.make(range.half_open ? ValueOp::lt : ValueOp::le, v, *high));
        if (pool.evaluate(inside, tunable_defaults_) == 0) {
            auto message =
                report(Diag::out_of_range, span, fmt::format("`{}` is {}, outside {}", name, show(v), limits()));
            if (declared != span) message.also(declared, "its range is declared here");
            const auto x = pool.as_constant(v), most = pool.as_constant(*high);
            // Who writes 4 means no 400 %.
            if (type.dim == dimension::none && x && most && *most == 1 && *x > 3 && *x <= 100 && *x == std::floor(*x))
                message.help(fmt::format("of a hundred parts: `{} %`", show(v)));
            return false;
        }
        if (pool.bounds(inside, tunable_ranges_).low == 0)
            require(inside, fmt::format("`{}` is outside {}", path(name), limits()), span, implied);
    }
    return true;
}

// Whether the standard library declares it, whose schemas are in every program that uses them.
bool Elaborator::of_library(Span declared) const
{
    const auto& files = program_.library_files;  // a file that is quoted is none of them
    return declared.valid() && declared.file.value < files.size() && files[declared.file.value];
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

// What declarations say of strings and lists: patterns and numbers of elements.
bool Elaborator::check_limits(const Value& value, const Limits& limits, std::string_view name, Span span, Span declared)
{
    if (const std::string* text = value.as<std::string>(); text && !limits.pattern.empty()) {
        if (Pattern::parse(limits.pattern).matches(*text)) return true;
        report(Diag::pattern_mismatch, span,
               fmt::format("`{}` is \"{}\", which does not match \"{}\"", name, *text, limits.pattern))
            .also(declared, "its pattern is declared here");
        return false;
    }
    constexpr std::uint32_t kAny = 0xffffffffu;
    if ((limits.least == 0 && limits.most == kAny) || value.failed() || value.absent()) return true;
    std::size_t count = 1;  // one element without brackets
    if (const auto* list = value.as<std::shared_ptr<const ListValue>>()) count = (*list)->size();
    if (const NodeSet* nodes = value.as<NodeSet>()) count = size_of(*nodes);
    if (count >= limits.least && count <= limits.most) return true;
    report(Diag::out_of_range, span, cardinality_message(name, limits, count)).also(declared, "declared here");
    return false;
}

}  // namespace anml

// Values of schemas: attributes given, taken over from a profile, or by default; their ranges and requirements.
#include <fmt/format.h>

#include <algorithm>

#include "base/pattern.h"
#include "elaborate/model.h"

namespace anml {
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

// An override may have put a profile of another schema in the place of the one that the attributes were checked
// against.
bool has_all(const CheckedProgram& program, ReportOnce& report, const SchemaValue& base, SchemaId checked,
             const std::vector<AttributeValue>& given, std::string_view what)
{
    if (base.schema == checked || given.empty() || program.derives(base.schema, checked)) return true;
    const Schema &actual = program.schema(base.schema), &known = program.schema(checked);
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

// Kept only where an attribute asks for another.
std::shared_ptr<Definition> definition(const Schema& schema, const std::vector<AttributeValue>& given, Frame& frame,
                                       const SchemaValue* base)
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

// One direction of a link's value; all of any other.
std::shared_ptr<const SchemaValue> directed_value(Elaboration& in, SchemaId schema_id,
                                                  const std::vector<AttributeValue>& given, Frame& frame,
                                                  const SchemaValue* base, Span span, std::string_view what,
                                                  LinkDirection direction)
{
    const Schema& schema = in.program.schema(schema_id);
    Construct construct{schema_id, &given, base, &frame, direction, {}, {}, span};
    construct.states.resize(schema.attributes.size());
    construct.values.resize(schema.attributes.size());
    bool fine = true;
    for (std::uint32_t i = 0; i < schema.attributes.size(); ++i) fine = !attribute(in, construct, i).failed() && fine;
    if (!fine) return nullptr;

    Construct* outer = std::exchange(in.construct, &construct);
    Frame none;
    for (const SchemaRequirement& r : schema.requirements) {
        const auto holds = number(in, r.require.condition, none);
        if (!holds || in.network.values.as_constant(*holds).value_or(0) != 0) continue;
        const auto message = message_of(in, r.require, none);
        if (!message) continue;
        if (in.network.values.as_constant(*holds) == 0.0) {
            fine = false;
            auto failed = in.report(Diag::requirement_failed, span, *message);
            failed.also(r.span, fmt::format("`{}` requires it here", schema.name)).label(std::string(what));
            note_sides(in, failed, r.require.condition, none);
        }
        require(in, *holds, *message, span, in.report.of_library(r.span));
    }
    in.construct = outer;
    if (!fine) return nullptr;
    auto result = std::make_shared<SchemaValue>();
    result->schema = schema_id;
    result->attributes = std::move(construct.values);
    result->span = span;
    result->definition = definition(schema, given, frame, base);
    return result;
}

// What a profile gave: again, where it is computed from attributes that are overridden now. `again` says that it was.
Value inherited(Elaboration& in, const Construct& construct, std::uint32_t index, bool& again)
{
    const Attribute& declared = in.program.schema(construct.schema).attributes[index];
    for (const Definition* d = construct.base->definition.get(); d; d = d->base.get()) {
        const AttributeValue* given = find_given(*d->given, index, construct.direction);
        if (!given) continue;
        if (!given->asks_self) return construct.base->attributes[index];
        std::vector<std::pair<std::uint32_t, Value>> now;  // of the profile's parameters: another call's
        for (const auto& [slot, value] : d->parameters) {
            now.emplace_back(slot, d->frame->slots[slot]);
            d->frame->slots[slot] = value;
        }
        Value v = evaluate(in, given->value, *d->frame);
        for (auto& [slot, value] : now) d->frame->slots[slot] = std::move(value);
        again = true;
        return v;
    }
    if (!construct.base->definition || !declared.fallback_asks_self) return construct.base->attributes[index];
    again = true;
    Frame none;
    return evaluate(in, declared.fallback, none);
}

Value profile_value(Elaboration& in, const Profile& p, std::span<const ExprId> arguments, Frame& frame, Span span)
{
    const auto own = std::make_shared<Frame>();
    if (!p.owner) own->slots.resize(p.slot_count);
    Frame& inner = p.owner ? frame : *own;
    const std::size_t before = in.report.errors();
    const Span outer_use = in.report.leading_from(span);
    bind_parameters(in, p.parameters, arguments, frame, inner, span);
    std::shared_ptr<const SchemaValue> value;
    if (in.report.errors() == before) {
        Construct* outer = std::exchange(in.construct, nullptr);
        const Value base = p.base ? evaluate(in, p.base, inner) : Value{Absent{}};
        if (!base.failed())
            value = schema_value(in, p.schema, p.attributes, inner, base.schema(), span, fmt::format("`{}`", p.name));
        in.construct = outer;
    }
    in.report.led_from = outer_use;
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

// What declarations say of strings and lists: patterns and numbers of elements.
bool check_limits(ReportOnce& report, const Value& value, const Limits& limits, std::string_view name, Span span,
                  Span declared)
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

}  // namespace

std::shared_ptr<const SchemaValue> schema_value(Elaboration& in, SchemaId schema,
                                                const std::vector<AttributeValue>& given, Frame& frame,
                                                const SchemaValue* base, Span span, std::string_view what)
{
    if (base) {
        if (!has_all(in.program, in.report, *base, schema, given, what)) return nullptr;
        schema = base->schema;  // the profile's may extend what the place knows of it
    }
    auto up = directed_value(in, schema, given, frame, base, span, what, LinkDirection::up);
    const bool apart = std::any_of(given.begin(), given.end(),
                                   [](const AttributeValue& v) { return v.direction != LinkDirection::both; });
    if (!apart && !(base && base->down)) return up;
    const SchemaValue* below = base ? &base->downwards() : nullptr;
    auto down = directed_value(in, schema, given, frame, below, span, what, LinkDirection::down);
    if (!up || !down) return nullptr;
    auto both = std::make_shared<SchemaValue>(*up);
    both->down = std::move(down);
    return both;
}

Value attribute(Elaboration& in, Construct& construct, std::uint32_t index)
{
    using State = Construct::State;
    State& state = construct.states[index];
    if (state == State::done) return construct.values[index];
    const Attribute& declared = in.program.schema(construct.schema).attributes[index];
    const AttributeValue* given = find_given(*construct.given, index, construct.direction);
    const Span place = given ? given->span : construct.span;
    if (state == State::active)
        return failed(
            in.report(Diag::attribute_cycle, place, fmt::format("`{}` is computed from itself", declared.name))
                .also(declared.span, "declared here"));
    state = State::active;
    Construct* outer = std::exchange(in.construct, &construct);
    Frame none;
    Value v{Absent{}};
    Span value_place = place;
    bool fits = false;  // where the range was looked at before: by the checker, or when the profile was made
    if (given) {
        v = evaluate(in, given->value, *construct.frame);
        value_place = in.program.expr(given->value).span;
    } else if (construct.base && index < construct.base->attributes.size()) {
        bool again = false;
        v = inherited(in, construct, index, again);
        fits = !again;
    } else if (declared.fallback) {
        v = fallback(in, declared);
        fits = in.program.expr(declared.fallback).kind == ExprKind::number;
    }
    if (!fits && !v.failed()) {
        if (check_range(in, v, declared.range, declared.type, declared.name, value_place, declared.span, none,
                        in.report.of_library(declared.span)))
            v = within(in, v, declared.range, none, value_place);
        else
            v = {Failed{}};
    }
    if (v.absent() && !declared.optional) v = {Failed{}};
    in.construct = outer;
    construct.values[index] = v;
    state = State::done;
    return v;
}

Value profile(Elaboration& in, const Expr& e, Frame& frame)
{ return profile_value(in, in.program.profile(ProfileId{e.index}), in.program.operands_of(e), frame, e.span); }

void bind_parameters(Elaboration& in, const std::vector<Parameter>& parameters, std::span<const ExprId> arguments,
                     Frame& outer, Frame& inner, Span span)
{
    std::vector<BoundArgument> given(parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
        if (arguments[i]) given[i] = {evaluate(in, arguments[i], outer), in.program.expr(arguments[i]).span};
    bind_values(in, parameters, std::move(given), inner, span);
}

void bind_values(Elaboration& in, const std::vector<Parameter>& parameters, std::vector<BoundArgument> given,
                 Frame& inner, Span span)
{
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Parameter& p = parameters[i];
        if (!given[i].value) given[i] = {p.fallback ? evaluate(in, p.fallback, inner) : Value{}, span};
        inner.slots[p.slot] = *given[i].value;
        // A value outside its range decides no range behind it.
        if (!given[i].value->failed() &&
            !check_range(in, *given[i].value, p.range, p.type, p.name, given[i].place, p.span, inner))
            inner.slots[p.slot] = {Failed{}};
    }
}

bool check_range(Elaboration& in, const Value& value, const Limits& range, const Type& type, std::string_view name,
                 Span span, Span declared, Frame& frame, bool implied)
{
    if (!check_limits(in.report, value, range, name, span, declared)) return false;
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
    const auto low = number(in, range.low, frame), high = number(in, range.high, frame);
    if (!low || !high) return false;
    ValuePool& pool = in.network.values;
    const auto show = [&](ValueExprId id) { return format_quantity(pool.evaluate(id, in.tunable_defaults), type.dim); };
    const auto limits = [&] {
        return fmt::format("{} {} {}", show(*low), range.half_open ? "..<" : "..", show(*high));
    };
    if (computed) return check_random_range(in, *d, *low, *high, limits(), type, name, span, declared);
    for (ValueExprId v : checked_values) {
        const auto x = pool.as_constant(v), least = pool.as_constant(*low), most = pool.as_constant(*high);
        if (x && least && most && *x >= *least && (range.half_open ? *x < *most : *x <= *most)) continue;
        for (std::uint32_t index : tunables_in(in.network.values, v)) {
            if (index < in.network.tunables.size()) continue;
            report_shape(in, v, span, fmt::format("`{}`", name));
            return false;
        }
        const ValueExprId inside = pool.make(ValueOp::and_, pool.make(ValueOp::le, *low, v),
                                             pool.make(range.half_open ? ValueOp::lt : ValueOp::le, v, *high));
        if (pool.evaluate(inside, in.tunable_defaults) == 0) {
            auto message =
                in.report(Diag::out_of_range, span, fmt::format("`{}` is {}, outside {}", name, show(v), limits()));
            if (declared != span) message.also(declared, "its range is declared here");
            const auto x = pool.as_constant(v), most = pool.as_constant(*high);
            // Who writes 4 means no 400 %.
            if (type.dim == dimension::none && x && most && *most == 1 && *x > 3 && *x <= 100 && *x == std::floor(*x))
                message.help(fmt::format("of a hundred parts: `{} %`", show(v)));
            return false;
        }
        if (pool.bounds(inside, in.tunable_ranges).low == 0)
            require(in, inside, fmt::format("`{}` is outside {}", in.report.path_of(name), limits()), span, implied);
    }
    return true;
}

const Value& attribute_of(const CheckedProgram& program, const SchemaValue& value, std::string_view name)
{
    static const Value kAbsent{Absent{}};
    const Schema& schema = program.schema(value.schema);
    for (std::size_t i = 0; i < schema.attributes.size(); ++i)
        if (schema.attributes[i].name == name) return value.attributes[i];
    return kAbsent;
}

ValueExprId number_of(const CheckedProgram& program, const SchemaValue& value, std::string_view name)
{
    const Value& v = attribute_of(program, value, name);
    if (const TraceValue* trace = v.as<TraceValue>()) return trace->mean;
    const Number* n = v.as<Number>();
    return n ? n->id : 0;
}

DistributionValue distribution_of(ValuePool& values, const CheckedProgram& program, const SchemaValue& value,
                                  std::string_view name)
{
    const Value& v = attribute_of(program, value, name);
    if (const auto* d = v.as<DistributionValue>()) return *d;
    const Number* n = v.as<Number>();
    return {abi::DistributionKind::constant, n ? n->id : values.constant(0), 0};
}

}  // namespace anml

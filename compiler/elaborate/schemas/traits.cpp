// The traits of a schema's value, and what they are made of besides other expressions: means, and whether an attribute
// is there.
#include "base/values/exact_mean.h"
#include "elaborate/schemas/schema_values.h"

namespace anml {
namespace {

// All of its attributes are known: what `self` means in its traits.
Construct finished(const SchemaValue& value)
{
    static const std::vector<AttributeValue> kNone;
    Construct construct{value.schema, &kNone, nullptr, nullptr, LinkDirection::up, {}, value.attributes, value.span};
    construct.states.assign(value.attributes.size(), Construct::State::done);
    return construct;
}

// Absent where the schema does not say it.
Value trait(Elaboration& in, Construct& construct, Trait trait)
{
    const SchemaTrait* said = in.program.schema(construct.schema).find(trait);
    if (!said) return {Absent{}};
    Construct* outer = std::exchange(in.construct, &construct);
    const bool before = std::exchange(in.in_trait, true);
    Frame none;
    Value value = evaluate(in, said->value, none);
    in.construct = outer;
    in.in_trait = before;
    if (!value.absent()) return value;
    return failed(
        in.report(Diag::absent_name, in.program.expr(said->value).span, "this optional attribute is not set"));
}

}  // namespace

Value given(Elaboration& in, const Expr& e, Frame& frame)
{
    const Value attribute = evaluate(in, in.program.operands_of(e)[0], frame);
    if (attribute.failed()) return {Failed{}};
    return {Number{in.constant(attribute.absent() ? 0 : 1)}};
}

// An expression where arithmetic tells it. Else an estimate at the defaults of the tunables, in a trait.
Value mean(Elaboration& in, const Expr& e, Frame& frame)
{
    const Value drawn = evaluate(in, in.program.operands_of(e)[0], frame);
    if (const auto* d = drawn.as<DistributionValue>()) {
        ValuePool& pool = in.network.values;
        if (d->kind == abi::DistributionKind::computed) {
            if (const auto exact = exact_mean(pool, d->a)) return {Number{*exact}};
            if (in.in_trait) return {Number{in.constant(mean_of(in.network, *d, in.tunable_defaults))}};
            return failed(in.report(Diag::unknown_mean, e.span, "the mean of what is drawn here is not known exactly")
                              .help("known are those of the simple distributions, of points, values and mixtures of "
                                    "them, of sums and "
                                    "of products; not of what is cut off, rounded or remembered"));
        }
        if (d->kind == abi::DistributionKind::uniform)
            return {Number{pool.make(ValueOp::div, pool.make(ValueOp::add, d->a, d->b), in.constant(2))}};
        return {Number{d->a}};
    }
    const auto n = number_in(in.network.values, drawn);
    return n ? Value{Number{*n}} : Value{Failed{}};
}

// What a workload is like, which no tunable decides. False: an error was reported.
bool manner(Elaboration& in, const SchemaValue& value, WorkloadTraits& traits)
{
    Construct construct = finished(value);
    const auto choice = [&](Trait wanted) -> std::optional<std::uint32_t> {
        const Value said = trait(in, construct, wanted);
        const auto* chosen = said.as<EnumValue>();
        return chosen ? std::optional(chosen->ordinal) : std::nullopt;
    };
    const auto transport = choice(Trait::transport), load = choice(Trait::load);
    const auto answers = number_in(in.network.values, trait(in, construct, Trait::answers));
    if (!transport || !load || !answers) return false;
    traits.transport = static_cast<Transport>(*transport);
    traits.load = static_cast<Load>(*load);
    const auto fixed = in.network.values.as_constant(*answers);
    const ExprId place = in.program.schema(value.schema).find(Trait::answers)->value;
    if (!fixed) report_shape(in, *answers, in.program.expr(place).span, "whether there are answers");
    traits.answers = fixed && *fixed != 0;
    return fixed.has_value();
}

// How much it is expected to send. False: an error was reported.
bool amounts(Elaboration& in, const SchemaValue& value, WorkloadTraits& traits)
{
    Construct construct = finished(value);
    bool fine = true;
    const auto amount = [&](Trait wanted, double otherwise) {
        const Value said = trait(in, construct, wanted);
        if (said.absent()) return in.constant(otherwise);
        const auto n = number_in(in.network.values, said);
        fine &= n.has_value();
        return n.value_or(ValueExprId{});
    };
    traits.interval = amount(Trait::interval, 0);
    traits.share = amount(Trait::share, 1);
    traits.request = amount(Trait::request, 0);
    traits.reply = amount(Trait::reply, 0);
    traits.per_connection = amount(Trait::per_connection, 1);
    traits.at_once = amount(Trait::at_once, 1);
    traits.fragments = amount(Trait::fragments, 0);
    traits.fluid = amount(Trait::fluid, 0);
    return fine;
}

}  // namespace anml

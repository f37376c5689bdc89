// Traits of schemas: `trait transport = udp`. Which there are says traits.def.
#include <fmt/format.h>

#include <algorithm>

#include "check/schemas/schemas.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

struct KnownTrait {
    std::string_view name, schema, type;
    bool demanded;
};
constexpr KnownTrait kKnownTraits[] = {
#define ANML_TRAIT(name, schema, type, demanded) {#name, schema, type, demanded},
#include "check/schemas/traits.def"
};

const KnownTrait& known(Trait trait) { return kKnownTraits[static_cast<std::size_t>(trait)]; }

// A type that needs no context, or an enum of the prelude.
Type type_of_trait(const Checking& in, Trait trait)
{
    const std::string_view type = known(trait).type;
    if (const auto plain = plain_type(type)) return *plain;
    const Names& prelude = in.modules[in.prelude.value];
    const auto at = prelude.find(type);
    if (at == prelude.end() || at->second.kind != SymbolKind::enumeration) return {};
    return {.kind = TypeKind::enumeration, .ref = at->second.index};
}

bool can_have(const CheckedProgram& program, SchemaId schema, Trait trait)
{
    const SchemaId base = program.find_schema(fmt::format("std.prelude.{}", known(trait).schema));
    return base && program.derives(schema, base);
}

// The trait that a declaration names; reports what is none.
std::optional<Trait> trait_named(const SourceText& source, const CheckedProgram& program, Diagnostics& diagnostics,
                                 SyntaxId identifier, SchemaId schema)
{
    std::vector<std::string_view> candidates;
    for (std::size_t i = 0; i < std::size(kKnownTraits); ++i) {
        const Trait trait = static_cast<Trait>(i);
        if (can_have(program, schema, trait)) candidates.push_back(trait_name(trait));
        if (trait_name(trait) != source.text(identifier)) continue;
        if (can_have(program, schema, trait)) return trait;
        diagnostics
            .report(Diag::unknown_trait, source.span(identifier),
                    fmt::format("`{}` has no trait `{}`", program.schema(schema).name, source.text(identifier)))
            .help(fmt::format("schemas that extend `{}` have it", known(trait).schema));
        return std::nullopt;
    }
    auto report = diagnostics.report(Diag::unknown_trait, source.span(identifier),
                                     fmt::format("there is no trait `{}`", source.text(identifier)));
    if (const auto similar = similar_name(source.text(identifier), candidates); !similar.empty())
        report.suggest(source.span(identifier), similar);
    return std::nullopt;
}

}  // namespace

std::string_view trait_name(Trait trait) { return known(trait).name; }

const SchemaTrait* Schema::find(Trait wanted) const
{
    const auto at =
        std::find_if(traits.begin(), traits.end(), [&](const SchemaTrait& own) { return own.trait == wanted; });
    return at == traits.end() ? nullptr : &*at;
}

// Of a schema whose attributes are known; `traits` are the inherited ones, which its own replace.
void trait(Checking& in, SyntaxId id, SchemaId schema, std::vector<SchemaTrait>& traits)
{
    const syntax::TraitDeclaration declared(in.tree, id);
    const auto named = trait_named(in, in.program, in.diagnostics, declared.name(), schema);
    if (!named) return;
    const Span place = in.span(declared.name());
    const auto same =
        std::find_if(traits.begin(), traits.end(), [&](const SchemaTrait& other) { return other.trait == *named; });
    if (same != traits.end() && same->schema == schema) {
        in.report(Diag::duplicate_name, place,
                  fmt::format("the trait `{}` is declared twice", in.text(declared.name())))
            .also(same->span, "first declared here");
        return;
    }
    const ExprId said = value(in, declared.value(), type_of_trait(in, *named), fmt::format("`{}`", trait_name(*named)));
    const SchemaTrait own{*named, said, schema, place};
    if (same != traits.end())
        *same = own;
    else
        traits.push_back(own);
}

void report_missing_traits(const CheckedProgram& program, Diagnostics& diagnostics, SchemaId id,
                           const std::vector<SchemaTrait>& traits)
{
    const Schema& schema = program.schema(id);
    if (traits.empty() ||
        std::none_of(traits.begin(), traits.end(), [&](const SchemaTrait& t) { return t.schema == id; }))
        return;  // said where the base is declared
    std::string missing;
    for (std::size_t i = 0; i < std::size(kKnownTraits); ++i) {
        const Trait trait = static_cast<Trait>(i);
        const bool has =
            std::any_of(traits.begin(), traits.end(), [&](const SchemaTrait& t) { return t.trait == trait; });
        if (kKnownTraits[i].demanded && !has && can_have(program, id, trait))
            missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", trait_name(trait));
    }
    if (missing.empty()) return;
    diagnostics
        .report(Diag::missing_trait, schema.span, fmt::format("`{}` has traits, but not {}", schema.name, missing))
        .help(
            "a schema that extends one of the standard library's workloads has its traits, unless it declares others");
}

// The mean of what is drawn: outside traits only where it is known exactly, which elaborate/schemas/traits.cpp tells.
ExprId mean(Checking& in, SyntaxId id, ExprId given)
{
    if (!numeric(in.program, in.diagnostics, given, "`mean`")) return in.error(in.span(id));
    Type type = in.program.expr(given).type;
    type.kind = TypeKind::number;
    type.random = type.tolerance = false;
    return in.call(Builtin::mean, type, in.span(id), {given});
}

// Whether an optional attribute of the same construct is there.
ExprId given(Checking& in, SyntaxId id, ExprId attribute)
{
    const Expr e = in.program.expr(attribute);
    SchemaId schema;
    if (e.kind == ExprKind::own_attribute) schema = in.self;
    if (e.kind == ExprKind::attribute) schema = SchemaId{in.program.expr(in.program.operands_of(e)[0]).type.ref};
    if (e.type.kind == TypeKind::error) return in.error(in.span(id));
    if (!schema || !in.program.schema(schema).attributes[e.index].optional) {
        in.report(Diag::type_mismatch, e.span, "`given` wants an optional attribute, `self.x` or `value.x`");
        return in.error(in.span(id));
    }
    return in.call(Builtin::given, {.kind = TypeKind::boolean}, in.span(id), {attribute});
}

}  // namespace anml

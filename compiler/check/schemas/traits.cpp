// Traits of schemas: `trait transport = udp`. Which there are says traits.def.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"
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

}  // namespace

std::string_view trait_name(Trait trait) { return known(trait).name; }

const SchemaTrait* Schema::find(Trait wanted) const
{
    const auto at =
        std::find_if(traits.begin(), traits.end(), [&](const SchemaTrait& own) { return own.trait == wanted; });
    return at == traits.end() ? nullptr : &*at;
}

// A type that needs no context, or an enum of the prelude.
Type Checker::type_of_trait(Trait trait) const
{
    const std::string_view type = known(trait).type;
    if (const auto plain = plain_type(type)) return *plain;
    const Names& prelude = modules_[prelude_.value];
    const auto at = prelude.find(type);
    if (at == prelude.end() || at->second.kind != SymbolKind::enumeration) return {};
    return {.kind = TypeKind::enumeration, .ref = at->second.index};
}

bool Checker::can_have(SchemaId schema, Trait trait) const
{
    const SchemaId base = program_.find_schema(fmt::format("std.prelude.{}", known(trait).schema));
    return base && program_.derives(schema, base);
}

// The trait that a declaration names; reports what is none.
std::optional<Trait> Checker::trait_named(SyntaxId identifier, SchemaId schema)
{
    std::vector<std::string_view> candidates;
    for (std::size_t i = 0; i < std::size(kKnownTraits); ++i) {
        const Trait trait = static_cast<Trait>(i);
        if (can_have(schema, trait)) candidates.push_back(trait_name(trait));
        if (trait_name(trait) != text(identifier)) continue;
        if (can_have(schema, trait)) return trait;
        diagnostics_
            .report(Diag::unknown_trait, span(identifier),
                    fmt::format("`{}` has no trait `{}`", program_.schema(schema).name, text(identifier)))
            .help(fmt::format("schemas that extend `{}` have it", known(trait).schema));
        return std::nullopt;
    }
    auto report = diagnostics_.report(Diag::unknown_trait, span(identifier),
                                      fmt::format("there is no trait `{}`", text(identifier)));
    if (const auto similar = similar_name(text(identifier), candidates); !similar.empty())
        report.suggest(span(identifier), similar);
    return std::nullopt;
}

// Of a schema whose attributes are known; `traits` are the inherited ones, which its own replace.
void Checker::trait(SyntaxId id, SchemaId schema, std::vector<SchemaTrait>& traits)
{
    const syntax::TraitDeclaration declared(tree_, id);
    const auto named = trait_named(declared.name(), schema);
    if (!named) return;
    const Span place = span(declared.name());
    const auto same =
        std::find_if(traits.begin(), traits.end(), [&](const SchemaTrait& other) { return other.trait == *named; });
    if (same != traits.end() && same->schema == schema) {
        diagnostics_
            .report(Diag::duplicate_name, place, fmt::format("the trait `{}` is declared twice", text(declared.name())))
            .also(same->span, "first declared here");
        return;
    }
    const ExprId said = value(declared.value(), type_of_trait(*named), fmt::format("`{}`", trait_name(*named)));
    const SchemaTrait own{*named, said, schema, place};
    if (same != traits.end())
        *same = own;
    else
        traits.push_back(own);
}

void Checker::report_missing_traits(SchemaId id, const std::vector<SchemaTrait>& traits)
{
    const Schema& schema = program_.schema(id);
    if (traits.empty() ||
        std::none_of(traits.begin(), traits.end(), [&](const SchemaTrait& t) { return t.schema == id; }))
        return;  // said where the base is declared
    std::string missing;
    for (std::size_t i = 0; i < std::size(kKnownTraits); ++i) {
        const Trait trait = static_cast<Trait>(i);
        const bool has =
            std::any_of(traits.begin(), traits.end(), [&](const SchemaTrait& t) { return t.trait == trait; });
        if (kKnownTraits[i].demanded && !has && can_have(id, trait))
            missing += fmt::format("{}`{}`", missing.empty() ? "" : ", ", trait_name(trait));
    }
    if (missing.empty()) return;
    diagnostics_
        .report(Diag::missing_trait, schema.span, fmt::format("`{}` has traits, but not {}", schema.name, missing))
        .help(
            "a schema that extends one of the standard library's workloads has its traits, unless it declares others");
}

// The mean of what is drawn: outside traits only where it is known exactly, which elaborate/schemas/traits.cpp tells.
ExprId Checker::mean(SyntaxId id, ExprId given)
{
    if (!numeric(given, "`mean`")) return error(span(id));
    Type type = program_.expr(given).type;
    type.kind = TypeKind::number;
    type.random = type.tolerance = false;
    return add(ExprKind::call, type, span(id), static_cast<std::uint32_t>(Builtin::mean), 0, {given});
}

// Whether an optional attribute of the same construct is there.
ExprId Checker::given(SyntaxId id, ExprId attribute)
{
    const Expr e = program_.expr(attribute);
    SchemaId schema;
    if (e.kind == ExprKind::own_attribute) schema = self_;
    if (e.kind == ExprKind::attribute) schema = SchemaId{program_.expr(program_.operands_of(e)[0]).type.ref};
    if (e.type.kind == TypeKind::error) return error(span(id));
    if (!schema || !program_.schema(schema).attributes[e.index].optional) {
        diagnostics_.report(Diag::type_mismatch, e.span, "`given` wants an optional attribute, `self.x` or `value.x`");
        return error(span(id));
    }
    return add(ExprKind::call, {.kind = TypeKind::boolean}, span(id), static_cast<std::uint32_t>(Builtin::given), 0,
               {attribute});
}

}  // namespace anml

// Profiles: named values of a schema, plain or with parameters; at top level or in a component's body.
#include <fmt/format.h>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {

void profile_signature(Checking& in, ProfileId id)
{
    in.profile_progress.resize(in.program.profiles.size());
    if (in.profile_progress[id.value] != Progress::untouched) return;
    const NestedDeclaration nested(in, in.program.profile(id).span);
    if (!nested.fits()) return;
    in.profile_progress[id.value] = Progress::active;
    const SyntaxId syntax = in.profile_syntax[id.value];
    const bool local = in.program.profile(id).owner.valid();
    std::optional<CheckerScope> saved;
    if (!local) {
        saved = std::move(static_cast<CheckerScope&>(in));
        enter(in, syntax);
    }
    const syntax::ProfileDeclaration written(in.tree, syntax);
    const SyntaxId of = written.schema();
    const Symbol* symbol = find_dotted(in, of);
    if (symbol && symbol->kind == SymbolKind::schema) {
        in.program.profiles[id.value].schema = SchemaId{symbol->index};
        if (written.has_arguments())
            in.report(Diag::not_callable, in.span(written.arguments()),
                      fmt::format("`{}` is a schema, which takes no arguments", in.text(of)))
                .help(fmt::format("attributes stand in braces: `{} {{ ... }}`", in.text(of)));
    } else if (symbol && symbol->kind == SymbolKind::profile) {
        const ProfileId base{symbol->index};
        profile_signature(in, base);
        if (in.profile_progress[base.value] == Progress::active)
            in.report(Diag::recursive_declaration, in.span(of),
                      fmt::format("`{}` is made of itself", in.program.profile(id).name))
                .also(in.program.profile(base).span, "declared here");
        else
            in.program.profiles[id.value].schema = in.program.profile(base).schema;
    } else if (symbol) {
        in.report(Diag::unknown_type, in.span(of), fmt::format("`{}` is neither a schema nor a profile", in.text(of)));
    }
    auto parameters = signature(in, written.parameters(), false);
    in.program.profiles[id.value].parameters = std::move(parameters);
    if (saved) static_cast<CheckerScope&>(in) = std::move(*saved);
    in.profile_progress[id.value] = Progress::done;
}

void profile_values(Checking& in, ProfileId id)
{
    const SyntaxId syntax = in.profile_syntax[id.value];
    const bool local = in.program.profile(id).owner.valid();
    if (!local) enter(in, syntax);
    const syntax::ProfileDeclaration written(in.tree, syntax);
    in.maker = {SymbolKind::profile, id.value};
    in.scopes.emplace_back();
    std::vector<Parameter> parameters = in.program.profile(id).parameters;
    parameter_values(in, written.parameters(), parameters);
    in.program.profiles[id.value].parameters = std::move(parameters);
    if (const SchemaId schema = in.program.profile(id).schema) {
        const Symbol* of = find_dotted(in, written.schema());
        ExprId base;
        if (of && of->kind == SymbolKind::profile)
            base = profile_call(in, written.schema(), of->index,
                                written.has_arguments() ? written.arguments() : SyntaxId{}, in.span(written.schema()));
        else
            in.use(SymbolKind::schema, schema.value, in.program.profile(id).span);
        in.program.profiles[id.value].base = base;
        auto values =
            attributes(in, written.attributes(), schema, !base, in.program.profile(id).span,
                       fmt::format("`{}`", base ? in.text(written.schema()) : in.program.schema(schema).name));
        in.program.profiles[id.value].attributes = std::move(values);
    }
    in.scopes.pop_back();
    in.maker.reset();
    in.program.profiles[id.value].slot_count = in.slots;
}

// `droptail` has a bound of either kind. True: this has none, as was reported.
bool is_unbounded(const CheckedProgram& program, Diagnostics& diagnostics, const Profile& profile,
                  const std::vector<ExprId>& given, Span place)
{
    if (profile.full_name != "std.prelude.droptail") return false;
    if (given[0] || (given[1] && constant(program, given[1]) != 0.0)) return false;
    diagnostics.report(Diag::wrong_argument_count, place, "`droptail` needs a bound, in bytes or in packets")
        .also(profile.span, "declared here")
        .help("write `droptail(64 KB)` or `droptail(packets = 100)`");
    return true;
}

// A profile by its name, with the list of its arguments or without one.
ExprId profile_call(Checking& in, SyntaxId name, std::uint32_t index, SyntaxId list, Span place)
{
    in.use(SymbolKind::profile, index, in.span(name));
    const Type type = profile_type(in.program.profiles[index]);
    const auto parameters = in.program.profiles[index].parameters;  // the vector may grow while arguments are checked
    const Span declared = in.program.profiles[index].span;
    auto given = arguments(in, list, parameters, in.span(name), in.text(name), declared);
    if (is_unbounded(in.program, in.diagnostics, in.program.profiles[index], given, place)) return in.error(place);
    return in.add(ExprKind::profile, type, place, index, 0, std::move(given));
}

// A profile, or another value of a schema, with other attributes: one that has no name.
ExprId adapted(Checking& in, SyntaxId id)
{
    const syntax::Adapted written(in.tree, id);
    const SyntaxId of = written.profile();
    const ExprId base = expression(in, of);
    const Type type = in.program.expr(base).type;
    if (type.kind == TypeKind::error) return in.error(in.span(id));
    if (type.kind != TypeKind::schema || type.list || type.random) {
        in.report(Diag::type_mismatch, in.span(written.attributes()),
                  fmt::format("attributes follow a profile, and `{}` is {}", in.text(of), in.a_named(type)));
        return in.error(in.span(id));
    }
    if (!in.component) {
        auto report = in.report(Diag::misplaced_statement, in.span(written.attributes()),
                                "outside of components a profile that differs has a name");
        if (in.program.expr(base).kind == ExprKind::profile)
            report.help(fmt::format("declare it, `profile mine : {} {{ ... }}`, and name it here", in.text(of)));
        return in.error(in.span(id));
    }
    Profile p;
    p.name = in.text(of);
    p.full_name = fmt::format("{}.{}", in.program.component(in.component).full_name, p.name);
    p.schema = SchemaId{type.ref};
    p.base = base;
    p.attributes = attributes(in, written.attributes(), p.schema, false, in.span(id), fmt::format("`{}`", in.text(of)));
    p.span = in.span(of);
    p.owner = in.component;
    const auto index = static_cast<std::uint32_t>(in.program.profiles.size());
    in.program.profiles.push_back(std::move(p));
    in.profile_syntax.push_back(id);
    return in.add(ExprKind::profile, type, in.span(id), index, 0, {});
}

void local_profile(Checking& in, SyntaxId id)
{
    const SyntaxId identifier = syntax::ProfileDeclaration(in.tree, id).name();
    const bool fresh = declarable(in, identifier);
    in.declares(identifier);
    const ProfileId profile{in.program.profiles.size()};
    Profile p;
    p.name = in.text(identifier);
    p.full_name = fmt::format("{}.{}", in.program.component(in.component).full_name, p.name);
    p.doc = in.doc(id);
    p.span = in.span(identifier);
    p.owner = in.component;
    in.program.profiles.push_back(std::move(p));
    in.profile_syntax.push_back(id);
    profile_signature(in, profile);
    profile_values(in, profile);
    if (!fresh) return;
    in.scopes.back().try_emplace(in.program.profile(profile).name,
                                 Symbol{SymbolKind::profile, profile.value, in.span(identifier), {}});
    in.levels.back().names.erase(in.program.profile(profile).name);
}

}  // namespace anml

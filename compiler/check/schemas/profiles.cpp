// Profiles: named values of a schema, plain or with parameters; at top level or in a component's body.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::profile_signature(ProfileId id)
{
    profile_progress_.resize(program_.profiles.size());
    if (profile_progress_[id.value] != Progress::untouched) return;
    const Nested nested(*this, program_.profile(id).span);
    if (!nested.fits()) return;
    profile_progress_[id.value] = Progress::active;
    const SyntaxId syntax = profile_syntax_[id.value];
    const bool local = program_.profile(id).owner.valid();
    std::optional<CheckerScope> saved;
    if (!local) {
        saved = std::move(static_cast<CheckerScope&>(*this));
        enter(syntax);
    }
    const syntax::ProfileDeclaration written(tree_, syntax);
    const SyntaxId of = written.schema();
    const Symbol* symbol = find_dotted(of);
    if (symbol && symbol->kind == SymbolKind::schema) {
        program_.profiles[id.value].schema = SchemaId{symbol->index};
        if (written.has_arguments())
            diagnostics_
                .report(Diag::not_callable, span(written.arguments()),
                        fmt::format("`{}` is a schema, which takes no arguments", text(of)))
                .help(fmt::format("attributes stand in braces: `{} {{ ... }}`", text(of)));
    } else if (symbol && symbol->kind == SymbolKind::profile) {
        const ProfileId base{symbol->index};
        profile_signature(base);
        if (profile_progress_[base.value] == Progress::active)
            diagnostics_
                .report(Diag::recursive_declaration, span(of),
                        fmt::format("`{}` is made of itself", program_.profile(id).name))
                .also(program_.profile(base).span, "declared here");
        else
            program_.profiles[id.value].schema = program_.profile(base).schema;
    } else if (symbol) {
        diagnostics_.report(Diag::unknown_type, span(of),
                            fmt::format("`{}` is neither a schema nor a profile", text(of)));
    }
    auto parameters = signature(written.parameters(), false);
    program_.profiles[id.value].parameters = std::move(parameters);
    if (saved) static_cast<CheckerScope&>(*this) = std::move(*saved);
    profile_progress_[id.value] = Progress::done;
}

void Checker::profile_values(ProfileId id)
{
    const SyntaxId syntax = profile_syntax_[id.value];
    const bool local = program_.profile(id).owner.valid();
    if (!local) enter(syntax);
    const syntax::ProfileDeclaration written(tree_, syntax);
    maker_ = {SymbolKind::profile, id.value};
    scopes_.emplace_back();
    std::vector<Parameter> parameters = program_.profile(id).parameters;
    parameter_values(written.parameters(), parameters);
    program_.profiles[id.value].parameters = std::move(parameters);
    if (const SchemaId schema = program_.profile(id).schema) {
        const Symbol* of = find_dotted(written.schema());
        ExprId base;
        if (of && of->kind == SymbolKind::profile)
            base = profile_call(written.schema(), of->index, written.has_arguments() ? written.arguments() : SyntaxId{},
                                span(written.schema()));
        else
            use(SymbolKind::schema, schema.value, program_.profile(id).span);
        program_.profiles[id.value].base = base;
        auto values = attributes(written.attributes(), schema, !base, program_.profile(id).span,
                                 fmt::format("`{}`", base ? text(written.schema()) : program_.schema(schema).name));
        program_.profiles[id.value].attributes = std::move(values);
    }
    scopes_.pop_back();
    maker_.reset();
    program_.profiles[id.value].slot_count = slots_;
}

// `droptail` has a bound of either kind. True: this has none, as was reported.
bool Checker::is_unbounded(const Profile& profile, const std::vector<ExprId>& given, Span place)
{
    if (profile.full_name != "std.prelude.droptail") return false;
    if (given[0] || (given[1] && constant(given[1]) != 0.0)) return false;
    diagnostics_.report(Diag::wrong_argument_count, place, "`droptail` needs a bound, in bytes or in packets")
        .also(profile.span, "declared here")
        .help("write `droptail(64 KB)` or `droptail(packets = 100)`");
    return true;
}

// A profile by its name, with the list of its arguments or without one.
ExprId Checker::profile_call(SyntaxId name, std::uint32_t index, SyntaxId list, Span place)
{
    use(SymbolKind::profile, index, span(name));
    const Type type = profile_type(program_.profiles[index]);
    const auto parameters = program_.profiles[index].parameters;  // the vector may grow while arguments are checked
    const Span declared = program_.profiles[index].span;
    auto given = arguments(list, parameters, span(name), text(name), declared);
    if (is_unbounded(program_.profiles[index], given, place)) return error(place);
    return add(ExprKind::profile, type, place, index, 0, std::move(given));
}

// A profile, or another value of a schema, with other attributes: one that has no name.
ExprId Checker::adapted(SyntaxId id)
{
    const syntax::Adapted written(tree_, id);
    const SyntaxId of = written.profile();
    const ExprId base = expression(of);
    const Type type = program_.expr(base).type;
    if (type.kind == TypeKind::error) return error(span(id));
    if (type.kind != TypeKind::schema || type.list || type.random) {
        diagnostics_.report(Diag::type_mismatch, span(written.attributes()),
                            fmt::format("attributes follow a profile, and `{}` is {}", text(of), a_named(type)));
        return error(span(id));
    }
    if (!component_) {
        auto report = diagnostics_.report(Diag::misplaced_statement, span(written.attributes()),
                                          "outside of components a profile that differs has a name");
        if (program_.expr(base).kind == ExprKind::profile)
            report.help(fmt::format("declare it, `profile mine : {} {{ ... }}`, and name it here", text(of)));
        return error(span(id));
    }
    Profile p;
    p.name = text(of);
    p.full_name = fmt::format("{}.{}", program_.component(component_).full_name, p.name);
    p.schema = SchemaId{type.ref};
    p.base = base;
    p.attributes = attributes(written.attributes(), p.schema, false, span(id), fmt::format("`{}`", text(of)));
    p.span = span(of);
    p.owner = component_;
    const auto index = static_cast<std::uint32_t>(program_.profiles.size());
    program_.profiles.push_back(std::move(p));
    profile_syntax_.push_back(id);
    return add(ExprKind::profile, type, span(id), index, 0, {});
}

void Checker::local_profile(SyntaxId id)
{
    const SyntaxId identifier = syntax::ProfileDeclaration(tree_, id).name();
    const bool fresh = declarable(identifier);
    declares(identifier);
    const ProfileId profile{program_.profiles.size()};
    Profile p;
    p.name = text(identifier);
    p.full_name = fmt::format("{}.{}", program_.component(component_).full_name, p.name);
    p.doc = doc(id);
    p.span = span(identifier);
    p.owner = component_;
    program_.profiles.push_back(std::move(p));
    profile_syntax_.push_back(id);
    profile_signature(profile);
    profile_values(profile);
    if (!fresh) return;
    scopes_.back().try_emplace(program_.profile(profile).name,
                               Symbol{SymbolKind::profile, profile.value, span(identifier), {}});
    levels_.back().names.erase(program_.profile(profile).name);
}

}  // namespace anml

// Profiles: named values of a schema, plain or with parameters; at top level or in a component's body.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::profile_signature(ProfileId id)
{
    const SyntaxId syntax = profile_syntax_[id.value];
    if (!program_.profile(id).owner) enter(syntax);
    const syntax::ProfileDeclaration written(tree_, syntax);
    const SyntaxId schema_syntax = written.schema();
    const Symbol* symbol = find_dotted(schema_syntax);
    if (symbol && symbol->kind == SymbolKind::schema)
        program_.profiles[id.value].schema = SchemaId{symbol->index};
    else if (symbol) {
        const std::string_view found = text(schema_syntax);
        auto report =
            diagnostics_.report(Diag::unknown_type, span(schema_syntax), fmt::format("`{}` is not a schema", found));
        if (symbol->kind == SymbolKind::profile) {
            const std::string_view of =
                text(syntax::ProfileDeclaration(tree_, profile_syntax_[symbol->index]).schema());
            const std::string_view name = of.substr(of.rfind('.') + 1);  // all of it where there is no dot
            if (name == "Link")
                report.help(
                    fmt::format("it is a profile of `{}`, and stands on a link: to change attributes of it, "
                                "write `{} {{ ... }}` there",
                                of, found));
            else
                report.help(
                    fmt::format("it is a profile of `{0}`, and no other is made of it: write `{0}` here, and "
                                "all attributes that are not to have their defaults",
                                of));
        }
    }
    auto parameters = signature(written.parameters(), false);
    program_.profiles[id.value].parameters = std::move(parameters);
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
        use(SymbolKind::schema, schema.value, program_.profile(id).span);
        auto values = attributes(written.attributes(), schema, true, program_.profile(id).span,
                                 fmt::format("`{}`", program_.schema(schema).name));
        program_.profiles[id.value].attributes = std::move(values);
    }
    scopes_.pop_back();
    maker_.reset();
    program_.profiles[id.value].slot_count = slots_;
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
    upcoming_.back().erase(program_.profile(profile).name);
}

}  // namespace anml

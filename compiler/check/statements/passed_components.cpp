// Components that are passed to components: `component Site(lan: component Lan)`, `Site s(lan = Wifi(aps = 3))`. What
// is passed extends what the parameter names, or is it, and has its parameters too: those the instance gives, the
// others may be given where it is passed.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

ExprId Checker::passed_component(SyntaxId id, ComponentId component, SyntaxId list, const Type& wanted)
{
    const Span where = span(id);
    if (program_.component(component).is_model) {
        diagnostics_.report(Diag::type_mismatch, where, "a model is a whole scenario, and is not passed");
        return error(where);
    }
    if (!finished(component, where)) return error(where);
    const ComponentId base{wanted.ref};
    const Component given = program_.component(component);  // copies: arguments may grow the program
    const Component interface = program_.component(base);
    if (!program_.extends(component, base)) {
        diagnostics_
            .report(Diag::type_mismatch, where, fmt::format("`{}` does not extend `{}`", given.name, interface.name))
            .also(given.span, "declared here")
            .help(fmt::format("write `component {}(...) : {}`", given.name, interface.name));
        return error(where);
    }
    std::vector<Parameter> parameters = given.parameters;
    for (const Parameter& p : interface.parameters) {
        const auto same = std::find_if(parameters.begin(), parameters.end(),
                                       [&](const Parameter& other) { return other.name == p.name; });
        if (same == parameters.end() || !(same->type == p.type) || (!p.required && same->required)) {
            diagnostics_
                .report(Diag::type_mismatch, where,
                        fmt::format("`{}` does not take `{}` as `{}` does", given.name, p.name, interface.name))
                .also(p.span, "declared here")
                .help(fmt::format("where a `{}` is wanted, instances give its parameters: declare `{}` of the same "
                                  "type{}, and hand it on to the base",
                                  interface.name, p.name, p.required ? "" : ", with a default"));
            return error(where);
        }
        same->required = false;
    }
    auto values = arguments(list, parameters, where, given.name, given.span);
    return add(ExprKind::component, {.kind = TypeKind::component, .ref = component.value}, where, component.value, 0,
               std::move(values));
}

// Checks its body first, unless that is what is going on.
bool Checker::finished(ComponentId id, Span place)
{
    if (std::find(open_components_.begin(), open_components_.end(), id) == open_components_.end()) {
        component_body(id);
        return true;
    }
    const std::string& name = program_.component(id).name;
    diagnostics_.report(Diag::recursive_declaration, place, fmt::format("`{}` is passed within itself", name))
        .also(program_.component(id).span, "declared here");
    return false;
}

// The parameter that says of which component an instance is, if one does.
const Symbol* Checker::passed_here(SyntaxId dotted_name) const
{
    const auto parts = syntax::DottedName(tree_, dotted_name).parts();
    const Symbol* symbol = parts.size() == 1 ? find(text(parts[0])) : nullptr;
    const bool passed = symbol && symbol->kind == SymbolKind::local && symbol->type.kind == TypeKind::component;
    return passed ? symbol : nullptr;
}

}  // namespace anml

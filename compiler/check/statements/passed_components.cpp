// Components that are passed to components: `component Site(lan: component Lan)`, `Site s(lan = Wifi(aps = 3))`. What
// is passed extends what the parameter names, or is it, and has its parameters too: those the instance gives, the
// others may be given where it is passed.
#include <fmt/format.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {

ExprId passed_component(Checking& in, SyntaxId id, ComponentId component, SyntaxId list, const Type& wanted)
{
    const Span where = in.span(id);
    if (in.program.component(component).is_model) {
        in.report(Diag::type_mismatch, where, "a model is a whole scenario, and is not passed");
        return in.error(where);
    }
    if (!finished(in, component, where)) return in.error(where);
    const ComponentId base{wanted.ref};
    const Component given = in.program.component(component);  // copies: arguments may grow the program
    const Component interface = in.program.component(base);
    if (!in.program.extends(component, base)) {
        in.report(Diag::type_mismatch, where, fmt::format("`{}` does not extend `{}`", given.name, interface.name))
            .also(given.span, "declared here")
            .help(fmt::format("write `component {}(...) : {}`", given.name, interface.name));
        return in.error(where);
    }
    std::vector<Parameter> parameters = given.parameters;
    for (const Parameter& p : interface.parameters) {
        const auto same = std::find_if(parameters.begin(), parameters.end(),
                                       [&](const Parameter& other) { return other.name == p.name; });
        if (same == parameters.end() || !(same->type == p.type) || (!p.required && same->required)) {
            in.report(Diag::type_mismatch, where,
                      fmt::format("`{}` does not take `{}` as `{}` does", given.name, p.name, interface.name))
                .also(p.span, "declared here")
                .help(fmt::format("where a `{}` is wanted, instances give its parameters: declare `{}` of the same "
                                  "type{}, and hand it on to the base",
                                  interface.name, p.name, p.required ? "" : ", with a default"));
            return in.error(where);
        }
        same->required = false;
    }
    auto values = arguments(in, list, parameters, where, given.name, given.span);
    return in.add(ExprKind::component, {.kind = TypeKind::component, .ref = component.value}, where, component.value, 0,
                  std::move(values));
}

// Checks its body first, unless that is what is going on.
bool finished(Checking& in, ComponentId id, Span place)
{
    if (std::find(in.open_components.begin(), in.open_components.end(), id) == in.open_components.end()) {
        component_body(in, id);
        return true;
    }
    const std::string& name = in.program.component(id).name;
    in.report(Diag::recursive_declaration, place, fmt::format("`{}` is passed within itself", name))
        .also(in.program.component(id).span, "declared here");
    return false;
}

// The parameter that says of which component an instance is, if one does.
const Symbol* passed_here(const Checking& in, SyntaxId dotted_name)
{
    const auto parts = syntax::DottedName(in.tree, dotted_name).parts();
    const Symbol* symbol = parts.size() == 1 ? find(in, in.text(parts[0])) : nullptr;
    const bool passed = symbol && symbol->kind == SymbolKind::local && symbol->type.kind == TypeKind::component;
    return passed ? symbol : nullptr;
}

}  // namespace anml

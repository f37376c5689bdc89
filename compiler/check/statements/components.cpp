// Components and models: their parameters, then their bodies, each once, those that they instantiate first.
#include <fmt/format.h>

#include <algorithm>

#include "check/statements/statements.h"
#include "syntax/file_doc.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

constexpr std::size_t kDeepestComponents = 100;  // bodies are checked in each other, and instances made in each other

// Of one that names none, the only model of the program is meant.
void experiment_without_model(Checking& in, ComponentId id)
{
    std::vector<ComponentId> models;
    for (std::size_t i = 0; i < in.program.components.size(); ++i)
        if (in.program.components[i].is_model && !in.program.components[i].is_experiment) models.emplace_back(i);
    const bool known = models.size() == 1 && component_body(in, models.front());
    in.report(Diag::invalid_experiment, in.program.component(id).span, "an experiment extends a model")
        .help(fmt::format("write `experiment {} : {} {{ ... }}`", in.program.component(id).name,
                          known ? in.program.component(models.front()).name : "Model"));
    if (known) in.program.components[id.value].base = models.front();
}

// The base's members, arguments and overrides.
void extend(Checking& in, ComponentId id, SyntaxId syntax)
{
    const Component base = in.program.component(in.program.component(id).base);  // a copy: values may grow the program
    const syntax::ComponentDeclaration written(in.tree, syntax);
    const SyntaxId name = written.base();
    auto given = arguments(in, written.base_arguments(), base.parameters, in.span(name), base.name, base.span);
    auto replaced = overrides(in, written.body(), in.program.component(id).base);
    Component& component = in.program.components[id.value];
    component.base_arguments = std::move(given);
    component.overrides = std::move(replaced);
    in.members = base.members;
    for (const Member& m : base.members) {
        if (m.type.kind == TypeKind::link || m.type.kind == TypeKind::workload) {  // names of their own
            in.links.try_emplace(m.name, Symbol{SymbolKind::local, m.slot, m.span, m.type});
            continue;
        }
        if (m.let) continue;  // known outside, and declared anew here if wanted
        const auto [it, fresh] =
            in.scopes.back().try_emplace(m.name, Symbol{SymbolKind::local, m.slot, m.span, m.type});
        if (!fresh)
            in.report(Diag::duplicate_name, it->second.span, fmt::format("`{}` is declared twice", m.name))
                .also(m.span, fmt::format("`{}` declares it here", base.name));
    }
}

void check_body(Checking& in, ComponentId id)
{
    in.body_progress[id.value] = Progress::active;
    in.open_components.push_back(id);
    CheckerScope saved = std::move(static_cast<CheckerScope&>(in));
    const SyntaxId syntax = in.component_syntax[id.value];
    enter(in, syntax);
    const syntax::ComponentDeclaration written(in.tree, syntax);
    if (written.has_base())
        if (const auto found = component_named(in, written.base(), in.program.component(id).is_model)) {
            if (component_body(in, *found) &&
                experiment_base(in, in.program, in.diagnostics, id, *found, written.base()))
                in.program.components[id.value].base = *found;
        }
    const bool lost = in.program.component(id).is_experiment && !in.program.component(id).base;
    if (in.program.component(id).is_experiment && !written.has_base()) experiment_without_model(in, id);
    in.component = id;
    in.scopes.emplace_back();
    const ComponentId base = in.program.component(id).base;
    if (base) in.slots = in.program.component(base).slot_count;
    if (base && in.needs_run[base.value]) in.needs_run[id.value] = true;
    if (in.program.component(id).is_experiment && base) {
        take_parameters(in, in.program, in.diagnostics, id, base);
    } else {
        std::vector<Parameter> parameters = in.program.component(id).parameters;
        parameter_values(in, written.parameters(), parameters);
        in.program.components[id.value].parameters = std::move(parameters);
    }
    if (base) {
        extend(in, id, syntax);
    } else {
        for (SyntaxId statement : syntax::Block(in.tree, written.body()).statements())
            if (in.tree.kind(statement) == SyntaxKind::override_stmt)
                in.report(Diag::misplaced_statement, in.tree.node(statement).token,
                          fmt::format("`{}` extends nothing that could be overridden", in.program.component(id).name))
                    .help("`override` stands in a component that extends another, or in the braces after an instance");
    }
    in.levels.emplace_back();
    in.body = written.body();
    auto body = statements(in, written.body());
    const Span text = in.span(written.body());
    if (lost)  // what the model has nobody knows
        in.diagnostics.drop_if([&](const Diagnostic& d) {
            return d.diag == Diag::unknown_name && d.span.file == text.file && text.begin <= d.span.begin &&
                   d.span.end <= text.end;
        });
    give_link_slots(in, in.program, body);
    Component& component = in.program.components[id.value];
    component.body = std::move(body);
    component.members = std::move(in.members);
    component.numbered = std::move(in.numbered);
    component.slot_count = in.slots;
    static_cast<CheckerScope&>(in) = std::move(saved);
    in.open_components.pop_back();
    in.body_progress[id.value] = Progress::done;
}

}  // namespace

void component_signature(Checking& in, ComponentId id)
{
    const SyntaxId syntax = in.component_syntax[id.value];
    enter(in, syntax);
    auto parameters = signature(in, syntax::ComponentDeclaration(in.tree, syntax).parameters(),
                                in.program.component(id).is_model, true);
    Component& component = in.program.components[id.value];
    component.parameters = std::move(parameters);
    component.declared = in.span(syntax);
    // What stands at the top of the file describes the model in it.
    if (component.is_model && component.doc.empty()) component.doc = file_doc(in.sources, in.tree, in.file);
}

bool component_body(Checking& in, ComponentId id)
{
    const auto too_deep = [&](ComponentId component) {
        in.report(Diag::nesting_too_deep, in.program.component(component).span,
                  fmt::format("components are made of each other more than {} deep", kDeepestComponents));
        return false;
    };
    if (in.body_progress[id.value] == Progress::untouched) {
        if (in.open_components.size() >= kDeepestComponents) {
            in.body_progress[id.value] = Progress::done;
            return too_deep(id);
        }
        check_body(in, id);
    }
    if (in.open_components.empty()) return true;
    std::uint32_t& around = in.component_depth[in.open_components.back().value];
    around = std::max(around, in.component_depth[id.value] + 1);
    if (around < kDeepestComponents) return true;
    around = 0;
    return too_deep(in.open_components.back());
}

}  // namespace anml

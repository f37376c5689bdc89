// Components and models: their parameters, then their bodies, each once, those that they instantiate first.
#include <fmt/format.h>

#include <algorithm>

#include "check/checker.h"
#include "syntax/file_doc.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

constexpr std::size_t kDeepestComponents = 100;  // bodies are checked in each other, and instances made in each other

}  // namespace

void Checker::component_signature(ComponentId id)
{
    const SyntaxId syntax = component_syntax_[id.value];
    enter(syntax);
    auto parameters =
        signature(syntax::ComponentDeclaration(tree_, syntax).parameters(), program_.component(id).is_model, true);
    Component& component = program_.components[id.value];
    component.parameters = std::move(parameters);
    component.declared = span(syntax);
    // What stands at the top of the file describes the model in it.
    if (component.is_model && component.doc.empty()) component.doc = file_doc(sources_, tree_, file_);
}

bool Checker::component_body(ComponentId id)
{
    const auto too_deep = [&](ComponentId component) {
        diagnostics_.report(Diag::nesting_too_deep, program_.component(component).span,
                            fmt::format("components are made of each other more than {} deep", kDeepestComponents));
        return false;
    };
    if (body_progress_[id.value] == Progress::untouched) {
        if (open_components_.size() >= kDeepestComponents) {
            body_progress_[id.value] = Progress::done;
            return too_deep(id);
        }
        check_body(id);
    }
    if (open_components_.empty()) return true;
    std::uint32_t& around = component_depth_[open_components_.back().value];
    around = std::max(around, component_depth_[id.value] + 1);
    if (around < kDeepestComponents) return true;
    around = 0;
    return too_deep(open_components_.back());
}

// Of one that names none, the only model of the program is meant.
void Checker::experiment_without_model(ComponentId id)
{
    std::vector<ComponentId> models;
    for (std::size_t i = 0; i < program_.components.size(); ++i)
        if (program_.components[i].is_model && !program_.components[i].is_experiment) models.emplace_back(i);
    const bool known = models.size() == 1 && component_body(models.front());
    diagnostics_.report(Diag::invalid_experiment, program_.component(id).span, "an experiment extends a model")
        .help(fmt::format("write `experiment {} : {} {{ ... }}`", program_.component(id).name,
                          known ? program_.component(models.front()).name : "Model"));
    if (known) program_.components[id.value].base = models.front();
}

void Checker::check_body(ComponentId id)
{
    body_progress_[id.value] = Progress::active;
    open_components_.push_back(id);
    CheckerScope saved = std::move(static_cast<CheckerScope&>(*this));
    const SyntaxId syntax = component_syntax_[id.value];
    enter(syntax);
    const syntax::ComponentDeclaration written(tree_, syntax);
    if (written.has_base())
        if (const auto found = component_named(written.base(), program_.component(id).is_model)) {
            if (component_body(*found) && experiment_base(id, *found, written.base()))
                program_.components[id.value].base = *found;
        }
    if (program_.component(id).is_experiment && !written.has_base())
        experiment_without_model(id);
    component_ = id;
    scopes_.emplace_back();
    const ComponentId base = program_.component(id).base;
    if (base) slots_ = program_.component(base).slot_count;
    if (base && needs_run_[base.value]) needs_run_[id.value] = true;
    if (program_.component(id).is_experiment && base) {
        take_parameters(id, base);
    } else {
        std::vector<Parameter> parameters = program_.component(id).parameters;
        parameter_values(written.parameters(), parameters);
        program_.components[id.value].parameters = std::move(parameters);
    }
    if (base) {
        extend(id, syntax);
    } else {
        for (SyntaxId statement : syntax::Block(tree_, written.body()).statements())
            if (tree_.kind(statement) == SyntaxKind::override_stmt)
                diagnostics_
                    .report(Diag::misplaced_statement, tree_.node(statement).token,
                            fmt::format("`{}` extends nothing that could be overridden", program_.component(id).name))
                    .help("`override` stands in a component that extends another, or in the braces after an instance");
    }
    levels_.emplace_back();
    body_ = written.body();
    auto body = statements(written.body());
    give_link_slots(body);
    Component& component = program_.components[id.value];
    component.body = std::move(body);
    component.members = std::move(members_);
    component.numbered = std::move(numbered_);
    component.slot_count = slots_;
    static_cast<CheckerScope&>(*this) = std::move(saved);
    open_components_.pop_back();
    body_progress_[id.value] = Progress::done;
}

void Checker::extend(ComponentId id, SyntaxId syntax)
{
    const Component base = program_.component(program_.component(id).base);  // a copy: values may grow the program
    const syntax::ComponentDeclaration written(tree_, syntax);
    const SyntaxId name = written.base();
    auto given = arguments(written.base_arguments(), base.parameters, span(name), base.name, base.span);
    auto replaced = overrides(written.body(), program_.component(id).base);
    Component& component = program_.components[id.value];
    component.base_arguments = std::move(given);
    component.overrides = std::move(replaced);
    members_ = base.members;
    for (const Member& m : base.members) {
        if (m.type.kind == TypeKind::link || m.type.kind == TypeKind::workload) {  // names of their own
            links_.try_emplace(m.name, Symbol{SymbolKind::local, m.slot, m.span, m.type});
            continue;
        }
        if (m.let) continue;  // known outside, and declared anew here if wanted
        const auto [it, fresh] = scopes_.back().try_emplace(m.name, Symbol{SymbolKind::local, m.slot, m.span, m.type});
        if (!fresh)
            diagnostics_.report(Diag::duplicate_name, it->second.span, fmt::format("`{}` is declared twice", m.name))
                .also(m.span, fmt::format("`{}` declares it here", base.name));
    }
}

}  // namespace anml

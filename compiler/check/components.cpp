// Components and models: their parameters, then their bodies, each once, those that they instantiate first.
#include <fmt/format.h>

#include "check/checker.h"

namespace anml {

void Checker::component_signature(ComponentId id)
{
    const SyntaxId syntax = component_syntax_[id.value];
    enter(syntax);
    auto parameters = signature(tree_.child(syntax, 1), program_.component(id).is_model);
    Component& component = program_.components[id.value];
    component.parameters = std::move(parameters);
    // A comment at the top of the file, before its imports, describes the model that follows them.
    const SyntaxId first = tree_.child(tree_.roots[file_.value], 0);
    const bool heads_file =
        tree_.kind(first) == SyntaxKind::import_decl || tree_.kind(first) == SyntaxKind::edition_decl;
    if (component.is_model && component.doc.empty() && heads_file) component.doc = doc(first);
}

void Checker::component_body(ComponentId id)
{
    if (body_progress_[id.value] != Progress::untouched) return;
    body_progress_[id.value] = Progress::active;
    open_components_.push_back(id);
    const Place saved = *this;
    const SyntaxId syntax = component_syntax_[id.value];
    enter(syntax);
    component_ = id;
    scopes_.emplace_back();
    std::vector<Parameter> parameters = program_.component(id).parameters;
    parameter_values(tree_.child(syntax, 1), parameters);
    program_.components[id.value].parameters = std::move(parameters);
    upcoming_.emplace_back();
    announce(tree_.child(syntax, 2), upcoming_.back());
    body_ = tree_.child(syntax, 2);
    auto body = statements(tree_.child(syntax, 2));
    give_link_slots(body);
    Component& component = program_.components[id.value];
    component.body = std::move(body);
    component.members = std::move(members_);
    component.slot_count = slots_;
    static_cast<Place&>(*this) = saved;
    open_components_.pop_back();
    body_progress_[id.value] = Progress::done;
}

}  // namespace anml

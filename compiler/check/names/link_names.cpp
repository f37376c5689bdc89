// Names of links and workloads. They are names of their own beside the values': a link may be called as its profile is.
// Those of one name, told apart by their indices, share a slot. Most are never named again, so in a model a name gets
// its slot with its first use; in a component, or a model that others extend, where any may be named from outside, each
// has one.
#include <fmt/format.h>

#include "check/checker.h"
#include "syntax/syntax_views.h"

namespace anml {

void Checker::declare_link(SyntaxId identifier, Type type)
{
    if (tree_.is_hole(identifier)) return;
    const Component& component = program_.component(component_);
    const bool outside = !component.is_model || extended_.contains(component.name);
    const auto [it, fresh] = links_.try_emplace(std::string(text(identifier)),
                                                Symbol{SymbolKind::local, abi::kNone, span(identifier), type});
    means(identifier, it->second.span);
    for (Level& level : levels_) level.links.erase(text(identifier));
    if (fresh && outside) {
        it->second.index = slots_++;
        members_.push_back({it->first, it->second.index, type, span(identifier)});
    }
    if (it->second.type == type) return;
    const auto what = [&](const Type& t) {
        const std::string one = t.kind == TypeKind::workload ? "a workload" : "a link";
        return t.kind == TypeKind::workload && t.array == 0
                   ? one
                   : fmt::format("{} with {} ind{}", one, t.array, t.array == 1 ? "ex" : "ices");
    };
    diagnostics_
        .report(Diag::duplicate_name, span(identifier),
                fmt::format("`{}` is {} here and {} elsewhere", it->first, what(type), what(it->second.type)))
        .also(it->second.span, "first declared here");
}

ExprId Checker::use_link(Symbol& symbol, SyntaxId id)
{
    if (symbol.index == abi::kNone) symbol.index = slots_++;
    return use_symbol(symbol, id);
}

// Where what is named changes, has a label or is measured: links and workloads come before values of their name.
ExprId Checker::link_or_value(SyntaxId id)
{
    if (tree_.kind(id) != SyntaxKind::name) return expression(id);
    if (check_link_named(text(id), span(id))) return error(span(id));
    const auto known = links_.find(text(id));
    return known != links_.end() ? use_link(known->second, id) : expression(id);
}

void Checker::give_link_slots(const std::vector<StatementId>& body)
{
    const auto slot = [&](const std::string& name) {
        const auto it = links_.find(name);
        return it == links_.end() ? abi::kNone : it->second.index;
    };
    for (const StatementId id : body) {
        auto& form = program_.statements[id.value].form;
        if (auto* link = std::get_if<LinkStatement>(&form)) link->slot = slot(link->name);
        if (auto* workload = std::get_if<WorkloadStatement>(&form)) workload->slot = slot(workload->name);
        if (auto* loop = std::get_if<ForStatement>(&form)) give_link_slots(loop->body);
        if (auto* condition = std::get_if<IfStatement>(&form)) {
            give_link_slots(condition->then);
            give_link_slots(condition->otherwise);
        }
    }
}

// Of those anywhere in the body that is looked at; null: none is called so.
const SyntaxNode* Checker::find_link(std::string_view name)
{
    if (links_found_in_ != body_) {
        body_links_.clear();
        collect_links(body_);
        links_found_in_ = body_;
    }
    const auto found = body_links_.find(name);
    return found == body_links_.end() ? nullptr : &found->second;
}

void Checker::collect_links(SyntaxId block)
{
    for (SyntaxId id : tree_.children_of(block)) {
        const SyntaxKind kind = tree_.kind(id);
        if (kind == SyntaxKind::link_decl || kind == SyntaxKind::workload_decl) {
            const bool link = kind == SyntaxKind::link_decl;
            const SyntaxNode identifier = tree_.node(link ? syntax::LinkDeclaration(tree_, id).name()
                                                          : syntax::WorkloadDeclaration(tree_, id).name());
            if (identifier.kind != SyntaxKind::none)
                body_links_.try_emplace(unquoted(sources_.text(identifier.span)), identifier);
        }
        if (kind == SyntaxKind::for_stmt || kind == SyntaxKind::if_stmt || kind == SyntaxKind::block)
            collect_links(id);
    }
}

}  // namespace anml

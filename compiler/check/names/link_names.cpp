// Names of links and workloads. They are names of their own beside the values': a link may be called as its profile is.
// Those of one name, told apart by their indices, share a slot. Most are never named again, so in a model a name gets
// its slot with its first use; in a component, or a model that others extend, where any may be named from outside, each
// has one.
#include <fmt/format.h>

#include "check/statements/statements.h"
#include "syntax/syntax_views.h"

namespace anml {
namespace {

void collect_links(Checking& in, SyntaxId block)
{
    for (SyntaxId id : in.tree.children_of(block)) {
        const SyntaxKind kind = in.tree.kind(id);
        if (kind == SyntaxKind::link_decl || kind == SyntaxKind::workload_decl) {
            const bool link = kind == SyntaxKind::link_decl;
            const SyntaxNode identifier = in.tree.node(link ? syntax::LinkDeclaration(in.tree, id).name()
                                                            : syntax::WorkloadDeclaration(in.tree, id).name());
            if (identifier.kind != SyntaxKind::none)
                in.body_links.try_emplace(unquoted(in.sources.text(identifier.span)), identifier);
        }
        if (kind == SyntaxKind::for_stmt || kind == SyntaxKind::if_stmt || kind == SyntaxKind::block)
            collect_links(in, id);
    }
}

}  // namespace

void declare_link(Checking& in, SyntaxId identifier, Type type)
{
    if (in.tree.is_hole(identifier)) return;
    const Component& component = in.program.component(in.component);
    const bool outside = !component.is_model || in.extended.contains(component.name);
    const auto [it, fresh] = in.links.try_emplace(std::string(in.text(identifier)),
                                                  Symbol{SymbolKind::local, abi::kNone, in.span(identifier), type});
    in.means(identifier, it->second.span);
    for (Level& level : in.levels) level.links.erase(in.text(identifier));
    if (fresh && outside) {
        it->second.index = in.slots++;
        in.members.push_back({it->first, it->second.index, type, in.span(identifier)});
    }
    if (it->second.type == type) return;
    const auto what = [&](const Type& t) {
        const std::string one = t.kind == TypeKind::workload ? "a workload" : "a link";
        return t.kind == TypeKind::workload && t.array == 0
                   ? one
                   : fmt::format("{} with {} ind{}", one, t.array, t.array == 1 ? "ex" : "ices");
    };
    in.report(Diag::duplicate_name, in.span(identifier),
              in.loops == 0
                  ? fmt::format("`{}` is declared twice", it->first)
                  : fmt::format("`{}` is {} here and {} elsewhere", it->first, what(type), what(it->second.type)))
        .also(it->second.span, "first declared here");
}

ExprId use_link(Checking& in, Symbol& symbol, SyntaxId id)
{
    if (symbol.index == abi::kNone) symbol.index = in.slots++;
    return use_symbol(in, symbol, id);
}

// Where what is named changes, has a label or is measured: links and workloads come before values of their name.
ExprId link_or_value(Checking& in, SyntaxId id)
{
    if (in.tree.kind(id) != SyntaxKind::name) return expression(in, id);
    if (check_link_named(in, in.text(id), in.span(id))) return in.error(in.span(id));
    const auto known = in.links.find(in.text(id));
    return known != in.links.end() ? use_link(in, known->second, id) : expression(in, id);
}

void give_link_slots(CheckerScope& scope, CheckedProgram& program, const std::vector<StatementId>& body)
{
    const auto slot = [&](const std::string& name) {
        const auto it = scope.links.find(name);
        return it == scope.links.end() ? abi::kNone : it->second.index;
    };
    for (const StatementId id : body) {
        auto& form = program.statements[id.value].form;
        if (auto* link = std::get_if<LinkStatement>(&form)) link->slot = slot(link->name);
        if (auto* workload = std::get_if<WorkloadStatement>(&form)) workload->slot = slot(workload->name);
        if (auto* loop = std::get_if<ForStatement>(&form)) give_link_slots(scope, program, loop->body);
        if (auto* condition = std::get_if<IfStatement>(&form)) {
            give_link_slots(scope, program, condition->then);
            give_link_slots(scope, program, condition->otherwise);
        }
    }
}

// Of those anywhere in the body that is looked at; null: none is called so.
const SyntaxNode* find_link(Checking& in, std::string_view name)
{
    if (in.links_found_in != in.body) {
        in.body_links.clear();
        collect_links(in, in.body);
        in.links_found_in = in.body;
    }
    const auto found = in.body_links.find(name);
    return found == in.body_links.end() ? nullptr : &found->second;
}

}  // namespace anml

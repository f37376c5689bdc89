// What views ask of the table of children: whether a node is what it is taken for, and where a child of some name is.
#include "syntax/syntax_views.h"

#include "syntax/syntax_shapes.h"

namespace anml::syntax {

namespace {

// The child of that name of a node of any kind.
SyntaxId child_named(const SyntaxTree& tree, SyntaxId id, std::string_view name)
{
    const std::span<const Child> children = children_of(tree.kind(id));
    for (std::size_t i = 0; i < children.size(); ++i)
        if (children[i].name == name) return tree.children_of(id)[i];
    return {};
}

}  // namespace

bool View::stands_for(SyntaxKind kind) const
{
    const std::span<const Child> children = children_of(kind);
    if (tree_->is_none(id_) || tree_->is_hole(id_)) return children.front().cardinality == Cardinality::many;
    return children.data() == children_of(tree_->kind(id_)).data();
}

SyntaxId name_of(const SyntaxTree& tree, SyntaxId id) { return child_named(tree, id, "name"); }
SyntaxId parameters_of(const SyntaxTree& tree, SyntaxId id) { return child_named(tree, id, "parameters"); }
SyntaxId timeline_of(const SyntaxTree& tree, SyntaxId id) { return child_named(tree, id, "timeline"); }

}  // namespace anml::syntax

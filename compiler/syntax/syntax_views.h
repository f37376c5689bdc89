// Typed views of nodes: children by the names that syntax_kinds.def gives them.
//
//     const syntax::LinkDeclaration link(tree, id);
//     if (link.has_name()) declare(link.name());
//     expression(link.left());
//
// A view is a reference to the tree and an id, made where it is read. Its kind must be the node's, which builds with
// assertions check; a view with nothing but a list may also stand on a `none` node or a hole, of which the list is
// empty.
//
// In the tree of a text with errors every child may be a hole, also one that a view says is there (`has_name`), and so
// may each element of a list: `tree.is_hole(id)` tells. A hole has no children, and no view but those of lists stands
// on it; its text is empty or words that were skipped.
#pragma once

#include <cassert>
#include <span>

#include "syntax/syntax_tree.h"

namespace anml::syntax {

// Of a node of any kind, its child of that name: invalid where its kind has none, a `none` node where it is absent.
// These search the list of its children: in loops over many nodes views are better.
SyntaxId name_of(const SyntaxTree& tree, SyntaxId id);
SyntaxId parameters_of(const SyntaxTree& tree, SyntaxId id);
SyntaxId timeline_of(const SyntaxTree& tree, SyntaxId id);

namespace position {

#define ANML_SYNTAX(kind, View, children) \
    struct View {                         \
        enum : std::size_t { children };  \
    };
#define ANML_SYNTAX_LIKE(kind, other)
#define ANML_SYNTAX_LEAF(kind)
#define ONE(name, kinds) name,
#define OPTIONAL(name, kinds) name,
#define MANY(name, kinds) name,
#include "syntax/syntax_kinds.def"

}  // namespace position

class View {
  public:
    SyntaxId id() const { return id_; }

  protected:
    View(const SyntaxTree& tree, SyntaxId id, [[maybe_unused]] SyntaxKind kind) : tree_(&tree), id_(id)
    {
        assert(stands_for(kind));
    }
    SyntaxId child(std::size_t position) const { return tree_->child(id_, position); }
    bool has(std::size_t position) const { return !tree_->is_none(child(position)); }
    std::span<const SyntaxId> children_from(std::size_t position) const
    {
        return tree_->children_of(id_).subspan(position);
    }

  private:
    bool stands_for(SyntaxKind kind) const;  // whether the node has the children of that kind

    const SyntaxTree* tree_;
    SyntaxId id_;
};

#define ANML_SYNTAX(kind, Name, children)                                                   \
    class Name : public View {                                                              \
        using At = position::Name;                                                          \
                                                                                            \
      public:                                                                               \
        Name(const SyntaxTree& tree, SyntaxId node) : View(tree, node, SyntaxKind::kind) {} \
        children                                                                            \
    };                                                                                      \
    static_assert(sizeof(Name) <= 2 * sizeof(void*));
#define ANML_SYNTAX_LIKE(kind, other)
#define ANML_SYNTAX_LEAF(kind)
#define ONE(name, kinds) \
    SyntaxId name() const { return child(At::name); }
#define OPTIONAL(name, kinds)                         \
    SyntaxId name() const { return child(At::name); } \
    bool has_##name() const { return has(At::name); }
#define MANY(name, kinds) \
    std::span<const SyntaxId> name() const { return children_from(At::name); }
#include "syntax/syntax_kinds.def"

}  // namespace anml::syntax

// The table of children, made of syntax_kinds.def.
#include "syntax/syntax_shapes.h"

namespace anml::syntax {

namespace kinds {

#define ANML_SYNTAX(kind, View, children) constexpr KindSet kind{SyntaxKind::kind};
#define ANML_SYNTAX_LIKE(kind, other) constexpr KindSet kind{SyntaxKind::kind};
#define ANML_SYNTAX_LEAF(kind) constexpr KindSet kind{SyntaxKind::kind};
#define ANML_SYNTAX_GROUP(group, kinds) constexpr KindSet group = kinds;
#include "syntax/syntax_kinds.def"

#define ANML_SYNTAX(kind, View, children) constexpr Child children_of_##kind[] = {children};
#define ANML_SYNTAX_LIKE(kind, other) constexpr auto& children_of_##kind = children_of_##other;
#define ANML_SYNTAX_LEAF(kind)
#define ONE(name, kinds) {#name, Cardinality::one, kinds},
#define OPTIONAL(name, kinds) {#name, Cardinality::optional, kinds},
#define MANY(name, kinds) {#name, Cardinality::many, kinds},
#include "syntax/syntax_kinds.def"

}  // namespace kinds

namespace {

constexpr std::span<const Child> kChildren[] = {
#define ANML_SYNTAX(kind, View, children) kinds::children_of_##kind,
#define ANML_SYNTAX_LIKE(kind, other) kinds::children_of_##kind,
#define ANML_SYNTAX_LEAF(kind) {},
#include "syntax/syntax_kinds.def"
};

constexpr bool only_the_last_is_many()
{
    for (const std::span<const Child> children : kChildren)
        for (std::size_t i = 0; i + 1 < children.size(); ++i)
            if (children[i].cardinality == Cardinality::many) return false;
    return true;
}
static_assert(only_the_last_is_many());

}  // namespace

std::span<const Child> children_of(SyntaxKind kind) { return kChildren[static_cast<std::size_t>(kind)]; }

}  // namespace anml::syntax

// Statements of the timeline, and static routes.
#include "format/layout.h"

namespace anml {

// A keyword, or two (`ramp from`), then times with words between them, then the block.
void Layout::timeline(SyntaxId id)
{
    const auto children = tree_.children_of(id);
    int keywords = tree_.kind(id) == SyntaxKind::ramp_stmt ? 2 : 1;
    for (SyntaxId time : children.first(children.size() - 1)) {
        if (tree_.is_none(time)) continue;
        words(keywords);
        keywords = 1;
        expression(time);
        space();
    }
    line_list(tree_.children_of(children.back()), &Layout::action);
}

void Layout::action(SyntaxId id)
{
    if (tree_.kind(id) == SyntaxKind::require_stmt) return statement(id);
    expression(tree_.child(id, 0));
    space();
    if (!tree_.is_none(tree_.child(id, 1))) {
        words(1);
        expression(tree_.child(id, 1));
        space();
    }
    const SyntaxId attributes = tree_.child(id, 2);
    if (tree_.is_none(attributes)) return word();
    line_list(tree_.children_of(attributes), &Layout::attribute);
}

void Layout::route(SyntaxId id)
{
    word();
    for (SyntaxId part : tree_.children_of(id)) {
        space();
        expression(part);
        if (part == tree_.child(id, 2)) break;
        space();
        word();
    }
}

}  // namespace anml

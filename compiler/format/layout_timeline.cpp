// Statements of the timeline, and static routes.
#include "format/layout.h"
#include "syntax/syntax_views.h"

namespace anml {

// A keyword, or two (`ramp from`), then times with words between them, then the block.
void Layout::timeline(SyntaxId id)
{
    const SyntaxId block = syntax::timeline_of(tree_, id);
    int keywords = tree_.kind(id) == SyntaxKind::ramp_stmt ? 2 : 1;
    for (SyntaxId time : tree_.children_of(id)) {
        if (time == block || tree_.is_none(time)) continue;
        words(keywords);
        keywords = 1;
        tree_.kind(time) == SyntaxKind::identifier ? word() : expression(time);
        space();
    }
    line_list(syntax::TimelineBlock(tree_, block).items(), &Layout::action);
}

void Layout::action(SyntaxId id)
{
    if (tree_.kind(id) == SyntaxKind::require_stmt) return statement(id);
    const syntax::Action action(tree_, id);
    expression(action.object());
    space();
    if (action.has_other()) {
        words(1);
        expression(action.other());
        space();
    }
    if (!action.has_attributes()) return word();
    line_list(syntax::AttributeBlock(tree_, action.attributes()).attributes(), &Layout::attribute);
}

void Layout::route(SyntaxId id)
{
    const syntax::RouteStatement route(tree_, id);
    word();
    for (SyntaxId part : {route.source(), route.destination(), route.via()}) {
        space();
        expression(part);
        if (part == route.via()) break;
        space();
        word();
    }
    if (!route.has_attributes()) return;
    space();
    line_list(syntax::AttributeBlock(tree_, route.attributes()).attributes(), &Layout::attribute);
}

}  // namespace anml

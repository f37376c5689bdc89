// Statements of the timeline, and static routes.
#include "format/layout.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

void action(Layout& in, SyntaxId id)
{
    if (in.tree.kind(id) == SyntaxKind::require_stmt) return statement(in, id);
    const syntax::Action action(in.tree, id);
    expression(in, action.object());
    in.space();
    if (action.has_other()) {
        in.words(1);
        expression(in, action.other());
        in.space();
    }
    if (!action.has_attributes()) return in.word();
    attribute_lines(in, action.attributes());
}

}  // namespace

// A keyword, or two (`ramp from`), then times with words between them, then the block.
void timeline(Layout& in, SyntaxId id)
{
    const SyntaxId block = syntax::timeline_of(in.tree, id);
    int keywords = in.tree.kind(id) == SyntaxKind::ramp_stmt ? 2 : 1;
    for (SyntaxId time : in.tree.children_of(id)) {
        if (time == block || in.tree.is_none(time)) continue;
        in.words(keywords);
        keywords = 1;
        in.tree.kind(time) == SyntaxKind::identifier ? in.word() : expression(in, time);
        in.space();
    }
    line_list(in, syntax::TimelineBlock(in.tree, block).items(), action);
}

void route(Layout& in, SyntaxId id)
{
    const syntax::RouteStatement route(in.tree, id);
    in.word();
    for (SyntaxId part : {route.source(), route.destination(), route.via()}) {
        in.space();
        expression(in, part);
        if (part == route.via()) break;
        in.space();
        in.word();
    }
    if (!route.has_attributes()) return;
    in.space();
    attribute_lines(in, route.attributes());
}

}  // namespace anml

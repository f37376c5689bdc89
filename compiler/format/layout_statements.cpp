// Nodes, instances, links, overrides, `for` and `if`.
#include "format/layout.h"
#include "syntax/syntax_views.h"

namespace anml {

void annotated(Layout& in, SyntaxId id)
{
    const syntax::Annotated annotated(in.tree, id);
    const SyntaxId declaration = annotated.declaration();
    annotation(in, annotated.annotation());
    in.tree.kind(declaration) == SyntaxKind::node_decl ? node(in, declaration, Form::annotated)
                                                       : instance(in, declaration, Form::annotated);
}

void annotation(Layout& in, SyntaxId id)
{
    in.glued_words(2);
    call_arguments(in, syntax::Annotation(in.tree, id).arguments());
    in.space();
}

void node(Layout& in, SyntaxId id, Form form)
{
    const syntax::NodeDeclaration node(in.tree, id);
    in.word();
    in.cell(form, 0);
    in.word();
    brackets(in, node.brackets());
    optional_attributes(in, node.attributes(), form, 1);
}

void instance(Layout& in, SyntaxId id, Form form)
{
    const syntax::InstanceDeclaration instance(in.tree, id);
    dotted_name(in, instance.component());
    in.cell(form, 0);
    in.word();
    brackets(in, instance.brackets());
    if (instance.has_arguments()) {
        in.no_gap();
        call_arguments(in, instance.arguments());
    }
    if (!instance.has_overrides()) return;
    in.space();
    block(in, instance.overrides());
}

void override(Layout& in, SyntaxId id)
{
    const syntax::OverrideStatement override(in.tree, id);
    in.words(1);
    dotted_name(in, override.target());
    if (override.has_profile()) {
        in.space();
        in.words(1);
        expression(in, override.profile());
    }
    if (override.has_attributes()) {
        in.space();
        attribute_lines(in, override.attributes());
    }
}

void link(Layout& in, SyntaxId id)
{
    const syntax::LinkDeclaration link(in.tree, id);
    in.words(1);
    if (link.has_name()) {
        in.word();
        brackets(in, link.brackets());
        in.no_gap();
        in.word();
        in.cell(Form::link, 0);
    }
    expression(in, link.left());
    in.space();
    in.words(1);
    expression(in, link.right());
    if (link.has_profile()) {
        in.cell(Form::link, 1, kContinued);
        in.words(1);
        expression(in, link.profile());
    }
    optional_attributes(in, link.attributes(), Form::link, 2);
}

void for_stmt(Layout& in, SyntaxId id)
{
    const syntax::ForStatement loop(in.tree, id);
    in.words(1);
    if (loop.has_number()) {
        in.word();
        in.no_gap();
        in.words(1);
    }
    in.words(2);
    expression(in, loop.over());
    in.space();
    if (loop.has_condition()) {
        in.words(1);
        expression(in, loop.condition());
        in.space();
    }
    block(in, loop.body());
}

void if_stmt(Layout& in, SyntaxId id)
{
    const syntax::IfStatement choice(in.tree, id);
    in.words(1);
    expression(in, choice.condition());
    in.space();
    block(in, choice.then());
    if (!choice.has_otherwise()) return;
    const SyntaxId otherwise = choice.otherwise();
    in.space();
    in.words(1);
    in.tree.kind(otherwise) == SyntaxKind::if_stmt ? if_stmt(in, otherwise) : block(in, otherwise);
}

}  // namespace anml

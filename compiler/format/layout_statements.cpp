// Nodes, instances, links, overrides, `for` and `if`.
#include "format/layout.h"
#include "syntax/syntax_views.h"

namespace anml {

void Layout::annotated(SyntaxId id)
{
    const syntax::Annotated annotated(tree_, id);
    const SyntaxId declaration = annotated.declaration();
    annotation(annotated.annotation());
    tree_.kind(declaration) == SyntaxKind::node_decl ? node(declaration, Form::annotated)
                                                     : instance(declaration, Form::annotated);
}

void Layout::annotation(SyntaxId id)
{
    glued_words(2);
    call_arguments(syntax::Annotation(tree_, id).arguments());
    space();
}

void Layout::node(SyntaxId id, Form form)
{
    const syntax::NodeDeclaration node(tree_, id);
    word();
    cell(form, 0);
    word();
    brackets(node.brackets());
    optional_attributes(node.attributes(), form, 1);
}

void Layout::instance(SyntaxId id, Form form)
{
    const syntax::InstanceDeclaration instance(tree_, id);
    dotted_name(instance.component());
    cell(form, 0);
    word();
    brackets(instance.brackets());
    if (instance.has_arguments()) {
        no_gap();
        call_arguments(instance.arguments());
    }
    if (!instance.has_overrides()) return;
    space();
    block(instance.overrides());
}

void Layout::override(SyntaxId id)
{
    const syntax::OverrideStatement override(tree_, id);
    words(1);
    dotted_name(override.target());
    if (override.has_profile()) {
        space();
        words(1);
        expression(override.profile());
    }
    if (override.has_attributes()) {
        space();
        line_list(syntax::AttributeBlock(tree_, override.attributes()).attributes(), &Layout::attribute);
    }
}

void Layout::link(SyntaxId id)
{
    const syntax::LinkDeclaration link(tree_, id);
    words(1);
    if (link.has_name()) {
        word();
        brackets(link.brackets());
        no_gap();
        word();
        cell(Form::link, 0);
    }
    expression(link.left());
    space();
    words(1);
    expression(link.right());
    if (link.has_profile()) {
        cell(Form::link, 1, kContinued);
        words(1);
        expression(link.profile());
    }
    optional_attributes(link.attributes(), Form::link, 2);
}

void Layout::for_stmt(SyntaxId id)
{
    const syntax::ForStatement loop(tree_, id);
    words(1);
    if (loop.has_number()) {
        word();
        no_gap();
        words(1);
    }
    words(2);
    tree_.kind(loop.over()) == SyntaxKind::range ? range(loop.over()) : expression(loop.over());
    space();
    if (loop.has_condition()) {
        words(1);
        expression(loop.condition());
        space();
    }
    block(loop.body());
}

void Layout::if_stmt(SyntaxId id)
{
    const syntax::IfStatement choice(tree_, id);
    words(1);
    expression(choice.condition());
    space();
    block(choice.then());
    if (!choice.has_otherwise()) return;
    const SyntaxId otherwise = choice.otherwise();
    space();
    words(1);
    tree_.kind(otherwise) == SyntaxKind::if_stmt ? if_stmt(otherwise) : block(otherwise);
}

}  // namespace anml

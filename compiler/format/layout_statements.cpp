// Nodes, instances, links, overrides and `if`.
#include "format/layout.h"

namespace anml {

void Layout::annotated(SyntaxId id)
{
    const SyntaxId annotation = tree_.child(id, 0), declaration = tree_.child(id, 1);
    glued_words(2);
    call_arguments(tree_.child(annotation, 1));
    space();
    tree_.kind(declaration) == SyntaxKind::node_decl ? node(declaration, Form::annotated)
                                                     : instance(declaration, Form::annotated);
}

void Layout::node(SyntaxId id, Form form)
{
    word();
    cell(form, 0);
    word();
    count(tree_.child(id, 1));
    optional_attributes(tree_.child(id, 2), form, 1);
}

void Layout::instance(SyntaxId id, Form form)
{
    dotted_name(tree_.child(id, 0));
    cell(form, 0);
    word();
    count(tree_.child(id, 2));
    if (!tree_.is_none(tree_.child(id, 3))) {
        no_gap();
        call_arguments(tree_.child(id, 3));
    }
    if (tree_.is_none(tree_.child(id, 4))) return;
    space();
    block(tree_.child(id, 4));
}

void Layout::override(SyntaxId id)
{
    words(1);
    dotted_name(tree_.child(id, 0));
    if (const SyntaxId profile = tree_.child(id, 1); !tree_.is_none(profile)) {
        space();
        words(1);
        expression(profile);
    }
    if (const SyntaxId attributes = tree_.child(id, 2); !tree_.is_none(attributes)) {
        space();
        line_list(tree_.children_of(attributes), &Layout::attribute);
    }
}

void Layout::link(SyntaxId id)
{
    auto child = [&](std::size_t i) { return tree_.child(id, i); };
    words(1);
    if (!tree_.is_none(child(0))) {
        word();
        count(child(1));
        no_gap();
        word();
        cell(Form::link, 0);
    }
    expression(child(2));
    space();
    words(1);
    expression(child(3));
    if (!tree_.is_none(child(4))) {
        cell(Form::link, 1, kContinued);
        words(1);
        expression(child(4));
    }
    optional_attributes(child(5), Form::link, 2);
}

void Layout::if_stmt(SyntaxId id)
{
    words(1);
    expression(tree_.child(id, 0));
    space();
    block(tree_.child(id, 1));
    SyntaxId otherwise = tree_.child(id, 2);
    if (tree_.is_none(otherwise)) return;
    space();
    words(1);
    tree_.kind(otherwise) == SyntaxKind::if_stmt ? if_stmt(otherwise) : block(otherwise);
}

}  // namespace anml

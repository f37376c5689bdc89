// Schemas, profiles, processes and functions, and what declarations have in common: parameters, types, attributes.
#include "format/layout.h"

namespace anml {

void Layout::schema(SyntaxId id)
{
    words(1);
    word();
    if (!tree_.is_none(tree_.child(id, 1))) {
        space();
        words(1);
        dotted_name(tree_.child(id, 1));
    }
    space();
    item_lines(tree_.children_of(id).subspan(2), &Layout::schema_item);
}

void Layout::schema_item(SyntaxId id)
{
    tree_.kind(id) == SyntaxKind::require_stmt ? statement(id) : attribute_decl(id);
    if (!next_is(",")) return;
    bool documented = false;
    for (std::size_t c : comments_ahead()) documented |= tree_.tokens[c].cls == TokenClass::doc_comment;
    documented ? print_comma() : void(++at_);
}

void Layout::attribute_decl(SyntaxId id)
{
    glued_words(1);
    word();
    cell(Form::declared_attribute, 0);
    declared_type(id);
}

// Of an attribute or a parameter: its type, pattern, range and default.
void Layout::declared_type(SyntaxId id)
{
    type(tree_.child(id, 1), tree_.child(id, 2));
    if (!tree_.is_none(tree_.child(id, 3))) {
        space();
        words(1);
        word();
    }
    optional_range(tree_.child(id, 4));
    optional_default(tree_.child(id, 5));
}

void Layout::parameter(SyntaxId id)
{
    bool tunable = tree_.node(id).flags & syntax_flag::tunable;
    if (tunable) {
        words(1);
    }
    glued_words(1);
    word();
    cell(tunable ? Form::tunable : Form::parameter, 0);
    declared_type(id);
}

void Layout::type(SyntaxId id, SyntaxId cardinality)
{
    if (token(at_).span.begin < tree_.node(id).span.begin) {
        words(1);
    }
    dotted_name(id);
    if (next_is("[")) {
        no_gap();
        glued_words(1);
        if (cardinality.valid() && !tree_.is_none(cardinality)) {
            tree_.kind(cardinality) == SyntaxKind::range ? range(cardinality) : expression(cardinality);
            no_gap();
        }
        word();
    }
    if (next_is("?")) {
        no_gap();
        word();
    }
}

void Layout::function(SyntaxId id)
{
    words(1);
    word();
    optional_parameters(tree_.child(id, 1));
    no_gap();
    words(1);
    type(tree_.child(id, 2), {});
    space();
    word();
    begin_group();
    begin_indent(kContinued);
    gap(Kind::line);
    expression(tree_.child(id, 3));
    end_indent();
    end_group();
}

void Layout::optional_parameters(SyntaxId list)
{
    if (tree_.is_none(list)) return;
    no_gap();
    comma_list(tree_.children_of(list), &Layout::parameter);
}

void Layout::optional_range(SyntaxId id)
{
    if (tree_.is_none(id)) return;
    space();
    words(1);
    range(id);
}

void Layout::optional_default(SyntaxId id)
{
    if (tree_.is_none(id)) return;
    space();
    words(1);
    expression(id);
}

void Layout::optional_attributes(SyntaxId id, Form form, std::uint8_t column)
{
    if (tree_.is_none(id)) return;
    cell(form, column);
    line_list(tree_.children_of(id), &Layout::attribute);
}

void Layout::attribute(SyntaxId id)
{
    word();
    const SyntaxId value = tree_.child(id, 1);
    if (tree_.kind(value) == SyntaxKind::attribute_block) {
        space();
        line_list(tree_.children_of(value), &Layout::attribute);
        return;
    }
    cell(Form::attribute, 0);
    words(1);
    tree_.kind(value) == SyntaxKind::range ? range(value) : expression(value);
}

void Layout::profile(SyntaxId id)
{
    words(1);
    word();
    optional_parameters(tree_.child(id, 1));
    cell(Form::profile, 0);
    words(1);
    dotted_name(tree_.child(id, 2));
    optional_attributes(tree_.child(id, 3), Form::profile, 1);
}

void Layout::process(SyntaxId id)
{
    words(1);
    word();
    optional_parameters(tree_.child(id, 1));
    space();
    words(1);
    dotted_name(tree_.child(id, 2));
    space();
    item_lines(tree_.children_of(id).subspan(3), &Layout::process_item);
}

void Layout::process_item(SyntaxId id)
{
    words(1);
    if (tree_.kind(id) == SyntaxKind::yield_stmt) return expression(tree_.child(id, 0));
    glued_words(1);
    words(1);
    dotted_name(tree_.child(id, 1));
    space();
    words(1);
    expression(tree_.child(id, 2));
    begin_group();
    begin_indent(kContinued);
    gap(Kind::line);
    words(1);
    expression(tree_.child(id, 3));
    end_indent();
    end_group();
}

}  // namespace anml

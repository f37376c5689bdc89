// Schemas, profiles, processes, functions and components, and what declarations have in common: parameters, types,
// attributes.
#include "format/layout.h"
#include "syntax/syntax_views.h"

namespace anml {

void Layout::schema(SyntaxId id)
{
    const syntax::SchemaDeclaration schema(tree_, id);
    words(1);
    word();
    if (schema.has_base()) {
        space();
        words(1);
        dotted_name(schema.base());
    }
    space();
    item_lines(schema.items(), &Layout::schema_item);
}

void Layout::schema_item(SyntaxId id)
{
    switch (tree_.kind(id)) {
        case SyntaxKind::require_stmt:
            statement(id);
            break;
        case SyntaxKind::extra_item:
            word();
            break;
        case SyntaxKind::trait_decl:
            trait(id);
            break;
        case SyntaxKind::annotated: {
            const syntax::Annotated annotated(tree_, id);
            annotation(annotated.annotation());
            attribute_decl(annotated.declaration(), Form::annotated_attribute);
            break;
        }
        default:
            attribute_decl(id, Form::declared_attribute);
            break;
    }
    if (!next_is(",")) return;
    bool documented = false;
    for (std::size_t c : comments_ahead()) documented |= tree_.tokens[c].cls == TokenClass::doc_comment;
    documented ? print_comma() : void(++at_);
}

void Layout::attribute_decl(SyntaxId id, Form form)
{
    glued_words(1);
    word();
    cell(form, 0);
    declared_type(id);
}

void Layout::trait(SyntaxId id)
{
    words(1);
    word();
    cell(Form::trait, 0);
    words(1);
    expression(syntax::TraitDeclaration(tree_, id).value());
}

// Of an attribute or a parameter: its type, pattern, range and default.
void Layout::declared_type(SyntaxId id)
{
    const syntax::ValueDeclaration declared(tree_, id);
    type(declared.type(), declared.cardinality());
    if (declared.has_pattern()) {
        space();
        words(1);
        word();
    }
    optional_range(declared.range());
    optional_default(declared.preset());
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
    if (tree_.node(id).flags & syntax_flag::like) {
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
    const syntax::FunctionDeclaration function(tree_, id);
    words(1);
    word();
    optional_parameters(function.parameters());
    no_gap();
    words(1);
    type(function.type(), {});
    space();
    word();
    begin_group();
    begin_indent(kContinued);
    gap(Kind::line);
    expression(function.value());
    end_indent();
    end_group();
}

void Layout::component(SyntaxId id)
{
    const syntax::ComponentDeclaration component(tree_, id);
    words(1);
    word();
    optional_parameters(component.parameters());
    if (component.has_base()) {
        space();
        words(1);
        dotted_name(component.base());
        if (component.has_base_arguments()) {
            no_gap();
            call_arguments(component.base_arguments());
        }
    }
    space();
    block(component.body());
}

void Layout::optional_parameters(SyntaxId list)
{
    if (tree_.is_none(list)) return;
    no_gap();
    comma_list(syntax::ParameterList(tree_, list).parameters(), &Layout::parameter);
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
    line_list(syntax::AttributeBlock(tree_, id).attributes(), &Layout::attribute);
}

void Layout::attribute(SyntaxId id)
{
    word();
    const SyntaxId value = syntax::Attribute(tree_, id).value();
    if (tree_.kind(value) == SyntaxKind::attribute_block) {
        space();
        line_list(syntax::AttributeBlock(tree_, value).attributes(), &Layout::attribute);
        return;
    }
    cell(Form::attribute, 0);
    words(1);
    tree_.kind(value) == SyntaxKind::range ? range(value) : expression(value);
}

void Layout::profile(SyntaxId id)
{
    const syntax::ProfileDeclaration profile(tree_, id);
    words(1);
    word();
    optional_parameters(profile.parameters());
    cell(Form::profile, 0);
    words(1);
    dotted_name(profile.schema());
    if (profile.has_arguments()) {
        no_gap();
        call_arguments(profile.arguments());
    }
    optional_attributes(profile.attributes(), Form::profile, 1);
}

void Layout::process(SyntaxId id)
{
    const syntax::ProcessDeclaration process(tree_, id);
    words(1);
    word();
    optional_parameters(process.parameters());
    space();
    words(1);
    dotted_name(process.type());
    space();
    item_lines(process.items(), &Layout::process_item);
}

void Layout::process_item(SyntaxId id)
{
    words(1);
    if (tree_.kind(id) == SyntaxKind::yield_stmt) return expression(syntax::YieldStatement(tree_, id).value());
    const syntax::StateDeclaration state(tree_, id);
    glued_words(1);
    words(1);
    dotted_name(state.type());
    space();
    words(1);
    expression(state.initial());
    begin_group();
    begin_indent(kContinued);
    gap(Kind::line);
    words(1);
    expression(state.next());
    end_indent();
    end_group();
}

}  // namespace anml

// Schemas, profiles, processes, functions and components, and what declarations have in common: parameters, types,
// attributes.
#include "format/layout.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

// With what may stand around it: `random`, `[n]`, `?`.
void type(Layout& in, SyntaxId id, SyntaxId cardinality)
{
    if (in.token(in.at).span.begin < in.tree.node(id).span.begin) in.words(1);
    if (in.tree.node(id).flags & syntax_flag::like) in.words(1);
    dotted_name(in, id);
    if (in.next_is("[")) {
        in.no_gap();
        in.glued_words(1);
        if (cardinality.valid() && !in.tree.is_none(cardinality)) {
            expression(in, cardinality);
            in.no_gap();
        }
        in.word();
    }
    if (in.next_is("?")) {
        in.no_gap();
        in.word();
    }
}

void optional_value(Layout& in, SyntaxId id)
{
    if (in.tree.is_none(id)) return;
    in.space();
    in.words(1);
    expression(in, id);
}

// Of an attribute or a parameter: its type, pattern, range and default.
void declared_type(Layout& in, SyntaxId id)
{
    const syntax::ValueDeclaration declared(in.tree, id);
    type(in, declared.type(), declared.cardinality());
    if (declared.has_pattern()) {
        in.space();
        in.words(1);
        in.word();
    }
    optional_value(in, declared.range());
    optional_value(in, declared.preset());
}

void attribute_decl(Layout& in, SyntaxId id, Form form)
{
    in.glued_words(1);
    in.word();
    in.cell(form, 0);
    declared_type(in, id);
}

void trait(Layout& in, SyntaxId id)
{
    in.words(1);
    in.word();
    in.cell(Form::trait, 0);
    in.words(1);
    expression(in, syntax::TraitDeclaration(in.tree, id).value());
}

void schema_item(Layout& in, SyntaxId id)
{
    switch (in.tree.kind(id)) {
        case SyntaxKind::require_stmt:
            statement(in, id);
            break;
        case SyntaxKind::extra_item:
            in.word();
            break;
        case SyntaxKind::trait_decl:
            trait(in, id);
            break;
        case SyntaxKind::annotated: {
            const syntax::Annotated annotated(in.tree, id);
            annotation(in, annotated.annotation());
            attribute_decl(in, annotated.declaration(), Form::annotated_attribute);
            break;
        }
        default:
            attribute_decl(in, id, Form::declared_attribute);
            break;
    }
    if (in.next_is(",")) skip_comma(in);
}

void parameter(Layout& in, SyntaxId id)
{
    bool tunable = in.tree.node(id).flags & syntax_flag::tunable;
    if (tunable) in.words(1);
    in.glued_words(1);
    in.word();
    in.cell(tunable ? Form::tunable : Form::parameter, 0);
    declared_type(in, id);
}

void optional_parameters(Layout& in, SyntaxId list)
{
    if (in.tree.is_none(list)) return;
    in.no_gap();
    comma_list(in, syntax::ParameterList(in.tree, list).parameters(), parameter);
}

void process_item(Layout& in, SyntaxId id)
{
    in.words(1);
    if (in.tree.kind(id) == SyntaxKind::yield_stmt) return expression(in, syntax::YieldStatement(in.tree, id).value());
    const syntax::StateDeclaration state(in.tree, id);
    in.glued_words(1);
    in.words(1);
    dotted_name(in, state.type());
    in.space();
    in.words(1);
    expression(in, state.initial());
    in.begin_group();
    in.begin_indent(kContinued);
    in.gap(Kind::line);
    in.words(1);
    expression(in, state.next());
    in.end_indent();
    in.end_group();
}

}  // namespace

void schema(Layout& in, SyntaxId id)
{
    const syntax::SchemaDeclaration schema(in.tree, id);
    in.words(1);
    in.word();
    if (schema.has_base()) {
        in.space();
        in.words(1);
        dotted_name(in, schema.base());
    }
    in.space();
    item_lines(in, schema.items(), schema_item);
}

void function(Layout& in, SyntaxId id)
{
    const syntax::FunctionDeclaration function(in.tree, id);
    in.words(1);
    in.word();
    optional_parameters(in, function.parameters());
    in.no_gap();
    in.words(1);
    type(in, function.type(), {});
    in.space();
    in.word();
    in.begin_group();
    in.begin_indent(kContinued);
    in.gap(Kind::line);
    expression(in, function.value());
    in.end_indent();
    in.end_group();
}

void component(Layout& in, SyntaxId id)
{
    const syntax::ComponentDeclaration component(in.tree, id);
    in.words(1);
    in.word();
    optional_parameters(in, component.parameters());
    if (component.has_base()) {
        in.space();
        in.words(1);
        dotted_name(in, component.base());
        if (component.has_base_arguments()) {
            in.no_gap();
            call_arguments(in, component.base_arguments());
        }
    }
    in.space();
    block(in, component.body());
}

void optional_attributes(Layout& in, SyntaxId id, Form form, std::uint8_t column)
{
    if (in.tree.is_none(id)) return;
    in.cell(form, column);
    attribute_lines(in, id);
}

void attribute_lines(Layout& in, SyntaxId block)
{
    line_list(in, syntax::AttributeBlock(in.tree, block).attributes(), attribute);
}

void attribute(Layout& in, SyntaxId id)
{
    in.word();
    const SyntaxId value = syntax::Attribute(in.tree, id).value();
    if (in.tree.kind(value) == SyntaxKind::attribute_block) {
        in.space();
        return attribute_lines(in, value);
    }
    in.cell(Form::attribute, 0);
    in.words(1);
    expression(in, value);
}

void profile(Layout& in, SyntaxId id)
{
    const syntax::ProfileDeclaration profile(in.tree, id);
    in.words(1);
    in.word();
    optional_parameters(in, profile.parameters());
    in.cell(Form::profile, 0);
    in.words(1);
    dotted_name(in, profile.schema());
    if (profile.has_arguments()) {
        in.no_gap();
        call_arguments(in, profile.arguments());
    }
    optional_attributes(in, profile.attributes(), Form::profile, 1);
}

void process(Layout& in, SyntaxId id)
{
    const syntax::ProcessDeclaration process(in.tree, id);
    in.words(1);
    in.word();
    optional_parameters(in, process.parameters());
    in.space();
    in.words(1);
    dotted_name(in, process.type());
    in.space();
    item_lines(in, process.items(), process_item);
}

}  // namespace anml

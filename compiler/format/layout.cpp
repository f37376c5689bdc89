// Declarations and statements.
#include "format/layout.h"

namespace anml {

namespace {

constexpr std::uint8_t kInside = 2, kContinued = 4;  // columns

}  // namespace

std::vector<LayoutEvent> Layout::run()
{
    hard_gap(Edge::first);
    bool first = true;
    for (SyntaxId id : tree_.children_of(tree_.roots[file_.value])) {
        if (!first) hard_gap(Edge::between);
        first = false;
        declaration(id);
    }
    if (last_ != kNoWord) hard_gap(Edge::between);
    match_partners();
    return std::move(events_);
}

void Layout::declaration(SyntaxId id)
{
    auto child = [&](std::size_t i) { return tree_.child(id, i); };
    switch (tree_.kind(id)) {
        case SyntaxKind::edition_decl:
            word();
            space();
            word();
            break;
        case SyntaxKind::import_decl:
            word();
            space();
            dotted_name(child(0));
            if (!tree_.is_none(child(1))) {
                space();
                word();
                space();
                word();
            }
            break;
        case SyntaxKind::schema_decl:
            schema(id);
            break;
        case SyntaxKind::enum_decl:
            word();
            space();
            word();
            space();
            line_list(tree_.children_of(id).subspan(1), &Layout::expression);
            break;
        case SyntaxKind::profile_decl:
            profile(id);
            break;
        case SyntaxKind::process_decl:
            process(id);
            break;
        case SyntaxKind::graph_decl:
            word();
            space();
            word();
            no_gap();
            word();
            no_gap();
            word();
            no_gap();
            word();
            optional_attributes(child(2), Form::profile, 1);
            break;
        case SyntaxKind::function_decl:
            function(id);
            break;
        default:  // component or model
            word();
            space();
            word();
            optional_parameters(child(1));
            if (!tree_.is_none(child(2))) {
                space();
                word();
                space();
                dotted_name(child(2));
                if (!tree_.is_none(child(3))) {
                    no_gap();
                    call_arguments(child(3));
                }
            }
            space();
            block(child(4));
            break;
    }
}

void Layout::statement(SyntaxId id)
{
    auto child = [&](std::size_t i) { return tree_.child(id, i); };
    switch (tree_.kind(id)) {
        case SyntaxKind::node_decl:
            node(id, Form::node);
            break;
        case SyntaxKind::instance_decl:
            instance(id, Form::node);
            break;
        case SyntaxKind::annotated:
            annotated(id);
            break;
        case SyntaxKind::link_decl:
            link(id);
            break;
        case SyntaxKind::profile_decl:
            profile(id);
            break;
        case SyntaxKind::override_stmt:
            override(id);
            break;
        case SyntaxKind::port_decl:
        case SyntaxKind::let_stmt:
            word();
            space();
            word();
            space();
            word();
            space();
            expression(child(1));
            break;
        case SyntaxKind::for_stmt:
            word();
            space();
            word();
            space();
            word();
            space();
            tree_.kind(child(1)) == SyntaxKind::range ? range(child(1)) : expression(child(1));
            space();
            if (!tree_.is_none(child(2))) {
                word();
                space();
                expression(child(2));
                space();
            }
            block(child(3));
            break;
        case SyntaxKind::if_stmt:
            if_stmt(id);
            break;
        case SyntaxKind::workload_decl:
            word();
            space();
            word();
            space();
            word();
            space();
            dotted_name(child(1));
            space();
            word();
            space();
            expression(child(2));
            if (tree_.is_none(child(3))) break;
            space();
            line_list(tree_.children_of(child(3)), &Layout::attribute);
            break;
        case SyntaxKind::at_stmt:
        case SyntaxKind::every_stmt:
        case SyntaxKind::from_stmt:
        case SyntaxKind::ramp_stmt:
            timeline(id);
            break;
        case SyntaxKind::route_stmt:
            route(id);
            break;
        case SyntaxKind::require_stmt:
            begin_group();
            word();
            space();
            expression(child(0));
            if (!tree_.is_none(child(1))) {
                begin_indent(kContinued);
                gap(Kind::line);
                word();
                space();
                word();
                end_indent();
            }
            end_group();
            break;
        case SyntaxKind::routing_decl:
            word();
            space();
            if (!tree_.is_none(child(0))) {  // routing west on nodes
                word();
                space();
                word();
                space();
                expression(child(1));
                space();
            }
            line_list(tree_.children_of(child(2)), &Layout::attribute);
            break;
        default:  // run, addressing
            word();
            space();
            line_list(tree_.children_of(child(0)), &Layout::attribute);
            break;
    }
}

// A block of one statement may stay on a line; several have a line each.
void Layout::block(SyntaxId id)
{
    auto statements = tree_.children_of(id);
    if (statements.empty()) return empty_list();
    begin_group();
    word();
    begin_indent(kInside);
    bool broken = statements.size() > 1 || line_ends_here() || !comments_ahead().empty();
    broken ? hard_gap(Edge::first) : gap(Kind::line);
    for (std::size_t i = 0; i < statements.size(); ++i) {
        if (i > 0) hard_gap(Edge::between);
        statement(statements[i]);
    }
    if (broken || line_ends_here() || !comments_ahead().empty()) {
        hard_gap(Edge::last);
    } else {
        close_gap(Kind::line);
    }
    word();
    end_group();
}

void Layout::schema(SyntaxId id)
{
    word();
    space();
    word();
    if (!tree_.is_none(tree_.child(id, 1))) {
        space();
        word();
        space();
        dotted_name(tree_.child(id, 1));
    }
    space();
    auto items = tree_.children_of(id).subspan(2);
    if (items.empty()) return empty_list();
    word();
    begin_indent(kInside);
    hard_gap(Edge::first);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) hard_gap(Edge::between);
        tree_.kind(items[i]) == SyntaxKind::require_stmt ? statement(items[i]) : attribute_decl(items[i]);
        if (!next_is(",")) continue;
        bool documented = false;
        for (std::size_t c : comments_ahead()) documented |= tree_.tokens[c].cls == TokenClass::doc_comment;
        documented ? print_comma() : void(++at_);
    }
    hard_gap(Edge::last);
    word();
}

void Layout::attribute_decl(SyntaxId id)
{
    word();
    no_gap();
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
        word();
        space();
        word();
    }
    optional_range(tree_.child(id, 4));
    optional_default(tree_.child(id, 5));
}

void Layout::parameter(SyntaxId id)
{
    bool tunable = tree_.node(id).flags & syntax_flag::tunable;
    if (tunable) {
        word();
        space();
    }
    word();
    no_gap();
    word();
    cell(tunable ? Form::tunable : Form::parameter, 0);
    declared_type(id);
}

void Layout::type(SyntaxId id, SyntaxId cardinality)
{
    if (token(at_).span.begin < tree_.node(id).span.begin) {
        word();
        space();
    }
    dotted_name(id);
    if (next_is("[")) {
        no_gap();
        word();
        no_gap();
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
    word();
    space();
    word();
    optional_parameters(tree_.child(id, 1));
    no_gap();
    word();
    space();
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

void Layout::override(SyntaxId id)
{
    word();
    space();
    dotted_name(tree_.child(id, 0));
    if (const SyntaxId profile = tree_.child(id, 1); !tree_.is_none(profile)) {
        space();
        word();
        space();
        expression(profile);
    }
    if (const SyntaxId attributes = tree_.child(id, 2); !tree_.is_none(attributes)) {
        space();
        line_list(tree_.children_of(attributes), &Layout::attribute);
    }
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
    word();
    space();
    range(id);
}

void Layout::optional_default(SyntaxId id)
{
    if (tree_.is_none(id)) return;
    space();
    word();
    space();
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
    word();
    space();
    tree_.kind(value) == SyntaxKind::range ? range(value) : expression(value);
}

void Layout::profile(SyntaxId id)
{
    word();
    space();
    word();
    optional_parameters(tree_.child(id, 1));
    cell(Form::profile, 0);
    word();
    space();
    dotted_name(tree_.child(id, 2));
    optional_attributes(tree_.child(id, 3), Form::profile, 1);
}

void Layout::process(SyntaxId id)
{
    word();
    space();
    word();
    optional_parameters(tree_.child(id, 1));
    space();
    word();
    space();
    dotted_name(tree_.child(id, 2));
    space();
    auto items = tree_.children_of(id).subspan(3);
    if (items.empty()) return empty_list();
    word();
    begin_indent(kInside);
    hard_gap(Edge::first);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (i > 0) hard_gap(Edge::between);
        process_item(items[i]);
    }
    hard_gap(Edge::last);
    word();
}

void Layout::process_item(SyntaxId id)
{
    word();
    space();
    if (tree_.kind(id) == SyntaxKind::yield_stmt) return expression(tree_.child(id, 0));
    word();
    no_gap();
    word();
    space();
    dotted_name(tree_.child(id, 1));
    space();
    word();
    space();
    expression(tree_.child(id, 2));
    begin_group();
    begin_indent(kContinued);
    gap(Kind::line);
    word();
    space();
    expression(tree_.child(id, 3));
    end_indent();
    end_group();
}

void Layout::annotated(SyntaxId id)
{
    const SyntaxId annotation = tree_.child(id, 0), declaration = tree_.child(id, 1);
    word();
    no_gap();
    word();
    no_gap();
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

void Layout::link(SyntaxId id)
{
    auto child = [&](std::size_t i) { return tree_.child(id, i); };
    word();
    space();
    if (!tree_.is_none(child(0))) {
        word();
        count(child(1));
        no_gap();
        word();
        cell(Form::link, 0);
    }
    expression(child(2));
    space();
    word();
    space();
    expression(child(3));
    if (!tree_.is_none(child(4))) {
        cell(Form::link, 1, kContinued);
        word();
        space();
        expression(child(4));
    }
    optional_attributes(child(5), Form::link, 2);
}

void Layout::if_stmt(SyntaxId id)
{
    word();
    space();
    expression(tree_.child(id, 0));
    space();
    block(tree_.child(id, 1));
    SyntaxId otherwise = tree_.child(id, 2);
    if (tree_.is_none(otherwise)) return;
    space();
    word();
    space();
    tree_.kind(otherwise) == SyntaxKind::if_stmt ? if_stmt(otherwise) : block(otherwise);
}

}  // namespace anml

// A file, and which kind of declaration or statement stands in it.
#include "format/layout.h"

namespace anml {

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
            words(1);
            word();
            break;
        case SyntaxKind::import_decl:
            words(1);
            dotted_name(child(0));
            if (!tree_.is_none(child(1))) {
                space();
                words(1);
                word();
            }
            break;
        case SyntaxKind::schema_decl:
            schema(id);
            break;
        case SyntaxKind::enum_decl:
            words(2);
            line_list(tree_.children_of(id).subspan(1), &Layout::expression);
            break;
        case SyntaxKind::profile_decl:
            profile(id);
            break;
        case SyntaxKind::process_decl:
            process(id);
            break;
        case SyntaxKind::graph_decl:
            words(1);
            glued_words(3);
            word();
            optional_attributes(child(2), Form::profile, 1);
            break;
        case SyntaxKind::function_decl:
            function(id);
            break;
        default:  // component or model
            words(1);
            word();
            optional_parameters(child(1));
            if (!tree_.is_none(child(2))) {
                space();
                words(1);
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
            words(3);
            expression(child(1));
            break;
        case SyntaxKind::for_stmt:
            words(3);
            tree_.kind(child(1)) == SyntaxKind::range ? range(child(1)) : expression(child(1));
            space();
            if (!tree_.is_none(child(2))) {
                words(1);
                expression(child(2));
                space();
            }
            block(child(3));
            break;
        case SyntaxKind::if_stmt:
            if_stmt(id);
            break;
        case SyntaxKind::workload_decl:
            words(3);
            dotted_name(child(1));
            space();
            words(1);
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
            words(1);
            expression(child(0));
            if (!tree_.is_none(child(1))) {
                begin_indent(kContinued);
                gap(Kind::line);
                words(1);
                word();
                end_indent();
            }
            end_group();
            break;
        case SyntaxKind::routing_decl:
            words(1);
            if (!tree_.is_none(child(0))) {  // routing west on nodes
                words(2);
                expression(child(1));
                space();
            }
            line_list(tree_.children_of(child(2)), &Layout::attribute);
            break;
        default:  // run, addressing
            words(1);
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

}  // namespace anml

// A file, and which kind of declaration or statement stands in it.
#include "format/layout.h"

#include "syntax/syntax_views.h"

namespace anml {

std::vector<LayoutEvent> Layout::run()
{
    hard_gap(Edge::first);
    bool first = true;
    for (SyntaxId id : syntax::File(tree_, tree_.roots[file_.value]).declarations()) {
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
    if (tree_.node(id).flags & syntax_flag::pub) words(1);
    switch (tree_.kind(id)) {
        case SyntaxKind::edition_decl:
            words(1);
            word();
            break;
        case SyntaxKind::import_decl: {
            const syntax::ImportDeclaration import(tree_, id);
            words(1);
            dotted_name(import.path());
            if (import.has_alias()) {
                space();
                words(1);
                word();
            }
            break;
        }
        case SyntaxKind::schema_decl:
            schema(id);
            break;
        case SyntaxKind::enum_decl:
            words(2);
            line_list(syntax::EnumDeclaration(tree_, id).values(), &Layout::expression);
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
            optional_attributes(syntax::GraphDeclaration(tree_, id).attributes(), Form::profile, 1);
            break;
        case SyntaxKind::table_decl:
            words(1);
            glued_words(3);
            word();
            space();
            words(1);
            dotted_name(syntax::TableDeclaration(tree_, id).schema());
            if (syntax::TableDeclaration(tree_, id).has_key()) {
                space();
                words(1);
                word();
            }
            break;
        case SyntaxKind::function_decl:
            function(id);
            break;
        default:
            component(id);
            break;
    }
}

void Layout::statement(SyntaxId id)
{
    const auto attributes = [&](SyntaxId block) {
        line_list(syntax::AttributeBlock(tree_, block).attributes(), &Layout::attribute);
    };
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
            words(3);
            expression(syntax::PortDeclaration(tree_, id).value());
            break;
        case SyntaxKind::factor_decl: {
            words(3);
            const SyntaxId over = syntax::FactorDeclaration(tree_, id).over();
            tree_.kind(over) == SyntaxKind::range ? range(over) : expression(over);
            break;
        }
        case SyntaxKind::let_stmt:
            words(3);
            expression(syntax::LetStatement(tree_, id).value());
            break;
        case SyntaxKind::for_stmt:
            for_stmt(id);
            break;
        case SyntaxKind::if_stmt:
            if_stmt(id);
            break;
        case SyntaxKind::workload_decl: {
            const syntax::WorkloadDeclaration workload(tree_, id);
            words(1);
            word();
            brackets(workload.brackets());
            space();
            words(1);
            dotted_name(workload.type());
            space();
            words(1);
            expression(workload.on());
            if (!workload.has_attributes()) break;
            space();
            attributes(workload.attributes());
            break;
        }
        case SyntaxKind::at_stmt:
        case SyntaxKind::every_stmt:
        case SyntaxKind::from_stmt:
        case SyntaxKind::ramp_stmt:
            timeline(id);
            break;
        case SyntaxKind::route_stmt:
            route(id);
            break;
        case SyntaxKind::require_stmt: {
            const syntax::RequireStatement require(tree_, id);
            begin_group();
            words(1);
            expression(require.condition());
            if (require.has_message()) {
                begin_indent(kContinued);
                gap(Kind::line);
                words(1);
                expression(require.message());
                end_indent();
            }
            end_group();
            break;
        }
        case SyntaxKind::routing_decl: {
            const syntax::RoutingDeclaration routing(tree_, id);
            words(1);
            if (routing.has_name()) {  // routing west on nodes
                words(2);
                expression(routing.on());
                space();
            }
            attributes(routing.attributes());
            break;
        }
        case SyntaxKind::label_stmt: {
            const syntax::LabelStatement label(tree_, id);
            words(1);
            bool first = true;
            for (const SyntaxId subject : syntax::LabelSubjects(tree_, label.subjects()).subjects()) {
                if (!first) {
                    word();
                    space();
                }
                first = false;
                expression(subject);
            }
            space();
            attributes(label.labels());
            break;
        }
        case SyntaxKind::report_stmt: {
            words(2);
            const std::size_t keys = syntax::ReportStatement(tree_, id).keys().size();
            for (std::size_t i = 0; i < keys; ++i) {
                word();
                if (i + 1 == keys) break;
                word();
                space();
            }
            break;
        }
        case SyntaxKind::run_decl:
            words(1);
            attributes(syntax::RunDeclaration(tree_, id).attributes());
            break;
        default:
            words(1);
            attributes(syntax::AddressingDeclaration(tree_, id).attributes());
            break;
    }
}

// A block of one statement may stay on a line; several have a line each.
void Layout::block(SyntaxId id)
{
    auto statements = syntax::Block(tree_, id).statements();
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

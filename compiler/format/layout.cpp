// A file, and which kind of declaration or statement stands in it.
#include "format/layout.h"

#include <utility>

#include "syntax/syntax_views.h"

namespace anml {

namespace {

void declaration(Layout& in, SyntaxId id)
{
    if (in.tree.node(id).flags & syntax_flag::pub) in.words(1);
    switch (in.tree.kind(id)) {
        case SyntaxKind::edition_decl:
            in.words(1);
            in.word();
            break;
        case SyntaxKind::import_decl: {
            const syntax::ImportDeclaration import(in.tree, id);
            in.words(1);
            dotted_name(in, import.path());
            if (import.has_alias()) {
                in.space();
                in.words(1);
                in.word();
            }
            break;
        }
        case SyntaxKind::schema_decl:
            schema(in, id);
            break;
        case SyntaxKind::enum_decl:
            in.words(2);
            line_list(in, syntax::EnumDeclaration(in.tree, id).values(), expression);
            break;
        case SyntaxKind::profile_decl:
            profile(in, id);
            break;
        case SyntaxKind::process_decl:
            process(in, id);
            break;
        case SyntaxKind::graph_decl:
            in.words(1);
            in.glued_words(3);
            in.word();
            optional_attributes(in, syntax::GraphDeclaration(in.tree, id).attributes(), Form::profile, 1);
            break;
        case SyntaxKind::table_decl:
            in.words(1);
            in.glued_words(3);
            in.word();
            in.space();
            in.words(1);
            dotted_name(in, syntax::TableDeclaration(in.tree, id).schema());
            if (syntax::TableDeclaration(in.tree, id).has_key()) {
                in.space();
                in.words(1);
                in.word();
            }
            break;
        case SyntaxKind::function_decl:
            function(in, id);
            break;
        default:
            component(in, id);
            break;
    }
}

void match_partners(std::vector<LayoutEvent>& events)
{
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < events.size(); ++i) {
        LayoutEvent& e = events[i];
        bool hard = e.kind == Kind::hard || e.kind == Kind::blank ||
                    (e.kind == Kind::text && e.text.find('\n') != std::string::npos);
        if (hard)
            for (std::size_t group : open) events[group].broken = true;
        if (e.kind == Kind::begin_group || e.kind == Kind::fill) open.push_back(i);
        if (e.kind == Kind::end_group || e.kind == Kind::end_fill) {
            events[open.back()].partner = static_cast<std::uint32_t>(i);
            open.pop_back();
        }
    }
}

}  // namespace

std::vector<LayoutEvent> layout_events(const SourceSet& sources, const SyntaxTree& tree, FileId file)
{
    Layout in(sources, tree, file);
    in.hard_gap(Edge::first);
    for (bool first = true; SyntaxId id : syntax::File(tree, tree.roots[file.value]).declarations()) {
        if (!std::exchange(first, false)) in.hard_gap(Edge::between);
        declaration(in, id);
    }
    if (in.last != Layout::kNoWord) in.hard_gap(Edge::between);
    match_partners(in.events);
    return std::move(in.events);
}

void statement(Layout& in, SyntaxId id)
{
    switch (in.tree.kind(id)) {
        case SyntaxKind::node_decl:
            node(in, id, Form::node);
            break;
        case SyntaxKind::instance_decl:
            instance(in, id, Form::node);
            break;
        case SyntaxKind::annotated:
            annotated(in, id);
            break;
        case SyntaxKind::link_decl:
            link(in, id);
            break;
        case SyntaxKind::profile_decl:
            profile(in, id);
            break;
        case SyntaxKind::override_stmt:
            override(in, id);
            break;
        case SyntaxKind::port_decl:
            in.words(3);
            expression(in, syntax::PortDeclaration(in.tree, id).value());
            break;
        case SyntaxKind::factor_decl:
            in.words(3);
            expression(in, syntax::FactorDeclaration(in.tree, id).over());
            break;
        case SyntaxKind::let_stmt:
            in.words(3);
            expression(in, syntax::LetStatement(in.tree, id).value());
            break;
        case SyntaxKind::for_stmt:
            for_stmt(in, id);
            break;
        case SyntaxKind::if_stmt:
            if_stmt(in, id);
            break;
        case SyntaxKind::workload_decl: {
            const syntax::WorkloadDeclaration workload(in.tree, id);
            in.words(1);
            in.word();
            brackets(in, workload.brackets());
            in.space();
            in.words(1);
            dotted_name(in, workload.type());
            in.space();
            in.words(1);
            expression(in, workload.on());
            if (!workload.has_attributes()) break;
            in.space();
            attribute_lines(in, workload.attributes());
            break;
        }
        case SyntaxKind::at_stmt:
        case SyntaxKind::every_stmt:
        case SyntaxKind::from_stmt:
        case SyntaxKind::ramp_stmt:
            timeline(in, id);
            break;
        case SyntaxKind::route_stmt:
            route(in, id);
            break;
        case SyntaxKind::require_stmt: {
            const syntax::RequireStatement require(in.tree, id);
            in.begin_group();
            in.words(1);
            expression(in, require.condition());
            if (require.has_message()) {
                in.begin_indent(kContinued);
                in.gap(Kind::line);
                in.words(1);
                expression(in, require.message());
                in.end_indent();
            }
            in.end_group();
            break;
        }
        case SyntaxKind::routing_decl: {
            const syntax::RoutingDeclaration routing(in.tree, id);
            in.words(1);
            if (routing.has_name()) {  // routing west on nodes
                in.words(2);
                expression(in, routing.on());
                in.space();
            }
            attribute_lines(in, routing.attributes());
            break;
        }
        case SyntaxKind::label_stmt: {
            const syntax::LabelStatement label(in.tree, id);
            in.words(1);
            bool first = true;
            for (const SyntaxId subject : syntax::LabelSubjects(in.tree, label.subjects()).subjects()) {
                if (!first) {
                    in.word();
                    in.space();
                }
                first = false;
                expression(in, subject);
            }
            in.space();
            attribute_lines(in, label.labels());
            break;
        }
        case SyntaxKind::report_stmt: {
            in.words(2);
            const std::size_t keys = syntax::ReportStatement(in.tree, id).keys().size();
            for (std::size_t i = 0; i < keys; ++i) {
                in.word();
                if (i + 1 == keys) break;
                in.word();
                in.space();
            }
            break;
        }
        case SyntaxKind::run_decl:
            in.words(1);
            attribute_lines(in, syntax::RunDeclaration(in.tree, id).attributes());
            break;
        default:
            in.words(1);
            attribute_lines(in, syntax::AddressingDeclaration(in.tree, id).attributes());
            break;
    }
}

// A block of one statement may stay on a line; several have a line each.
void block(Layout& in, SyntaxId id)
{
    auto statements = syntax::Block(in.tree, id).statements();
    if (statements.empty()) return empty_list(in);
    in.begin_group();
    in.word();
    in.begin_indent(kInside);
    bool broken = statements.size() > 1 || in.line_ends_here() || !in.comments_ahead().empty();
    broken ? in.hard_gap(Edge::first) : in.gap(Kind::line);
    for (std::size_t i = 0; i < statements.size(); ++i) {
        if (i > 0) in.hard_gap(Edge::between);
        statement(in, statements[i]);
    }
    close_list(in, broken || in.line_ends_here() || !in.comments_ahead().empty(), Kind::line);
}

}  // namespace anml

// Statements: what stands in the body of a component or model.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "syntax/errors/habits.h"
#include "syntax/builder/tree_builder.h"

namespace anml {

using grammar::AnmlLexer;

namespace {

SyntaxId brackets(TreeBuilder& in, AnmlParser::BracketsContext* context, Span absent)
{
    if (!context) return in.none(absent);
    return in.make(SyntaxKind::brackets, context, context->LBRACK(0), each(in, context->expression(), expression));
}

SyntaxId node_decl(TreeBuilder& in, AnmlParser::Node_declContext* context)
{
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId numbers = brackets(in, context->brackets(), in.after(context->identifier()));
    SyntaxId attributes = attribute_block(in, context->attribute_block(), in.after(context));
    return in.make(SyntaxKind::node_decl, context, in.token(in.first_word(context)).span, {name, numbers, attributes});
}

// `port wan = gateway`: what stands before the name is no component.
SyntaxId port(TreeBuilder& in, AnmlParser::Instance_declContext* context)
{
    Span word = in.span(context->dotted_name());
    if (in.sources.text(word) != "port") {
        const std::string_view name = in.sources.text(in.span(context->identifier()));
        if (is_type_elsewhere(in.sources.text(word))) {
            in.diagnostics.report(Diag::syntax_error, word, fmt::format("unexpected `{}`", in.sources.text(word)))
                .help(fmt::format("a value is named by `let {} = ...`, without a type", name))
                .fix(word, "let");
        } else if (in.sources.text(word) == "vary" || in.sources.text(word) == "search") {
            in.diagnostics.report(Diag::syntax_error, in.span(context->ASSIGN()), "unexpected `=`")
                .help(fmt::format("values of an experiment stand behind `in`: `{} {} in ...`", in.sources.text(word),
                                  name))
                .fix(in.span(context->ASSIGN()), "in");
        } else if (in.sources.text(word) == "label") {
            in.diagnostics
                .report(Diag::syntax_error, in.span(context->ASSIGN()), fmt::format("unexpected `=` after `{}`", name))
                .help(fmt::format("a label has attributes in braces: `label {} {{ name = \"...\" }}`", name));
        } else {
            in.diagnostics
                .report(Diag::syntax_error, in.span(context->ASSIGN()), fmt::format("unexpected `=` after `{}`", name))
                .help(fmt::format("an instance takes its arguments in parentheses: `{} {}(...)`; a value is named by "
                                  "`let {} = ...`, a node for the outside by `port {} = ...`",
                                  in.sources.text(word), name, name, name));
        }
    }
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId value = expression(in, context->expression());
    return in.make(SyntaxKind::port_decl, context, word, {name, value});
}

// `vary clients in [1, 2, 4]`, `search load in 10 .. 1000`.
SyntaxId factor(TreeBuilder& in, AnmlParser::Instance_declContext* context)
{
    const Span word = in.span(context->dotted_name());
    if (const std::string_view found = in.sources.text(word); found != "vary" && found != "search") {
        if (!found.empty())  // a missing word is reported
            in.diagnostics
                .report(Diag::syntax_error, in.span(context->IN()),
                        fmt::format("unexpected `in` after `{}`", in.sources.text(in.span(context->identifier()))))
                .help("an experiment's factor is `vary NAME in [...]` or `search NAME in a .. b`");
        return in.make(SyntaxKind::hole, context, {});
    }
    auto* over = context->factor();
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId values = bounds(in, over);
    return in.make(SyntaxKind::factor_decl, context, word, {name, values});
}

SyntaxId override(TreeBuilder& in, AnmlParser::Override_stmtContext* context)
{
    SyntaxId target;
    if (auto* name = context->dotted_name()) {
        target = dotted_name(in, name);
    } else {
        auto* keyword = context->RUN()          ? context->RUN()
                        : context->ADDRESSING() ? context->ADDRESSING()
                                                : context->ROUTING();
        SyntaxId word = in.word(SyntaxKind::identifier, in.span(keyword));
        target = in.make(SyntaxKind::dotted_name, in.span(keyword), {}, {word});
    }
    Span target_end = in.tree.node(target).span.behind();
    SyntaxId profile_value = optional_expression(in, context->expression(), target_end);
    SyntaxId attributes = attribute_block(in, context->attribute_block(), in.after(context));
    return in.make(SyntaxKind::override_stmt, context, context->OVERRIDE(), {target, profile_value, attributes});
}

void report_unseparated(TreeBuilder& in, std::uint32_t word)
{
    const Span here = in.token(word).span;
    const bool same_line =
        in.unseparated.valid() && in.unseparated.file == here.file &&
        in.sources.position(here.file, in.unseparated.begin).line == in.sources.position(here.file, here.begin).line;
    if (same_line) return;  // one message does for all of a line
    in.unseparated = here;
    std::string_view text = in.sources.text(here);
    auto report = in.diagnostics.report(Diag::syntax_error, in.token(word).span,
                                        fmt::format("expected a new line before `{}`", text));
    report.help(text == "and"    ? "\"and\" is written `&&`"
                : text == "or"   ? "\"or\" is written `||`"
                : text == "port" ? "a port begins a line of its own, or follows a brace"
                                 : "an instance of a component begins a line of its own");
    if (text == "and" || text == "or") report.fix(in.token(word).span, text == "and" ? "&&" : "||");
}

SyntaxId instance(TreeBuilder& in, AnmlParser::Instance_declContext* context)
{
    std::uint32_t first = in.first_word(context);
    bool apart = in.file.words[first].starts_line || follows_annotation(in.file, in.tree.tokens, first) ||
                 in.token(first - 1).type == AnmlLexer::LBRACE || in.token(first - 1).type == AnmlLexer::RBRACE;
    if (!apart) report_unseparated(in, first);
    if (context->ASSIGN()) return port(in, context);
    if (context->factor()) return factor(in, context);
    SyntaxId type = dotted_name(in, context->dotted_name());
    SyntaxId name = identifier(in, context->identifier());
    SyntaxId numbers = brackets(in, context->brackets(), in.after(context->identifier()));
    Span brackets_end = context->brackets() ? in.after(context->brackets()) : in.after(context->identifier());
    SyntaxId arguments = argument_list(in, context->argument_list(), brackets_end);
    SyntaxId overrides;
    if (auto* block = context->override_block()) {
        std::vector<SyntaxId> statements;
        for (AnmlParser::Override_stmtContext* item : block->override_stmt()) {
            statements.push_back(override(in, item));
            in.document(statements.back(), item);
        }
        overrides = in.make(SyntaxKind::block, block, block->LBRACE(), statements);
    } else {
        overrides = in.none(in.after(context));
    }
    return in.make(SyntaxKind::instance_decl, context, {}, {type, name, numbers, arguments, overrides});
}

// `uplink`, `hop[i]` or `hop[i][j]`, written as an expression before a link's colon.
SyntaxId link_name(TreeBuilder& in, AnmlParser::ExpressionContext* context, SyntaxId& numbers)
{
    AnmlParser::ExpressionContext* word = context;
    std::vector<AnmlParser::ExpressionContext*> indices;  // the last first
    while (auto* subscript = dynamic_cast<AnmlParser::SubscriptContext*>(word)) {
        word = subscript->index()->expression().size() == 1 ? subscript->expression() : nullptr;
        if (word) indices.push_back(subscript->index()->expression(0));
    }
    auto* name = dynamic_cast<AnmlParser::Name_valueContext*>(word);
    if (!name) {
        in.diagnostics
            .report(Diag::syntax_error, in.span(context),
                    fmt::format("expected the link's name before `:`, found `{}`", in.sources.text(in.span(context))))
            .help("a link is written `link name: a -- b : profile`; the name may have indices, as in `hop[i]`");
        return in.none(in.span(context));
    }
    SyntaxId id = identifier(in, name->identifier());
    if (indices.empty()) return id;
    std::vector<SyntaxId> elements;
    for (std::size_t i = indices.size(); i-- > 0;) elements.push_back(expression(in, indices[i]));
    Span place = in.span(context);
    place.begin = in.after(name).begin;
    numbers = in.make(SyntaxKind::brackets, place, in.tree.node(id).span.behind(), elements);
    return id;
}

SyntaxId link(TreeBuilder& in, AnmlParser::Link_declContext* context)
{
    TreeBuilder::Terminal* arrow = context->DIRECTED() ? context->DIRECTED() : context->DUPLEX();
    std::vector<AnmlParser::ExpressionContext*> parts = context->expression();
    auto colon_before = [](TreeBuilder::Terminal* colon, TreeBuilder::Terminal* place) {
        return colon->getSymbol()->getTokenIndex() < place->getSymbol()->getTokenIndex();
    };
    std::vector<TreeBuilder::Terminal*> colons = context->COLON();
    bool named = !colons.empty() && colon_before(colons.front(), arrow);

    Span keyword_end = in.span(context->LINK()).behind();
    SyntaxId name, numbers;
    std::size_t next = 0;
    if (named)
        name = link_name(in, parts[next++], numbers);
    else
        name = in.none(keyword_end);
    if (!numbers) numbers = in.none(named ? in.after(parts[0]) : keyword_end);
    SyntaxId left = expression(in, parts[next++]);
    SyntaxId right = expression(in, parts[next++]);
    SyntaxId profile_value =
        optional_expression(in, next < parts.size() ? parts[next] : nullptr, in.after(parts[next - 1]));
    SyntaxId attributes = attribute_block(in, context->attribute_block(), in.after(context));
    return in.make(SyntaxKind::link_decl, context, arrow, {name, numbers, left, right, profile_value, attributes},
                   context->DIRECTED() ? syntax_flag::directed : 0);
}

SyntaxId if_stmt(TreeBuilder& in, AnmlParser::If_stmtContext* context)
{
    SyntaxId condition = expression(in, context->expression());
    SyntaxId then = block(in, context->block(0));
    SyntaxId otherwise;
    if (auto* chained = context->if_stmt())
        otherwise = if_stmt(in, chained);
    else if (auto* last = context->block(1))
        otherwise = block(in, last);
    else
        otherwise = in.none(in.after(context));
    return in.make(SyntaxKind::if_stmt, context, context->IF(), {condition, then, otherwise});
}

SyntaxId for_stmt(TreeBuilder& in, AnmlParser::For_stmtContext* context)
{
    const bool numbered = context->COMMA() != nullptr;
    SyntaxId number = numbered ? identifier(in, context->identifier(0)) : in.none(in.span(context->FOR()).behind());
    SyntaxId name = identifier(in, context->identifier(numbered));
    SyntaxId over = bounds(in, context);
    SyntaxId condition = optional_expression(in, context->WHILE() ? context->expression().back() : nullptr,
                                             in.tree.node(over).span.behind());
    SyntaxId body = block(in, context->block());
    return in.make(SyntaxKind::for_stmt, context, context->FOR(), {number, name, over, condition, body});
}

}  // namespace

SyntaxId statement(TreeBuilder& in, AnmlParser::StatementContext* context)
{
    SyntaxId id;
    if (auto* node = context->node_decl())
        id = node_decl(in, node);
    else if (auto* link_decl = context->link_decl())
        id = link(in, link_decl);
    else if (auto* let = context->let_stmt()) {
        SyntaxId name = identifier(in, let->identifier());
        SyntaxId value = expression(in, let->expression());
        id = in.make(SyntaxKind::let_stmt, let, let->LET(), {name, value});
    } else if (auto* loop = context->for_stmt())
        id = for_stmt(in, loop);
    else if (auto* condition = context->if_stmt())
        id = if_stmt(in, condition);
    else if (auto* workload = context->workload_decl()) {
        SyntaxId name = identifier(in, workload->identifier());
        SyntaxId numbers = brackets(in, workload->brackets(), in.after(workload->identifier()));
        SyntaxId type = dotted_name(in, workload->dotted_name());
        SyntaxId on = expression(in, workload->expression());
        SyntaxId attributes = attribute_block(in, workload->attribute_block(), in.after(workload));
        id = in.make(SyntaxKind::workload_decl, workload, workload->WORKLOAD(), {name, numbers, type, on, attributes});
    } else if (auto* requirement = context->require_stmt())
        id = require(in, requirement);
    else if (auto* run = context->run_decl()) {
        SyntaxId attributes = attribute_block(in, run->attribute_block());
        id = in.make(SyntaxKind::run_decl, run, run->RUN(), {attributes});
    } else if (auto* addressing = context->addressing_decl()) {
        SyntaxId attributes = attribute_block(in, addressing->attribute_block());
        id = in.make(SyntaxKind::addressing_decl, addressing, addressing->ADDRESSING(), {attributes});
    } else if (auto* routing = context->routing_decl()) {
        const Span word = in.span(routing->ROUTING());
        SyntaxId name = identifier(in, routing->identifier(), word.behind());
        SyntaxId nodes = optional_expression(in, routing->expression(), word.behind());
        SyntaxId attributes = attribute_block(in, routing->attribute_block());
        id = in.make(SyntaxKind::routing_decl, routing, word, {name, nodes, attributes});
    } else if (auto* profile_decl = context->profile_decl())
        id = profile(in, profile_decl);
    else if (SyntaxId timeline = timeline_statement(in, context); timeline.valid())
        id = timeline;
    else if (auto* static_route = context->route_stmt())
        id = route(in, static_route);
    else if (auto* override_stmt = context->override_stmt())
        id = override(in, override_stmt);
    else if (auto* label = context->label_stmt()) {
        auto* named = label->label_subjects();
        std::vector<SyntaxId> subjects;
        for (AnmlParser::ExpressionContext* subject : named->expression()) subjects.push_back(expression(in, subject));
        SyntaxId all = in.make(SyntaxKind::label_subjects, named, {}, subjects);
        SyntaxId labels = attribute_block(in, label->attribute_block());
        id = in.make(SyntaxKind::label_stmt, label, label->LABEL(), {all, labels});
    } else if (auto* report = context->report_stmt()) {
        std::vector<SyntaxId> keys;
        for (std::size_t i = 1; i < report->identifier().size(); ++i)  // behind `by`
            keys.push_back(identifier(in, report->identifier(i)));
        id = in.make(SyntaxKind::report_stmt, report, report->REPORT(), keys);
    } else
        id = instance(in, context->instance_decl());
    if (auto* note = context->annotation()) {
        SyntaxId noted = annotation(in, note);
        id = in.make(SyntaxKind::annotated, context, note->AT(), {noted, id});
    }
    in.document(id, context);
    return id;
}

SyntaxId annotation(TreeBuilder& in, AnmlParser::AnnotationContext* context)
{
    SyntaxId name = identifier(in, context->identifier());
    std::vector<SyntaxId> notes;
    for (AnmlParser::NoteContext* item : context->note()) {
        if (item->argument()) {
            notes.push_back(argument(in, item->argument()));
            continue;
        }
        // `ramp`, a keyword elsewhere.
        const Span word = in.span(item->RAMP());
        SyntaxId absent = in.none({word.file, word.begin, word.begin});
        SyntaxId identifier = in.word(SyntaxKind::identifier, word);
        SyntaxId value = in.make(SyntaxKind::name, word, word, {identifier});
        notes.push_back(in.make(SyntaxKind::argument, word, {}, {absent, value}));
    }
    const Span open = in.span(context->LPAREN());
    SyntaxId arguments =
        in.make(SyntaxKind::argument_list, {in.file.file, open.begin, in.span(context->RPAREN()).end}, open, notes);
    return in.make(SyntaxKind::annotation, context, context->AT(), {name, arguments});
}

SyntaxId block(TreeBuilder& in, AnmlParser::BlockContext* context)
{
    return in.make(SyntaxKind::block, context, context->LBRACE(), each(in, context->statement(), statement));
}

SyntaxId require(TreeBuilder& in, AnmlParser::Require_stmtContext* context)
{
    SyntaxId condition = expression(in, context->expression(0));
    SyntaxId message = optional_expression(in, context->expression(1), in.after(context));
    return in.make(SyntaxKind::require_stmt, context, context->REQUIRE(), {condition, message});
}

}  // namespace anml

// Statements: what stands in the body of a component or model.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "syntax/errors/habits.h"
#include "syntax/builder/tree_builder.h"

namespace anml {

using grammar::AnmlLexer;

SyntaxId TreeBuilder::statement(Parser::StatementContext* context)
{
    SyntaxId id;
    if (auto* node = context->node_decl())
        id = node_decl(node);
    else if (auto* link_decl = context->link_decl())
        id = link(link_decl);
    else if (auto* let = context->let_stmt()) {
        SyntaxId name = identifier(let->identifier(), {});
        SyntaxId value = expression(let->expression());
        id = make(SyntaxKind::let_stmt, span(let), span(let->LET()), {name, value});
    } else if (auto* loop = context->for_stmt())
        id = for_stmt(loop);
    else if (auto* condition = context->if_stmt())
        id = if_stmt(condition);
    else if (auto* workload = context->workload_decl()) {
        SyntaxId name = identifier(workload->identifier(), {});
        SyntaxId numbers = brackets(workload->brackets(), after(workload->identifier()));
        SyntaxId type = dotted_name(workload->dotted_name(), {});
        SyntaxId on = expression(workload->expression());
        SyntaxId attributes = attribute_block(workload->attribute_block(), after(workload));
        id = make(SyntaxKind::workload_decl, span(workload), span(workload->WORKLOAD()),
                  {name, numbers, type, on, attributes});
    } else if (auto* requirement = context->require_stmt())
        id = require(requirement);
    else if (auto* run = context->run_decl()) {
        SyntaxId attributes = attribute_block(run->attribute_block(), {});
        id = make(SyntaxKind::run_decl, span(run), span(run->RUN()), {attributes});
    } else if (auto* addressing = context->addressing_decl()) {
        SyntaxId attributes = attribute_block(addressing->attribute_block(), {});
        id = make(SyntaxKind::addressing_decl, span(addressing), span(addressing->ADDRESSING()), {attributes});
    } else if (auto* routing = context->routing_decl()) {
        const Span word = span(routing->ROUTING());
        SyntaxId name = identifier(routing->identifier(), at_end(word));
        SyntaxId nodes = optional_expression(routing->expression(), at_end(word));
        SyntaxId attributes = attribute_block(routing->attribute_block(), {});
        id = make(SyntaxKind::routing_decl, span(routing), word, {name, nodes, attributes});
    } else if (auto* profile_decl = context->profile_decl())
        id = profile(profile_decl);
    else if (SyntaxId timeline = timeline_statement(context); timeline.valid())
        id = timeline;
    else if (auto* static_route = context->route_stmt())
        id = route(static_route);
    else if (auto* override_stmt = context->override_stmt())
        id = override(override_stmt);
    else if (auto* label = context->label_stmt()) {
        auto* named = label->label_subjects();
        std::vector<SyntaxId> subjects;
        for (Parser::ExpressionContext* subject : named->expression()) subjects.push_back(expression(subject));
        SyntaxId all = make(SyntaxKind::label_subjects, span(named), {}, subjects);
        SyntaxId labels = attribute_block(label->attribute_block(), {});
        id = make(SyntaxKind::label_stmt, span(label), span(label->LABEL()), {all, labels});
    } else if (auto* report = context->report_stmt()) {
        std::vector<SyntaxId> keys;
        for (std::size_t i = 1; i < report->identifier().size(); ++i)  // behind `by`
            keys.push_back(identifier(report->identifier(i), {}));
        id = make(SyntaxKind::report_stmt, span(report), span(report->REPORT()), keys);
    } else
        id = instance(context->instance_decl());
    if (auto* note = context->annotation()) {
        SyntaxId noted = annotation(note);
        id = make(SyntaxKind::annotated, span(context), span(note->AT()), {noted, id});
    }
    document(id, context);
    return id;
}

SyntaxId TreeBuilder::annotation(Parser::AnnotationContext* context)
{
    SyntaxId name = identifier(context->identifier(), {});
    std::vector<SyntaxId> notes;
    for (Parser::NoteContext* item : context->note()) {
        if (item->argument()) {
            notes.push_back(argument(item->argument()));
            continue;
        }
        // `ramp`, a keyword elsewhere.
        const Span word = span(item->RAMP());
        SyntaxId absent = none({word.file, word.begin, word.begin});
        SyntaxId identifier = make(SyntaxKind::identifier, word, word);
        SyntaxId value = make(SyntaxKind::name, word, word, {identifier});
        notes.push_back(make(SyntaxKind::argument, word, {}, {absent, value}));
    }
    const Span open = span(context->LPAREN());
    SyntaxId arguments =
        make(SyntaxKind::argument_list, {file_.file, open.begin, span(context->RPAREN()).end}, open, notes);
    return make(SyntaxKind::annotation, span(context), span(context->AT()), {name, arguments});
}

SyntaxId TreeBuilder::block(Parser::BlockContext* context)
{
    std::vector<SyntaxId> statements;
    for (Parser::StatementContext* item : context->statement()) statements.push_back(statement(item));
    return make(SyntaxKind::block, span(context), span(context->LBRACE()), statements);
}

SyntaxId TreeBuilder::node_decl(Parser::Node_declContext* context)
{
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId numbers = brackets(context->brackets(), after(context->identifier()));
    SyntaxId attributes = attribute_block(context->attribute_block(), after(context));
    return make(SyntaxKind::node_decl, span(context), token(first_word(context)).span, {name, numbers, attributes});
}

SyntaxId TreeBuilder::brackets(Parser::BracketsContext* context, Span absent)
{
    if (!context) return none(absent);
    std::vector<SyntaxId> numbers;
    for (Parser::ExpressionContext* number : context->expression()) numbers.push_back(expression(number));
    return make(SyntaxKind::brackets, span(context), span(context->LBRACK(0)), numbers);
}

SyntaxId TreeBuilder::instance(Parser::Instance_declContext* context)
{
    std::uint32_t first = first_word(context);
    bool apart = file_.words[first].starts_line || follows_annotation(file_, tree_.tokens, first) ||
                 token(first - 1).type == AnmlLexer::LBRACE || token(first - 1).type == AnmlLexer::RBRACE;
    if (!apart) report_unseparated(first);
    if (context->ASSIGN()) return port(context);
    if (context->factor()) return factor(context);
    SyntaxId type = dotted_name(context->dotted_name(), {});
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId numbers = brackets(context->brackets(), after(context->identifier()));
    Span brackets_end = context->brackets() ? after(context->brackets()) : after(context->identifier());
    SyntaxId arguments = argument_list(context->argument_list(), brackets_end);
    SyntaxId overrides;
    if (auto* block = context->override_block()) {
        std::vector<SyntaxId> statements;
        for (Parser::Override_stmtContext* item : block->override_stmt()) {
            statements.push_back(override(item));
            document(statements.back(), item);
        }
        overrides = make(SyntaxKind::block, span(block), span(block->LBRACE()), statements);
    } else {
        overrides = none(after(context));
    }
    return make(SyntaxKind::instance_decl, span(context), {}, {type, name, numbers, arguments, overrides});
}

// `port wan = gateway`: what stands before the name is no component.
SyntaxId TreeBuilder::port(Parser::Instance_declContext* context)
{
    Span word = span(context->dotted_name());
    if (sources_.text(word) != "port") {
        const std::string_view name = sources_.text(span(context->identifier()));
        if (is_type_elsewhere(sources_.text(word))) {
            diagnostics_.report(Diag::syntax_error, word, fmt::format("unexpected `{}`", sources_.text(word)))
                .help(fmt::format("a value is named by `let {} = ...`, without a type", name))
                .fix(word, "let");
        } else if (sources_.text(word) == "vary" || sources_.text(word) == "search") {
            diagnostics_.report(Diag::syntax_error, span(context->ASSIGN()), "unexpected `=`")
                .help(
                    fmt::format("values of an experiment stand behind `in`: `{} {} in ...`", sources_.text(word), name))
                .fix(span(context->ASSIGN()), "in");
        } else if (sources_.text(word) == "label") {
            diagnostics_
                .report(Diag::syntax_error, span(context->ASSIGN()), fmt::format("unexpected `=` after `{}`", name))
                .help(fmt::format("a label has attributes in braces: `label {} {{ name = \"...\" }}`", name));
        } else {
            diagnostics_
                .report(Diag::syntax_error, span(context->ASSIGN()), fmt::format("unexpected `=` after `{}`", name))
                .help(fmt::format("an instance takes its arguments in parentheses: `{} {}(...)`; a value is named by "
                                  "`let {} = ...`, a node for the outside by `port {} = ...`",
                                  sources_.text(word), name, name, name));
        }
    }
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId value = expression(context->expression());
    return make(SyntaxKind::port_decl, span(context), word, {name, value});
}

// `vary clients in [1, 2, 4]`, `search load in 10 .. 1000`.
SyntaxId TreeBuilder::factor(Parser::Instance_declContext* context)
{
    const Span word = span(context->dotted_name());
    if (const std::string_view found = sources_.text(word); found != "vary" && found != "search") {
        if (!found.empty())  // a missing word is reported
            diagnostics_
                .report(Diag::syntax_error, span(context->IN()),
                        fmt::format("unexpected `in` after `{}`", sources_.text(span(context->identifier()))))
                .help("an experiment's factor is `vary NAME in [...]` or `search NAME in a .. b`");
        return make(SyntaxKind::hole, span(context), {});
    }
    auto* over = context->factor();
    SyntaxId name = identifier(context->identifier(), {});
    SyntaxId values = expression(over->expression(0));
    if (antlr4::tree::TerminalNode* dots = over->HALF_OPEN() ? over->HALF_OPEN() : over->RANGE()) {
        SyntaxId high = expression(over->expression(1));
        values = make(SyntaxKind::range, span(over), span(dots), {values, high},
                      over->HALF_OPEN() ? syntax_flag::half_open : 0);
    }
    return make(SyntaxKind::factor_decl, span(context), word, {name, values});
}

SyntaxId TreeBuilder::override(Parser::Override_stmtContext* context)
{
    SyntaxId target;
    if (auto* name = context->dotted_name()) {
        target = dotted_name(name, {});
    } else {
        auto* keyword = context->RUN()          ? context->RUN()
                        : context->ADDRESSING() ? context->ADDRESSING()
                                                : context->ROUTING();
        SyntaxId word = make(SyntaxKind::identifier, span(keyword), span(keyword));
        target = make(SyntaxKind::dotted_name, span(keyword), {}, {word});
    }
    Span target_end = at_end(tree_.node(target).span);
    SyntaxId profile_value = optional_expression(context->expression(), target_end);
    SyntaxId attributes = attribute_block(context->attribute_block(), after(context));
    return make(SyntaxKind::override_stmt, span(context), span(context->OVERRIDE()),
                {target, profile_value, attributes});
}

void TreeBuilder::report_unseparated(std::uint32_t word)
{
    const Span here = token(word).span;
    const bool same_line =
        unseparated_.valid() && unseparated_.file == here.file &&
        sources_.position(here.file, unseparated_.begin).line == sources_.position(here.file, here.begin).line;
    if (same_line) return;  // one message does for all of a line
    unseparated_ = here;
    std::string_view text = sources_.text(here);
    auto report =
        diagnostics_.report(Diag::syntax_error, token(word).span, fmt::format("expected a new line before `{}`", text));
    report.help(text == "and"    ? "\"and\" is written `&&`"
                : text == "or"   ? "\"or\" is written `||`"
                : text == "port" ? "a port begins a line of its own, or follows a brace"
                                 : "an instance of a component begins a line of its own");
    if (text == "and" || text == "or") report.fix(token(word).span, text == "and" ? "&&" : "||");
}

// `uplink`, `hop[i]` or `hop[i][j]`, written as an expression before a link's colon.
SyntaxId TreeBuilder::link_name(Parser::ExpressionContext* context, SyntaxId& numbers)
{
    Parser::ExpressionContext* word = context;
    std::vector<Parser::ExpressionContext*> indices;  // the last first
    while (auto* subscript = dynamic_cast<Parser::SubscriptContext*>(word)) {
        word = subscript->index()->expression().size() == 1 ? subscript->expression() : nullptr;
        if (word) indices.push_back(subscript->index()->expression(0));
    }
    auto* name = dynamic_cast<Parser::Name_valueContext*>(word);
    if (!name) {
        diagnostics_
            .report(Diag::syntax_error, span(context),
                    fmt::format("expected the link's name before `:`, found `{}`", sources_.text(span(context))))
            .help("a link is written `link name: a -- b : profile`; the name may have indices, as in `hop[i]`");
        return none(span(context));
    }
    SyntaxId id = identifier(name->identifier(), {});
    if (indices.empty()) return id;
    std::vector<SyntaxId> elements;
    for (std::size_t i = indices.size(); i-- > 0;) elements.push_back(expression(indices[i]));
    Span place = span(context);
    place.begin = after(name).begin;
    numbers = make(SyntaxKind::brackets, place, at_end(tree_.node(id).span), elements);
    return id;
}

SyntaxId TreeBuilder::link(Parser::Link_declContext* context)
{
    antlr4::tree::TerminalNode* arrow = context->DIRECTED() ? context->DIRECTED() : context->DUPLEX();
    std::vector<Parser::ExpressionContext*> parts = context->expression();
    auto colon_before = [](antlr4::tree::TerminalNode* colon, antlr4::tree::TerminalNode* place) {
        return colon->getSymbol()->getTokenIndex() < place->getSymbol()->getTokenIndex();
    };
    std::vector<antlr4::tree::TerminalNode*> colons = context->COLON();
    bool named = !colons.empty() && colon_before(colons.front(), arrow);

    Span keyword_end = at_end(span(context->LINK()));
    SyntaxId name, numbers;
    std::size_t next = 0;
    if (named)
        name = link_name(parts[next++], numbers);
    else
        name = none(keyword_end);
    if (!numbers) numbers = none(named ? after(parts[0]) : keyword_end);
    SyntaxId left = expression(parts[next++]);
    SyntaxId right = expression(parts[next++]);
    SyntaxId profile_value = optional_expression(next < parts.size() ? parts[next] : nullptr, after(parts[next - 1]));
    SyntaxId attributes = attribute_block(context->attribute_block(), after(context));
    return make(SyntaxKind::link_decl, span(context), span(arrow),
                {name, numbers, left, right, profile_value, attributes},
                context->DIRECTED() ? syntax_flag::directed : 0);
}

SyntaxId TreeBuilder::if_stmt(Parser::If_stmtContext* context)
{
    SyntaxId condition = expression(context->expression());
    SyntaxId then = block(context->block(0));
    SyntaxId otherwise;
    if (auto* chained = context->if_stmt())
        otherwise = if_stmt(chained);
    else if (auto* last = context->block(1))
        otherwise = block(last);
    else
        otherwise = none(after(context));
    return make(SyntaxKind::if_stmt, span(context), span(context->IF()), {condition, then, otherwise});
}

SyntaxId TreeBuilder::for_stmt(Parser::For_stmtContext* context)
{
    const bool numbered = context->COMMA() != nullptr;
    SyntaxId number = numbered ? identifier(context->identifier(0), {}) : none(at_end(span(context->FOR())));
    SyntaxId name = identifier(context->identifier(numbered), {});
    SyntaxId over = expression(context->expression(0));
    if (antlr4::tree::TerminalNode* dots = context->HALF_OPEN() ? context->HALF_OPEN() : context->RANGE()) {
        SyntaxId high = expression(context->expression(1));
        Span place = tree_.node(over).span;
        place.end = tree_.node(high).span.end;
        over =
            make(SyntaxKind::range, place, span(dots), {over, high}, context->HALF_OPEN() ? syntax_flag::half_open : 0);
    }
    SyntaxId condition =
        optional_expression(context->WHILE() ? context->expression().back() : nullptr, at_end(tree_.node(over).span));
    SyntaxId body = block(context->block());
    return make(SyntaxKind::for_stmt, span(context), span(context->FOR()), {number, name, over, condition, body});
}

SyntaxId TreeBuilder::require(Parser::Require_stmtContext* context)
{
    SyntaxId condition = expression(context->expression(0));
    SyntaxId message = optional_expression(context->expression(1), after(context));
    return make(SyntaxKind::require_stmt, span(context), span(context->REQUIRE()), {condition, message});
}

}  // namespace anml

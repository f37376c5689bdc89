// Statements of the timeline, and static routes. Their small words are names everywhere else, so the grammar takes any
// name in their place and they are checked here.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/builder/tree_builder.h"

namespace anml {

namespace {

constexpr std::string_view kEvery = "every 10 s from 5 s to 60 s { ... }", kFrom = "from 30 s to 60 s { ... }",
                           kRamp = "ramp from 10 s to 20 s every 1 s { ... }",
                           kRoute = "route gateway to 10.1.0.0/16 via other";

}  // namespace

void TreeBuilder::expect_word(Parser::IdentifierContext* context, std::string_view word, std::string_view form)
{
    const std::string_view found = sources_.text(span(context));
    if (found == word) return;
    diagnostics_.report(Diag::syntax_error, span(context), fmt::format("expected `{}`, found `{}`", word, found))
        .help(fmt::format("write `{}`", form))
        .fix(span(context), std::string(word));
}

SyntaxId TreeBuilder::timeline_statement(Parser::StatementContext* context)
{
    if (auto* at = context->at_stmt()) {
        SyntaxId time = expression(at->expression());
        SyntaxId block = timeline_block(at->timeline_block());
        return make(SyntaxKind::at_stmt, span(at), span(at->AT_TIME()), {time, block});
    }
    if (auto* every = context->every_stmt()) {
        std::size_t next = 0;
        SyntaxId period = expression(every->expression(next++));
        SyntaxId first = every->FROM() ? expression(every->expression(next++)) : none(after(every->expression(0)));
        if (every->identifier()) expect_word(every->identifier(), "to", kEvery);
        SyntaxId last =
            every->identifier() ? expression(every->expression(next++)) : none(after(every->expression(next - 1)));
        auto* named = every->every_number();
        SyntaxId number = named ? identifier(named->identifier(), {}) : none(after(every->expression(next - 1)));
        SyntaxId block = timeline_block(every->timeline_block());
        return make(SyntaxKind::every_stmt, span(every), span(every->EVERY()), {period, first, last, number, block});
    }
    if (auto* from = context->from_stmt()) {
        SyntaxId first = expression(from->expression(0));
        expect_word(from->identifier(), "to", kFrom);
        SyntaxId last = expression(from->expression(1));
        SyntaxId block = timeline_block(from->timeline_block());
        return make(SyntaxKind::from_stmt, span(from), span(from->FROM()), {first, last, block});
    }
    if (auto* ramp = context->ramp_stmt()) {
        SyntaxId first = expression(ramp->expression(0));
        expect_word(ramp->identifier(), "to", kRamp);
        SyntaxId last = expression(ramp->expression(1));
        SyntaxId step = optional_expression(ramp->EVERY() ? ramp->expression(2) : nullptr, after(ramp->expression(1)));
        SyntaxId block = ramp_block(ramp->ramp_block());
        return make(SyntaxKind::ramp_stmt, span(ramp), span(ramp->RAMP()), {first, last, step, block});
    }
    return {};
}

SyntaxId TreeBuilder::timeline_block(Parser::Timeline_blockContext* context)
{
    std::vector<SyntaxId> items;
    for (Parser::Timeline_itemContext* item : context->timeline_item()) {
        if (!items.empty()) separated(first_word(item), "actions");
        items.push_back(timeline_item(item));
    }
    return make(SyntaxKind::timeline_block, span(context), span(context->LBRACE()), items);
}

SyntaxId TreeBuilder::subject(Parser::SubjectContext* context)
{
    // Without recursion: a chain may be long.
    std::vector<Parser::SubjectContext*> steps;
    for (auto* step = context; step;) {
        steps.push_back(step);
        auto* member = dynamic_cast<Parser::Subject_memberContext*>(step);
        auto* element = dynamic_cast<Parser::Subject_elementContext*>(step);
        step = member ? member->subject() : element ? element->subject() : nullptr;
    }
    SyntaxId object{};
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        const Span place = span(*step);
        if (auto* member = dynamic_cast<Parser::Subject_memberContext*>(*step)) {
            SyntaxId name = identifier(member->identifier(), {});
            object = make(SyntaxKind::member, place, span(member->DOT()), {object, name});
        } else if (auto* element = dynamic_cast<Parser::Subject_elementContext*>(*step)) {
            SyntaxId which = index(element->index());
            object = make(SyntaxKind::subscript, place, span(element->LBRACK()), {object, which});
        } else {
            auto* name = static_cast<Parser::Subject_nameContext*>(*step);
            object = make(SyntaxKind::name, place, place, {identifier(name->identifier(), {})});
        }
    }
    return object;
}

SyntaxId TreeBuilder::timeline_item(Parser::Timeline_itemContext* context)
{
    if (auto* requirement = context->require_stmt()) return require(requirement);
    SyntaxId object = subject(context->subject(0));
    SyntaxId other = context->subject().size() > 1 ? subject(context->subject(1)) : none(after(context->subject(0)));
    SyntaxId attributes = attribute_block(context->attribute_block(), after(context));
    Span word;
    if (context->ON()) word = span(context->ON());
    if (context->identifier()) {
        word = span(context->identifier());
        const std::string_view found = sources_.text(word);
        if (found != "up" && found != "down" && found != "off")
            diagnostics_
                .report(Diag::syntax_error, word,
                        fmt::format("expected `up`, `down`, `on`, `off` or attributes in braces, found `{}`", found))
                .help("an action is written `uplink down`, `browse off` or `uplink { rate = 1 Mbps }`");
    }
    return make(SyntaxKind::action, span(context), word, {object, other, attributes});
}

SyntaxId TreeBuilder::ramp_block(Parser::Ramp_blockContext* context)
{
    std::vector<SyntaxId> items;
    for (Parser::Ramp_itemContext* item : context->ramp_item()) {
        if (!items.empty()) separated(first_word(item), "actions");
        items.push_back(ramp_item(item));
    }
    return make(SyntaxKind::timeline_block, span(context), span(context->LBRACE()), items);
}

SyntaxId TreeBuilder::ramp_item(Parser::Ramp_itemContext* context)
{
    SyntaxId object = subject(context->subject(0));
    SyntaxId other = context->subject().size() > 1 ? subject(context->subject(1)) : none(after(context->subject(0)));
    SyntaxId values = ramp_values(context->ramp_values());
    return make(SyntaxKind::action, span(context), {}, {object, other, values});
}

// Attributes from one value to another, and blocks of them for one direction.
SyntaxId TreeBuilder::ramp_values(Parser::Ramp_valuesContext* context)
{
    std::vector<SyntaxId> attributes;
    for (Parser::Ramp_attributeContext* item : context->ramp_attribute()) {
        const bool after_block = token(first_word(item) - 1).type == grammar::AnmlLexer::RBRACE;
        if (!attributes.empty() && !after_block) separated(first_word(item), "attributes");
        SyntaxId name = identifier(item->identifier(), {});
        auto* nested = item->ramp_values();
        SyntaxId values = nested ? ramp_values(nested) : range(item->range(), {});
        Span token = nested ? tree_.node(values).token : span(item->ASSIGN());
        attributes.push_back(make(SyntaxKind::attribute, span(item), token, {name, values}));
    }
    return make(SyntaxKind::attribute_block, span(context), span(context->LBRACE()), attributes);
}

SyntaxId TreeBuilder::route(Parser::Route_stmtContext* context)
{
    SyntaxId source = expression(context->expression(0));
    expect_word(context->identifier(0), "to", kRoute);
    SyntaxId destination = expression(context->expression(1));
    expect_word(context->identifier(1), "via", kRoute);
    SyntaxId via = expression(context->expression(2));
    SyntaxId attributes = attribute_block(context->attribute_block(), after(context));
    return make(SyntaxKind::route_stmt, span(context), span(context->ROUTE()), {source, destination, via, attributes});
}

}  // namespace anml

// Statements of the timeline, and static routes. Their small words are names everywhere else, so the grammar takes any
// name in their place and they are checked here.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/builder/tree_builder.h"
#include "syntax/errors/habits.h"

namespace anml {

namespace {

constexpr std::string_view kEvery = "every 10 s from 5 s to 60 s { ... }", kFrom = "from 30 s to 60 s { ... }",
                           kRamp = "ramp from 10 s to 20 s every 1 s { ... }",
                           kRoute = "route gateway to 10.1.0.0/16 via other";

void expect_word(TreeBuilder& in, AnmlParser::IdentifierContext* context, std::string_view word, std::string_view form)
{
    const std::string_view found = in.sources.text(in.span(context));
    if (found == word) return;
    in.diagnostics.report(Diag::syntax_error, in.span(context), fmt::format("expected `{}`, found `{}`", word, found))
        .help(fmt::format("write `{}`", form))
        .fix(in.span(context), std::string(word));
}

SyntaxId subject(TreeBuilder& in, AnmlParser::SubjectContext* context)
{
    // Without recursion: a chain may be long.
    std::vector<AnmlParser::SubjectContext*> steps;
    for (auto* step = context; step;) {
        steps.push_back(step);
        auto* member = dynamic_cast<AnmlParser::Subject_memberContext*>(step);
        auto* element = dynamic_cast<AnmlParser::Subject_elementContext*>(step);
        step = member ? member->subject() : element ? element->subject() : nullptr;
    }
    SyntaxId object{};
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
        const Span place = in.span(*step);
        if (auto* member = dynamic_cast<AnmlParser::Subject_memberContext*>(*step)) {
            SyntaxId name = identifier(in, member->identifier());
            object = in.make(SyntaxKind::member, place, in.span(member->DOT()), {object, name});
        } else if (auto* element = dynamic_cast<AnmlParser::Subject_elementContext*>(*step)) {
            SyntaxId which = index(in, element->index());
            object = in.make(SyntaxKind::subscript, place, in.span(element->LBRACK()), {object, which});
        } else {
            auto* name = static_cast<AnmlParser::Subject_nameContext*>(*step);
            object = in.make(SyntaxKind::name, place, place, {identifier(in, name->identifier())});
        }
    }
    return object;
}

SyntaxId timeline_item(TreeBuilder& in, AnmlParser::Timeline_itemContext* context)
{
    if (auto* requirement = context->require_stmt()) return require(in, requirement);
    SyntaxId object = subject(in, context->subject(0));
    SyntaxId other =
        context->subject().size() > 1 ? subject(in, context->subject(1)) : in.none(in.after(context->subject(0)));
    SyntaxId attributes = attribute_block(in, context->attribute_block(), in.after(context));
    Span word;
    if (context->ON()) word = in.span(context->ON());
    if (context->identifier()) {
        word = in.span(context->identifier());
        const std::string_view found = in.sources.text(word);
        if (found != "up" && found != "down" && found != "off") {
            const Span first = in.span(context->subject(0));
            const auto [link, workload] = meant_by_verb(in.sources.text(first));  // `stop load`
            const bool loads =
                in.sources.file(word.file).text.find(fmt::format("workload {} ", found)) != std::string::npos;
            auto report = in.diagnostics.report(
                Diag::syntax_error, link.empty() ? word : first,
                link.empty()
                    ? fmt::format("expected `up`, `down`, `on`, `off` or attributes in braces, found `{}`", found)
                    : fmt::format("unexpected `{}`", in.sources.text(first)));
            const std::string action = fmt::format("{} {}", found, loads ? workload : link);
            if (link.empty())
                report.help("an action is written `uplink down`, `browse off` or `uplink { rate = 1 Mbps }`");
            else
                report.help(fmt::format("what happens to it stands behind its name: `{}`", action))
                    .fix({word.file, first.begin, word.end}, action);
        }
    }
    return in.make(SyntaxKind::action, context, word, {object, other, attributes});
}

SyntaxId ramp_values(TreeBuilder& in, AnmlParser::Ramp_valuesContext* context)
{
    std::vector<SyntaxId> attributes;
    for (AnmlParser::Ramp_attributeContext* item : context->ramp_attribute()) {
        const bool after_block = in.token(in.first_word(item) - 1).type == grammar::AnmlLexer::RBRACE;
        if (!attributes.empty() && !after_block) in.separated(in.first_word(item), "attributes");
        SyntaxId name = identifier(in, item->identifier());
        auto* nested = item->ramp_values();
        SyntaxId values = nested ? ramp_values(in, nested) : range(in, item->range());
        Span token = nested ? in.tree.node(values).token : in.span(item->ASSIGN());
        attributes.push_back(in.make(SyntaxKind::attribute, item, token, {name, values}));
    }
    return in.make(SyntaxKind::attribute_block, context, context->LBRACE(), attributes);
}

SyntaxId ramp_item(TreeBuilder& in, AnmlParser::Ramp_itemContext* context)
{
    SyntaxId object = subject(in, context->subject(0));
    SyntaxId other =
        context->subject().size() > 1 ? subject(in, context->subject(1)) : in.none(in.after(context->subject(0)));
    SyntaxId values = ramp_values(in, context->ramp_values());
    return in.make(SyntaxKind::action, context, {}, {object, other, values});
}

template <class Block, class Item>
SyntaxId timeline_block(TreeBuilder& in, Block* context, const std::vector<Item*>& actions,
                        SyntaxId (*action)(TreeBuilder&, Item*))
{
    std::vector<SyntaxId> items;
    for (Item* item : actions) {
        if (!items.empty()) in.separated(in.first_word(item), "actions");
        items.push_back(action(in, item));
    }
    return in.make(SyntaxKind::timeline_block, context, context->LBRACE(), items);
}

SyntaxId timeline_block(TreeBuilder& in, AnmlParser::Timeline_blockContext* context)
{
    return timeline_block(in, context, context->timeline_item(), timeline_item);
}

}  // namespace

SyntaxId timeline_statement(TreeBuilder& in, AnmlParser::StatementContext* context)
{
    if (auto* at = context->at_stmt()) {
        SyntaxId time = expression(in, at->expression());
        SyntaxId block = timeline_block(in, at->timeline_block());
        return in.make(SyntaxKind::at_stmt, at, at->AT_TIME(), {time, block});
    }
    if (auto* every = context->every_stmt()) {
        std::size_t next = 0;
        SyntaxId period = expression(in, every->expression(next++));
        SyntaxId first =
            every->FROM() ? expression(in, every->expression(next++)) : in.none(in.after(every->expression(0)));
        if (every->identifier()) expect_word(in, every->identifier(), "to", kEvery);
        SyntaxId last = every->identifier() ? expression(in, every->expression(next++))
                                            : in.none(in.after(every->expression(next - 1)));
        auto* named = every->every_number();
        SyntaxId number = named ? identifier(in, named->identifier()) : in.none(in.after(every->expression(next - 1)));
        SyntaxId block = timeline_block(in, every->timeline_block());
        return in.make(SyntaxKind::every_stmt, every, every->EVERY(), {period, first, last, number, block});
    }
    if (auto* from = context->from_stmt()) {
        SyntaxId first = expression(in, from->expression(0));
        expect_word(in, from->identifier(), "to", kFrom);
        SyntaxId last = expression(in, from->expression(1));
        SyntaxId block = timeline_block(in, from->timeline_block());
        return in.make(SyntaxKind::from_stmt, from, from->FROM(), {first, last, block});
    }
    if (auto* ramp = context->ramp_stmt()) {
        SyntaxId first = expression(in, ramp->expression(0));
        expect_word(in, ramp->identifier(), "to", kRamp);
        SyntaxId last = expression(in, ramp->expression(1));
        SyntaxId step =
            optional_expression(in, ramp->EVERY() ? ramp->expression(2) : nullptr, in.after(ramp->expression(1)));
        SyntaxId block = timeline_block(in, ramp->ramp_block(), ramp->ramp_block()->ramp_item(), ramp_item);
        return in.make(SyntaxKind::ramp_stmt, ramp, ramp->RAMP(), {first, last, step, block});
    }
    return {};
}

SyntaxId route(TreeBuilder& in, AnmlParser::Route_stmtContext* context)
{
    SyntaxId source = expression(in, context->expression(0));
    expect_word(in, context->identifier(0), "to", kRoute);
    SyntaxId destination = expression(in, context->expression(1));
    expect_word(in, context->identifier(1), "via", kRoute);
    SyntaxId via = expression(in, context->expression(2));
    SyntaxId attributes = attribute_block(in, context->attribute_block(), in.after(context));
    return in.make(SyntaxKind::route_stmt, context, context->ROUTE(), {source, destination, via, attributes});
}

}  // namespace anml

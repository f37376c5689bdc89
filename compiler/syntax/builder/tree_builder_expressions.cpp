// Expressions.
#include <fmt/format.h>

#include "AnmlLexer.h"
#include "syntax/builder/tree_builder.h"

namespace anml {

using grammar::AnmlLexer;

namespace {

constexpr std::uint32_t kLongestChain = 500;  // operators in a row: later stages walk expressions recursively

bool is_comparison(std::uint16_t type)
{
    switch (type) {
        case AnmlLexer::LESS:
        case AnmlLexer::AT_MOST:
        case AnmlLexer::GREATER:
        case AnmlLexer::AT_LEAST:
        case AnmlLexer::EQUAL:
        case AnmlLexer::NOT_EQUAL:
            return true;
        default:
            return false;
    }
}

antlr4::Token* operator_of(TreeBuilder::Parser::BinaryContext* context)
{
    return static_cast<antlr4::tree::TerminalNode*>(context->children[1])->getSymbol();
}

}  // namespace

SyntaxId TreeBuilder::range(Parser::RangeContext* context, Span absent)
{
    if (!context) return none(absent);
    SyntaxId low = expression(context->expression(0));
    SyntaxId high = expression(context->expression(1));
    bool half_open = context->HALF_OPEN() != nullptr;
    return make(SyntaxKind::range, span(context), span(half_open ? context->HALF_OPEN() : context->RANGE()),
                {low, high}, half_open ? syntax_flag::half_open : 0);
}

SyntaxId TreeBuilder::optional_expression(Parser::ExpressionContext* context, Span absent)
{
    return context ? expression(context) : none(absent);
}

SyntaxId TreeBuilder::expression(Parser::ExpressionContext* context)
{
    if (depth_ >= kLongestChain) {
        if (!too_deep_) {
            diagnostics_.report(Diag::nesting_too_deep, span(context),
                                fmt::format("this expression chains more than {} operators", kLongestChain));
        }
        too_deep_ = true;
        return make(SyntaxKind::hole, span(context), {});
    }
    ++depth_;
    SyntaxId id = expression_node(context);
    --depth_;
    return id;
}

SyntaxId TreeBuilder::expression_node(Parser::ExpressionContext* context)
{
    Span place = span(context);
    if (auto* value = dynamic_cast<Parser::Literal_valueContext*>(context)) return literal(value->literal());
    if (auto* name = dynamic_cast<Parser::Name_valueContext*>(context)) {
        return make(SyntaxKind::name, place, place, {identifier(name->identifier(), {})});
    }
    if (auto* member = dynamic_cast<Parser::MemberContext*>(context)) {
        SyntaxId object = expression(member->expression());
        SyntaxId name = identifier(member->identifier(), {});
        return make(SyntaxKind::member, place, span(member->DOT()), {object, name});
    }
    if (auto* subscript = dynamic_cast<Parser::SubscriptContext*>(context)) {
        SyntaxId object = expression(subscript->expression());
        SyntaxId element = index(subscript->index());
        return make(SyntaxKind::subscript, place, span(subscript->LBRACK()), {object, element});
    }
    if (auto* operation = dynamic_cast<Parser::BinaryContext*>(context)) return binary(operation);
    if (auto* call = dynamic_cast<Parser::CallContext*>(context)) {
        SyntaxId callee = expression(call->expression());
        SyntaxId arguments = argument_list(call->argument_list(), {});
        return make(SyntaxKind::call, place, tree_.node(arguments).token, {callee, arguments});
    }
    if (auto* nested = dynamic_cast<Parser::NestedContext*>(context)) return expression(nested->expression());
    if (auto* unary = dynamic_cast<Parser::UnaryContext*>(context)) {
        SyntaxId operand = expression(unary->expression());
        return make(SyntaxKind::unary, place, token(first_word(context)).span, {operand});
    }
    if (auto* choice = dynamic_cast<Parser::ConditionalContext*>(context)) {
        SyntaxId condition = expression(choice->expression(0));
        SyntaxId then = expression(choice->expression(1));
        SyntaxId otherwise = expression(choice->expression(2));
        return make(SyntaxKind::conditional, place, span(choice->IF()), {condition, then, otherwise});
    }
    if (auto* list = dynamic_cast<Parser::ListContext*>(context)) {
        std::vector<SyntaxId> items;
        for (Parser::ExpressionContext* item : list->expression()) items.push_back(expression(item));
        for (Parser::For_clauseContext* clause : list->for_clause()) items.push_back(for_clause(clause));
        const SyntaxKind kind = list->for_clause().empty() ? SyntaxKind::list : SyntaxKind::comprehension;
        return make(kind, place, span(list->LBRACK()), items);
    }
    return make(SyntaxKind::self, place, place);
}

SyntaxId TreeBuilder::for_clause(Parser::For_clauseContext* context)
{
    const bool counted = context->identifier().size() > 1;
    const SyntaxId counter = identifier(counted ? context->identifier(0) : nullptr, at_end(span(context->FOR())));
    const SyntaxId name = identifier(context->identifier(counted), {});
    SyntaxId over = expression(context->expression(0));
    if (antlr4::tree::TerminalNode* dots = context->HALF_OPEN() ? context->HALF_OPEN() : context->RANGE()) {
        const SyntaxId high = expression(context->expression(1));
        Span place = tree_.node(over).span;
        place.end = tree_.node(high).span.end;
        over =
            make(SyntaxKind::range, place, span(dots), {over, high}, context->HALF_OPEN() ? syntax_flag::half_open : 0);
    }
    const SyntaxId condition =
        optional_expression(context->IF() ? context->expression().back() : nullptr, after(context));
    return make(SyntaxKind::for_clause, span(context), span(context->FOR()), {counter, name, over, condition});
}

SyntaxId TreeBuilder::binary(Parser::BinaryContext* context)
{
    antlr4::Token* symbol = operator_of(context);
    Span place = token(first_word_ + static_cast<std::uint32_t>(symbol->getTokenIndex())).span;
    if (is_comparison(static_cast<std::uint16_t>(symbol->getType()))) {
        for (Parser::ExpressionContext* side : context->expression()) {
            auto* inner = dynamic_cast<Parser::BinaryContext*>(side);
            if (!inner || !is_comparison(static_cast<std::uint16_t>(operator_of(inner)->getType()))) continue;
            auto first = static_cast<std::uint32_t>(operator_of(inner)->getTokenIndex());
            diagnostics_.report(Diag::syntax_error, place, "comparisons do not chain")
                .also(token(first_word_ + first).span, "the other comparison")
                .help("join two comparisons with `&&`, as in `a < b && b < c`, or put one in parentheses");
        }
    }
    SyntaxId left = expression(context->expression(0));
    SyntaxId right = expression(context->expression(1));
    return make(SyntaxKind::binary, span(context), place, {left, right});
}

SyntaxId TreeBuilder::literal(Parser::LiteralContext* context)
{
    SyntaxKind kind = SyntaxKind::literal_boolean;
    switch (token(first_word(context)).type) {
        case AnmlLexer::INTEGER:
            kind = SyntaxKind::literal_integer;
            break;
        case AnmlLexer::NUMBER:
            kind = SyntaxKind::literal_number;
            break;
        case AnmlLexer::QUANTITY:
            kind = SyntaxKind::literal_quantity;
            break;
        case AnmlLexer::STRING:
            kind = SyntaxKind::literal_string;
            break;
        case AnmlLexer::ADDRESS:
            kind = SyntaxKind::literal_address;
            break;
        case AnmlLexer::PREFIX:
            kind = SyntaxKind::literal_prefix;
            break;
        default:
            break;
    }
    return make(kind, span(context), span(context));
}

SyntaxId TreeBuilder::index(Parser::IndexContext* context)
{
    if (auto* star = context->STAR()) return make(SyntaxKind::wildcard, span(star), span(star));
    SyntaxId low = expression(context->expression(0));
    antlr4::tree::TerminalNode* dots = context->HALF_OPEN() ? context->HALF_OPEN() : context->RANGE();
    if (!dots) return low;
    SyntaxId high = expression(context->expression(1));
    return make(SyntaxKind::range, span(context), span(dots), {low, high},
                context->HALF_OPEN() ? syntax_flag::half_open : 0);
}

SyntaxId TreeBuilder::argument_list(Parser::Argument_listContext* context, Span absent)
{
    if (!context) return none(absent);
    std::vector<SyntaxId> arguments;
    for (Parser::ArgumentContext* item : context->argument()) arguments.push_back(argument(item));
    return make(SyntaxKind::argument_list, span(context), span(context->LPAREN()), arguments);
}

SyntaxId TreeBuilder::argument(Parser::ArgumentContext* context)
{
    Span start{file_.file, span(context).begin, span(context).begin};
    const auto value_of = [&](Parser::ExpressionContext* written) {
        const SyntaxId value = expression(written);
        if (!context->attribute_block()) return value;
        const SyntaxId attributes = attribute_block(context->attribute_block(), {});
        return make(SyntaxKind::adapted, {file_.file, span(written).begin, span(context).end}, {}, {value, attributes});
    };
    if (!context->ASSIGN()) {
        SyntaxId value = value_of(context->expression(0));
        return make(SyntaxKind::argument, span(context), {}, {none(start), value});
    }
    SyntaxId name;
    if (auto* word = dynamic_cast<Parser::Name_valueContext*>(context->expression(0))) {
        name = identifier(word->identifier(), {});
    } else {
        diagnostics_
            .report(Diag::syntax_error, span(context->ASSIGN()),
                    fmt::format("expected the name of a parameter before `=`, found `{}`",
                                sources_.text(span(context->expression(0)))))
            .help("to compare, write `==`")
            .fix(span(context->ASSIGN()), "==");
        name = none(start);
    }
    SyntaxId value = value_of(context->expression(1));
    return make(SyntaxKind::argument, span(context), span(context->ASSIGN()), {name, value});
}

}  // namespace anml

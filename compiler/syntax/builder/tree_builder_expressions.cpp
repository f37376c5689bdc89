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

antlr4::Token* operator_of(AnmlParser::BinaryContext* context)
{
    return static_cast<TreeBuilder::Terminal*>(context->children[1])->getSymbol();
}

SyntaxId for_clause(TreeBuilder& in, AnmlParser::For_clauseContext* context)
{
    const bool counted = context->identifier().size() > 1;
    const SyntaxId counter =
        identifier(in, counted ? context->identifier(0) : nullptr, in.span(context->FOR()).behind());
    const SyntaxId name = identifier(in, context->identifier(counted));
    SyntaxId over = bounds(in, context);
    const SyntaxId condition =
        optional_expression(in, context->IF() ? context->expression().back() : nullptr, in.after(context));
    return in.make(SyntaxKind::for_clause, context, context->FOR(), {counter, name, over, condition});
}

SyntaxId binary(TreeBuilder& in, AnmlParser::BinaryContext* context)
{
    antlr4::Token* symbol = operator_of(context);
    Span place = in.token(in.first_word_of_chunk + static_cast<std::uint32_t>(symbol->getTokenIndex())).span;
    if (is_comparison(static_cast<std::uint16_t>(symbol->getType()))) {
        for (AnmlParser::ExpressionContext* side : context->expression()) {
            auto* inner = dynamic_cast<AnmlParser::BinaryContext*>(side);
            if (!inner || !is_comparison(static_cast<std::uint16_t>(operator_of(inner)->getType()))) continue;
            auto first = static_cast<std::uint32_t>(operator_of(inner)->getTokenIndex());
            in.diagnostics.report(Diag::syntax_error, place, "comparisons do not chain")
                .also(in.token(in.first_word_of_chunk + first).span, "the other comparison")
                .help("join two comparisons with `&&`, as in `a < b && b < c`, or put one in parentheses");
        }
    }
    SyntaxId left = expression(in, context->expression(0));
    SyntaxId right = expression(in, context->expression(1));
    return in.make(SyntaxKind::binary, context, place, {left, right});
}

SyntaxId literal(TreeBuilder& in, AnmlParser::LiteralContext* context)
{
    SyntaxKind kind = SyntaxKind::literal_boolean;
    switch (in.token(in.first_word(context)).type) {
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
    return in.word(kind, context);
}

SyntaxId expression_node(TreeBuilder& in, AnmlParser::ExpressionContext* context)
{
    Span place = in.span(context);
    if (auto* value = dynamic_cast<AnmlParser::Literal_valueContext*>(context)) return literal(in, value->literal());
    if (auto* name = dynamic_cast<AnmlParser::Name_valueContext*>(context)) {
        return in.make(SyntaxKind::name, place, place, {identifier(in, name->identifier())});
    }
    if (auto* member = dynamic_cast<AnmlParser::MemberContext*>(context)) {
        SyntaxId object = expression(in, member->expression());
        SyntaxId name = identifier(in, member->identifier());
        return in.make(SyntaxKind::member, place, in.span(member->DOT()), {object, name});
    }
    if (auto* subscript = dynamic_cast<AnmlParser::SubscriptContext*>(context)) {
        SyntaxId object = expression(in, subscript->expression());
        SyntaxId element = index(in, subscript->index());
        return in.make(SyntaxKind::subscript, place, in.span(subscript->LBRACK()), {object, element});
    }
    if (auto* operation = dynamic_cast<AnmlParser::BinaryContext*>(context)) return binary(in, operation);
    if (auto* call = dynamic_cast<AnmlParser::CallContext*>(context)) {
        SyntaxId callee = expression(in, call->expression());
        SyntaxId arguments = argument_list(in, call->argument_list());
        return in.make(SyntaxKind::call, place, in.tree.node(arguments).token, {callee, arguments});
    }
    if (auto* nested = dynamic_cast<AnmlParser::NestedContext*>(context)) return expression(in, nested->expression());
    if (auto* unary = dynamic_cast<AnmlParser::UnaryContext*>(context)) {
        SyntaxId operand = expression(in, unary->expression());
        return in.make(SyntaxKind::unary, place, in.token(in.first_word(context)).span, {operand});
    }
    if (auto* choice = dynamic_cast<AnmlParser::ConditionalContext*>(context)) {
        SyntaxId condition = expression(in, choice->expression(0));
        SyntaxId then = expression(in, choice->expression(1));
        SyntaxId otherwise = expression(in, choice->expression(2));
        return in.make(SyntaxKind::conditional, place, in.span(choice->IF()), {condition, then, otherwise});
    }
    if (auto* list = dynamic_cast<AnmlParser::ListContext*>(context)) {
        std::vector<SyntaxId> items;
        for (AnmlParser::ExpressionContext* item : list->expression()) items.push_back(expression(in, item));
        for (AnmlParser::For_clauseContext* clause : list->for_clause()) items.push_back(for_clause(in, clause));
        const SyntaxKind kind = list->for_clause().empty() ? SyntaxKind::list : SyntaxKind::comprehension;
        return in.make(kind, place, in.span(list->LBRACK()), items);
    }
    return in.word(SyntaxKind::self, place);
}

}  // namespace

SyntaxId range(TreeBuilder& in, AnmlParser::RangeContext* context, Span absent)
{
    return context ? bounds(in, context) : in.none(absent);
}

SyntaxId optional_expression(TreeBuilder& in, AnmlParser::ExpressionContext* context, Span absent)
{
    return context ? expression(in, context) : in.none(absent);
}

SyntaxId expression(TreeBuilder& in, AnmlParser::ExpressionContext* context)
{
    if (in.depth >= kLongestChain) {
        if (!in.too_deep) {
            in.diagnostics.report(Diag::nesting_too_deep, in.span(context),
                                  fmt::format("this expression chains more than {} operators", kLongestChain));
        }
        in.too_deep = true;
        return in.make(SyntaxKind::hole, context, {});
    }
    ++in.depth;
    SyntaxId id = expression_node(in, context);
    --in.depth;
    return id;
}

SyntaxId index(TreeBuilder& in, AnmlParser::IndexContext* context)
{
    if (auto* star = context->STAR()) return in.word(SyntaxKind::wildcard, in.span(star));
    return bounds(in, context);
}

SyntaxId argument_list(TreeBuilder& in, AnmlParser::Argument_listContext* context, Span absent)
{
    if (!context) return in.none(absent);
    return in.make(SyntaxKind::argument_list, context, context->LPAREN(), each(in, context->argument(), argument));
}

SyntaxId argument(TreeBuilder& in, AnmlParser::ArgumentContext* context)
{
    Span start{in.file.file, in.span(context).begin, in.span(context).begin};
    const auto value_of = [&](AnmlParser::ExpressionContext* written) {
        const SyntaxId value = expression(in, written);
        if (!context->attribute_block()) return value;
        const SyntaxId attributes = attribute_block(in, context->attribute_block());
        return in.make(SyntaxKind::adapted, {in.file.file, in.span(written).begin, in.span(context).end}, {},
                       {value, attributes});
    };
    if (!context->ASSIGN()) {
        SyntaxId value = value_of(context->expression(0));
        return in.make(SyntaxKind::argument, context, {}, {in.none(start), value});
    }
    SyntaxId name;
    if (auto* word = dynamic_cast<AnmlParser::Name_valueContext*>(context->expression(0))) {
        name = identifier(in, word->identifier());
    } else {
        in.diagnostics
            .report(Diag::syntax_error, in.span(context->ASSIGN()),
                    fmt::format("expected the name of a parameter before `=`, found `{}`",
                                in.sources.text(in.span(context->expression(0)))))
            .help("to compare, write `==`")
            .fix(in.span(context->ASSIGN()), "==");
        name = in.none(start);
    }
    SyntaxId value = value_of(context->expression(1));
    return in.make(SyntaxKind::argument, context, context->ASSIGN(), {name, value});
}

}  // namespace anml

// The parts that all nodes share: making them, their places, names, documentation, separators.
#include "syntax/builder/tree_builder.h"

#include <fmt/format.h>

#include "AnmlLexer.h"

namespace anml {

using grammar::AnmlLexer;

SyntaxId TreeBuilder::make(SyntaxKind kind, Span span, Span token, std::initializer_list<SyntaxId> children,
                           std::uint8_t flags)
{
    return add(kind, span, token, {children.begin(), children.size()}, flags);
}

SyntaxId TreeBuilder::make(SyntaxKind kind, Span span, Span token, const std::vector<SyntaxId>& children,
                           std::uint8_t flags)
{
    return add(kind, span, token, children, flags);
}

// What takes no room was put there by `Recovery`, in place of something missing.
SyntaxId TreeBuilder::add(SyntaxKind kind, Span span, Span token, std::span<const SyntaxId> children,
                          std::uint8_t flags)
{
    if (span.begin == span.end && kind != SyntaxKind::none && kind != SyntaxKind::file)
        return tree_.add(SyntaxKind::hole, 0, span, {}, {});
    return tree_.add(kind, flags, span, token, children);
}

std::uint32_t TreeBuilder::first_word(Context* context) const
{
    return first_word_ + static_cast<std::uint32_t>(context->start->getTokenIndex());
}

std::uint32_t TreeBuilder::last_word(Context* context) const
{
    return first_word_ + static_cast<std::uint32_t>(context->stop->getTokenIndex());
}

bool TreeBuilder::follows_random(Context* context) const
{
    return token(first_word(context) - 1).type == AnmlLexer::RANDOM;
}

Span TreeBuilder::span(Context* context) const
{
    return {file_.file, token(first_word(context)).span.begin, token(last_word(context)).span.end};
}

Span TreeBuilder::span(antlr4::tree::TerminalNode* terminal) const
{
    return token(first_word_ + static_cast<std::uint32_t>(terminal->getSymbol()->getTokenIndex())).span;
}

Span TreeBuilder::after(Context* context) const { return at_end(span(context)); }

void TreeBuilder::separated(std::uint32_t first, const char* what)
{
    if (file_.words[first].starts_line || token(first - 1).type == AnmlLexer::COMMA) return;
    diagnostics_
        .report(Diag::syntax_error, token(first).span,
                fmt::format("expected `,` or a new line before `{}`", sources_.text(token(first).span)))
        .label("the next one begins here")
        .help(fmt::format("{} are separated by a comma or by the end of a line", what))
        .fix(at_end(token(first - 1).span), ",");
}

SyntaxId TreeBuilder::identifier(Parser::IdentifierContext* context, Span absent)
{
    if (!context) return none(absent);
    return make(SyntaxKind::identifier, span(context), span(context));
}

SyntaxId TreeBuilder::dotted_name(Parser::Dotted_nameContext* context, Span absent)
{
    if (!context) return none(absent);
    std::vector<SyntaxId> parts;
    for (Parser::IdentifierContext* part : context->identifier()) parts.push_back(identifier(part, {}));
    return make(SyntaxKind::dotted_name, span(context), {}, parts);
}

SyntaxId TreeBuilder::attribute_block(Parser::Attribute_blockContext* context, Span absent)
{
    if (!context) return none(absent);
    std::vector<SyntaxId> attributes;
    for (Parser::AttributeContext* item : context->attribute()) {
        const bool after_block = token(first_word(item) - 1).type == AnmlLexer::RBRACE;
        if (!attributes.empty() && !after_block) separated(first_word(item), "attributes");
        SyntaxId name = identifier(item->identifier(), {});
        auto* nested = item->attribute_block();
        SyntaxId value = nested ? attribute_block(nested, {}) : expression(item->expression());
        Span token = nested ? tree_.node(value).token : span(item->ASSIGN());
        attributes.push_back(make(SyntaxKind::attribute, span(item), token, {name, value}));
        document(attributes.back(), item);
    }
    return make(SyntaxKind::attribute_block, span(context), span(context->LBRACE()), attributes);
}

SyntaxId TreeBuilder::file_node(const std::vector<SyntaxId>& declarations)
{
    Span whole{file_.file, 0, static_cast<std::uint32_t>(sources_.file(file_.file).text.size())};
    SyntaxId id = make(SyntaxKind::file, whole, {}, declarations);
    if (!file_.words.empty()) document(id, 0u);
    return id;
}

}  // namespace anml

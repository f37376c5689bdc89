// The parts that all nodes share: making them, their places, names, documentation, separators.
#include "syntax/builder/tree_builder.h"

#include <fmt/format.h>

#include "AnmlLexer.h"

namespace anml {

using grammar::AnmlLexer;

// What takes no room was put there by `Recovery`, in place of something missing.
SyntaxId TreeBuilder::add(SyntaxKind kind, Span span, Span token, std::span<const SyntaxId> children,
                          std::uint8_t flags)
{
    if (span.begin == span.end && kind != SyntaxKind::none && kind != SyntaxKind::file)
        return tree.add(SyntaxKind::hole, 0, span, {}, {});
    return tree.add(kind, flags, span, token, children);
}

std::uint32_t TreeBuilder::first_word(Context* context) const
{
    return first_word_of_chunk + static_cast<std::uint32_t>(context->start->getTokenIndex());
}

std::uint32_t TreeBuilder::last_word(Context* context) const
{
    return first_word_of_chunk + static_cast<std::uint32_t>(context->stop->getTokenIndex());
}

bool TreeBuilder::follows_random(Context* context) const
{
    return token(first_word(context) - 1).type == AnmlLexer::RANDOM;
}

Span TreeBuilder::span(Context* context) const
{
    return {file.file, token(first_word(context)).span.begin, token(last_word(context)).span.end};
}

Span TreeBuilder::span(TreeBuilder::Terminal* terminal) const
{
    if (!terminal) return {};
    return token(first_word_of_chunk + static_cast<std::uint32_t>(terminal->getSymbol()->getTokenIndex())).span;
}

void TreeBuilder::separated(std::uint32_t first, const char* what)
{
    if (file.words[first].starts_line || token(first - 1).type == AnmlLexer::COMMA) return;
    diagnostics
        .report(Diag::syntax_error, token(first).span,
                fmt::format("expected `,` or a new line before `{}`", sources.text(token(first).span)))
        .label("the next one begins here")
        .help(fmt::format("{} are separated by a comma or by the end of a line", what))
        .fix(token(first - 1).span.behind(), ",");
}

SyntaxId identifier(TreeBuilder& in, AnmlParser::IdentifierContext* context, Span absent)
{
    if (!context) return in.none(absent);
    return in.word(SyntaxKind::identifier, context);
}

SyntaxId dotted_name(TreeBuilder& in, AnmlParser::Dotted_nameContext* context, Span absent)
{
    if (!context) return in.none(absent);
    std::vector<SyntaxId> parts;
    for (AnmlParser::IdentifierContext* part : context->identifier()) parts.push_back(identifier(in, part));
    return in.make(SyntaxKind::dotted_name, context, {}, parts);
}

SyntaxId attribute_block(TreeBuilder& in, AnmlParser::Attribute_blockContext* context, Span absent)
{
    if (!context) return in.none(absent);
    std::vector<SyntaxId> attributes;
    for (AnmlParser::AttributeContext* item : context->attribute()) {
        const bool after_block = in.token(in.first_word(item) - 1).type == AnmlLexer::RBRACE;
        if (!attributes.empty() && !after_block) in.separated(in.first_word(item), "attributes");
        SyntaxId name = identifier(in, item->identifier());
        auto* nested = item->attribute_block();
        SyntaxId value = nested ? attribute_block(in, nested) : expression(in, item->expression());
        Span token = nested ? in.tree.node(value).token : in.span(item->ASSIGN());
        attributes.push_back(in.make(SyntaxKind::attribute, item, token, {name, value}));
        in.document(attributes.back(), item);
    }
    return in.make(SyntaxKind::attribute_block, context, context->LBRACE(), attributes);
}

SyntaxId file_node(TreeBuilder& in, const std::vector<SyntaxId>& declarations)
{
    Span whole{in.file.file, 0, static_cast<std::uint32_t>(in.sources.file(in.file.file).text.size())};
    SyntaxId id = in.make(SyntaxKind::file, whole, {}, declarations);
    if (!in.file.words.empty()) document(in.tree, in.file, id, 0);
    return id;
}

}  // namespace anml

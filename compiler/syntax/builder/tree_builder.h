// From ANTLR's contexts to our flat nodes. The one room that knows both; each function makes one kind of node.
#pragma once

#include <string>

#include "AnmlParser.h"
#include "syntax/lexer/file_tokens.h"

namespace anml {

using grammar::AnmlParser;

struct TreeBuilder {
    using Context = antlr4::ParserRuleContext;
    using Terminal = antlr4::tree::TerminalNode;

    TreeBuilder(SyntaxTree& tree, const SourceSet& sources, const FileTokens& file, Diagnostics& diagnostics)
        : tree(tree), sources(sources), file(file), diagnostics(diagnostics)
    {
    }

    // Words of the contexts that follow count from `first`.
    void begin_chunk(std::uint32_t first)
    {
        first_word_of_chunk = first;
        too_deep = false;
    }

    template <class Children = std::initializer_list<SyntaxId>>
    SyntaxId make(SyntaxKind kind, Span span, Span token, const Children& children = {}, std::uint8_t flags = 0)
    {
        return add(kind, span, token, {children.begin(), children.end()}, flags);
    }
    template <class Children = std::initializer_list<SyntaxId>>
    SyntaxId make(SyntaxKind kind, Context* context, Span token, const Children& children = {}, std::uint8_t flags = 0)
    {
        return add(kind, span(context), token, {children.begin(), children.end()}, flags);
    }
    template <class Children = std::initializer_list<SyntaxId>>
    SyntaxId make(SyntaxKind kind, Context* context, Terminal* token, const Children& children = {},
                  std::uint8_t flags = 0)
    {
        return add(kind, span(context), span(token), {children.begin(), children.end()}, flags);
    }
    SyntaxId add(SyntaxKind kind, Span span, Span token, std::span<const SyntaxId> children, std::uint8_t flags);
    // What is its own token.
    SyntaxId word(SyntaxKind kind, Span place) { return make(kind, place, place); }
    SyntaxId word(SyntaxKind kind, Context* context) { return word(kind, span(context)); }
    SyntaxId none(Span place) { return make(SyntaxKind::none, place, {}); }
    void document(SyntaxId id, Context* context) { anml::document(tree, file, id, first_word(context)); }

    // places
    std::uint32_t first_word(Context* context) const;
    std::uint32_t last_word(Context* context) const;
    // By the words: contexts find their parts by casts of each.
    bool begins(Context* context, std::uint16_t type) const { return token(first_word(context)).type == type; }
    bool follows_random(Context* context) const;
    Token token(std::uint32_t word) const { return tree.tokens[file.words[word].token]; }
    Span span(Context* context) const;
    Span span(Terminal* terminal) const;                                   // without one: none
    Span after(Context* context) const { return span(context).behind(); }  // the empty place behind it

    // Items of a block have a comma or a line's end between them.
    void separated(std::uint32_t first, const char* what);

    SyntaxTree& tree;
    const SourceSet& sources;
    const FileTokens& file;
    Diagnostics& diagnostics;
    Span unseparated;  // what was reported last as not separated
    std::uint32_t first_word_of_chunk = 0;
    std::uint32_t depth = 0;
    bool too_deep = false;
};

SyntaxId file_node(TreeBuilder& in, const std::vector<SyntaxId>& declarations);
// Of one that is absent an empty node, at the place that is given.
SyntaxId identifier(TreeBuilder& in, AnmlParser::IdentifierContext* context, Span absent = {});
SyntaxId dotted_name(TreeBuilder& in, AnmlParser::Dotted_nameContext* context, Span absent = {});
SyntaxId attribute_block(TreeBuilder& in, AnmlParser::Attribute_blockContext* context, Span absent = {});

// tree_builder_declarations.cpp
SyntaxId whole_declaration(TreeBuilder& in, AnmlParser::Whole_declarationContext* context);
SyntaxId profile(TreeBuilder& in, AnmlParser::Profile_declContext* context);
// A component or model whose body was parsed on its own; `close` is the word of its `}`.
struct BodyHead {
    SyntaxKind kind{};
    SyntaxId name, parameters, base, base_arguments;
    std::uint32_t first = 0, open = 0;  // words
    bool pub = false;                   // which is the first word
};
BodyHead body_head(TreeBuilder& in, AnmlParser::Body_headContext* context);
SyntaxId finish_body(TreeBuilder& in, const BodyHead& head, const std::vector<SyntaxId>& statements,
                     std::uint32_t close);

// tree_builder_statements.cpp, tree_builder_timeline.cpp
SyntaxId statement(TreeBuilder& in, AnmlParser::StatementContext* context);
SyntaxId annotation(TreeBuilder& in, AnmlParser::AnnotationContext* context);
SyntaxId block(TreeBuilder& in, AnmlParser::BlockContext* context);
SyntaxId require(TreeBuilder& in, AnmlParser::Require_stmtContext* context);
SyntaxId timeline_statement(TreeBuilder& in, AnmlParser::StatementContext* context);  // invalid: it is none
SyntaxId route(TreeBuilder& in, AnmlParser::Route_stmtContext* context);

// tree_builder_expressions.cpp
SyntaxId expression(TreeBuilder& in, AnmlParser::ExpressionContext* context);
SyntaxId optional_expression(TreeBuilder& in, AnmlParser::ExpressionContext* context, Span absent);
SyntaxId range(TreeBuilder& in, AnmlParser::RangeContext* context, Span absent = {});
SyntaxId index(TreeBuilder& in, AnmlParser::IndexContext* context);
SyntaxId argument_list(TreeBuilder& in, AnmlParser::Argument_listContext* context, Span absent = {});
SyntaxId argument(TreeBuilder& in, AnmlParser::ArgumentContext* context);
// `a .. b`, `a ..< b`, or `a` alone, with which the context begins its expressions.
template <class Context>
SyntaxId bounds(TreeBuilder& in, Context* context)
{
    AnmlParser::ExpressionContext* first = context->expression(0);
    SyntaxId low = expression(in, first);
    TreeBuilder::Terminal* half_open = context->HALF_OPEN();
    TreeBuilder::Terminal* dots = half_open ? half_open : context->RANGE();
    if (!dots) return low;
    AnmlParser::ExpressionContext* last = context->expression(1);
    SyntaxId high = expression(in, last);
    const Span place{in.file.file, in.span(first).begin, in.span(last).end};
    return in.make(SyntaxKind::range, place, in.span(dots), {low, high}, half_open ? syntax_flag::half_open : 0);
}

// The nodes of a list.
template <class Context>
std::vector<SyntaxId> each(TreeBuilder& in, const std::vector<Context*>& contexts,
                           SyntaxId (*node)(TreeBuilder&, Context*))
{
    std::vector<SyntaxId> nodes;
    for (Context* context : contexts) nodes.push_back(node(in, context));
    return nodes;
}

}  // namespace anml

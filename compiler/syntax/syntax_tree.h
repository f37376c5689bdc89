// Stage 2: the text as flat nodes, tokens and trivia, losing nothing.
//
// Nodes of all files live in one vector; children of a node are consecutive entries of `children`.
// Tokens of all files live in one vector too, in text order per file; white space is what lies between
// tokens, comments are tokens of their own.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "source/source_set.h"

namespace anml {

enum class SyntaxKind : std::uint8_t {
#define ANML_SYNTAX(kind, children) kind,
#include "syntax/syntax_kinds.def"
#undef ANML_SYNTAX
};
std::string_view syntax_kind_name(SyntaxKind kind);

// Lexer token types are the grammar's own (AnmlLexer); 0 is end of file. Only these are named outside `syntax`.
enum class TokenClass : std::uint8_t { punctuation, keyword, identifier, literal, comment, doc_comment, newline };

struct Token {
    Span span;
    std::uint16_t type = 0;  // ANTLR token type
    TokenClass cls{};
};

using SyntaxId = Id<struct SyntaxTag>;
using TokenId = Id<struct TokenTag>;

namespace syntax_flag {
inline constexpr std::uint8_t tunable = 1, directed = 2, half_open = 4;
inline constexpr std::uint8_t random = 8;  // `think: random time`: a distribution; a plain quantity is a constant one
inline constexpr std::uint8_t optional = 16;  // `address: address?`: may be left out, has no default
inline constexpr std::uint8_t list = 32;      // `documents: Document[]`: a list, or one value
}  // namespace syntax_flag

struct SyntaxNode {
    SyntaxKind kind = SyntaxKind::none;
    std::uint8_t flags = 0;
    std::uint32_t first_child = 0;  // into children
    std::uint32_t child_count = 0;
    Span span;    // whole construct; for `none`, the empty span where it would stand
    Span token;   // the keyword, operator or arrow that makes it (node_decl's `router`, binary's `+`)
    TokenId doc;  // first `///` token of its documentation, if any (declarations, parameters, statements)
};

struct SyntaxTree {
    std::vector<SyntaxNode> nodes;
    std::vector<SyntaxId> children;
    std::vector<Token> tokens;
    std::vector<SyntaxId> roots;  // by FileId: its `file` node

    const SyntaxNode& node(SyntaxId id) const { return nodes[id.value]; }
    std::span<const SyntaxId> children_of(SyntaxId id) const
    {
        const SyntaxNode& n = node(id);
        return {children.data() + n.first_child, n.child_count};
    }
    SyntaxId child(SyntaxId id, std::size_t position) const { return children_of(id)[position]; }
    SyntaxKind kind(SyntaxId id) const { return node(id).kind; }
    bool is_none(SyntaxId id) const { return kind(id) == SyntaxKind::none; }
};

// Lexes and parses every file of the set. Reports syntax errors in our own words.
std::optional<SyntaxTree> parse(const SourceSet& sources, Diagnostics& diagnostics);

// The text of the `///` lines that document `id`, markers stripped, joined by newlines; "" if none.
std::string doc_text(const SourceSet& sources, const SyntaxTree& tree, SyntaxId id);

std::string dump_syntax(const SourceSet& sources, const SyntaxTree& tree);    // --emit=ast
std::string verify_syntax(const SourceSet& sources, const SyntaxTree& tree);  // "" or what is broken

}  // namespace anml

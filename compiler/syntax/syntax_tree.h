// Stage 2: the text as flat nodes, tokens and trivia, losing nothing.
//
// Of a text with errors the tree is as complete, with holes: a `hole` node stands, empty, where something is missing,
// and over words that were skipped because they fit nowhere.
//
// Nodes of all files live in one vector, and so do tokens, in text order per file; white space is what lies between
// tokens, comments are tokens of their own. A model of a million lines has some ten million of each, so they are stored
// packed and read as the structs that are named here.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "base/partial.h"
#include "source/source_set.h"
#include "syntax/file_runs.h"

namespace anml {

enum class SyntaxKind : std::uint8_t {
#define ANML_SYNTAX(kind, View, children) kind,
#define ANML_SYNTAX_LIKE(kind, other) kind,
#define ANML_SYNTAX_LEAF(kind) kind,
#include "syntax/syntax_kinds.def"
};
std::string_view syntax_kind_name(SyntaxKind kind);

// Lexer token types are the grammar's own (AnmlLexer); 0 is end of file. Only these are named outside `syntax`.
enum class TokenClass : std::uint8_t { punctuation, keyword, identifier, literal, comment, doc_comment, newline };

struct Token {
    Span span;
    std::uint16_t type = 0;  // ANTLR token type
    TokenClass cls{};
};

class TokenList {
  public:
    std::size_t size() const { return packed_.size(); }
    bool empty() const { return packed_.empty(); }
    Token operator[](std::size_t i) const
    {
        const Packed& p = packed_[i];
        return {{files_.at(i), p.begin, p.end}, p.type, p.cls};
    }
    // The parts by themselves, for those that look at nothing else.
    std::uint16_t type(std::size_t i) const { return packed_[i].type; }
    TokenClass cls(std::size_t i) const { return packed_[i].cls; }
    std::uint32_t begin_of(std::size_t i) const { return packed_[i].begin; }
    std::uint32_t end_of(std::size_t i) const { return packed_[i].end; }
    FileId file(std::size_t i) const { return files_.at(i); }

    void reserve(std::size_t count) { packed_.reserve(count); }
    void push_back(const Token& token)
    {
        files_.add(packed_.size(), token.span.file);
        packed_.push_back({token.span.begin, token.span.end, token.type, token.cls});
    }
    void set(std::size_t i, const Token& token)  // of the same file
    {
        packed_[i] = {token.span.begin, token.span.end, token.type, token.cls};
    }
    void truncate(std::size_t count) { packed_.resize(count); }  // to no less than the last file's first token

  private:
    struct Packed {
        std::uint32_t begin = 0, end = 0;
        std::uint16_t type = 0;
        TokenClass cls{};
    };
    std::vector<Packed> packed_;
    FileRuns files_;
};

using SyntaxId = Id<struct SyntaxTag>;
using TokenId = Id<struct TokenTag>;

namespace syntax_flag {
inline constexpr std::uint8_t tunable = 1, directed = 2, half_open = 4;
inline constexpr std::uint8_t pub = 1;     // of a declaration: its module exports it
inline constexpr std::uint8_t random = 8;  // `think: random time`: a distribution; a plain quantity is a constant one
inline constexpr std::uint8_t optional = 16;   // `address: address?`: may be left out, has no default
inline constexpr std::uint8_t list = 32;       // `documents: Document[]`: a list, or one value
inline constexpr std::uint8_t component = 64;  // `lan: component Lan`: a component that extends it, or itself
inline constexpr std::uint8_t like = 2;        // of a dotted name: in `low: like x` of the parameter that it is like
}  // namespace syntax_flag

struct SyntaxNode {
    SyntaxKind kind = SyntaxKind::none;
    std::uint8_t flags = 0;
    std::uint32_t child_count = 0;
    Span span;    // whole construct; for `none`, the empty span where it would stand
    Span token;   // the keyword, operator or arrow that makes it (node_decl's `router`, binary's `+`)
    TokenId doc;  // first `///` token of its documentation, if any (declarations, parameters, statements)
};

namespace syntax {
class View;
}

class SyntaxTree {
  public:
    TokenList tokens;
    std::vector<SyntaxId> roots;  // by FileId: its `file` node
    // Files for the value of a parameter that hold no expression, and why: a string need not be one.
    std::vector<std::pair<FileId, Diagnostics>> no_values;

    // Holes over words, of which no node but these tells. Those between statements or declarations are children as
    // these are; others, in the middle of a construct, are children of nothing.
    std::vector<SyntaxId> skipped;

    std::size_t size() const { return nodes_.size(); }
    SyntaxNode node(SyntaxId id) const
    {
        const Packed& p = nodes_[id.value];
        const FileId file = files_.at(id.value);
        SyntaxNode node;
        node.kind = p.kind;
        node.flags = p.flags & ~kDocumented;
        node.child_count = children_end(id) - p.first_child;
        node.span = {file, p.begin, p.end};
        if (p.token_length == kWhole)
            node.token = node.span;
        else if (p.token_length > 0)
            node.token = {file, p.token, p.token + p.token_length};
        if (p.flags & kDocumented) node.doc = doc(id);
        return node;
    }
    std::span<const SyntaxId> children_of(SyntaxId id) const
    {
        const std::uint32_t first = nodes_[id.value].first_child;
        return {children_.data() + first, children_end(id) - first};
    }
    SyntaxKind kind(SyntaxId id) const { return nodes_[id.value].kind; }
    bool is_none(SyntaxId id) const { return kind(id) == SyntaxKind::none; }
    bool is_hole(SyntaxId id) const { return kind(id) == SyntaxKind::hole; }
    bool has_holes() const;

    // Children come before their parents, the nodes of a file behind those of the file before.
    SyntaxId add(SyntaxKind kind, std::uint8_t flags, Span span, Span token, std::span<const SyntaxId> children);
    void document(SyntaxId id, TokenId doc);
    void mark(SyntaxId id, std::uint8_t flags) { nodes_[id.value].flags |= flags; }
    void reserve(std::size_t nodes);
    void truncate(std::size_t nodes);  // to no less than the last file's first node

  private:
    static constexpr std::uint8_t kDocumented = 128;  // among the flags
    static constexpr std::uint16_t kWhole = 0xffff;   // its token is all of it
    struct Packed {
        std::uint32_t begin = 0, end = 0;
        std::uint32_t token = 0;        // where it begins
        std::uint32_t first_child = 0;  // into children_, where those of the next node follow
        std::uint16_t token_length = 0;
        SyntaxKind kind{};
        std::uint8_t flags = 0;
    };
    std::uint32_t children_end(SyntaxId id) const
    {
        return id.value + 1 < nodes_.size() ? nodes_[id.value + 1].first_child
                                            : static_cast<std::uint32_t>(children_.size());
    }
    TokenId doc(SyntaxId id) const;
    // Children are read by name, see syntax_views.h, or all in turn.
    friend class syntax::View;
    SyntaxId child(SyntaxId id, std::size_t position) const
    {
        return children_[nodes_[id.value].first_child + position];
    }

    std::vector<Packed> nodes_;
    std::vector<SyntaxId> children_;
    std::vector<std::pair<SyntaxId, TokenId>> docs_;  // in the order of nodes
    FileRuns files_;
};

// Lexes and parses every file of the set. Reports syntax errors in our own words; the tree is then one with holes.
Partial<SyntaxTree> parse(const SourceSet& sources, Diagnostics& diagnostics);

bool is_keyword(std::string_view word);
bool is_plain_name(std::string_view name);       // a word, and no keyword
bool is_quotable_name(std::string_view name);    // may stand between backquotes
std::string quoted_name(std::string_view name);  // between backquotes where it is no word, or a keyword
// A name as it is meant, of one that may stand between backquotes.
constexpr std::string_view unquoted(std::string_view name)
{
    const bool quoted = name.size() > 2 && name.front() == '`' && name.find('`', 1) == name.size() - 1;
    return quoted ? name.substr(1, name.size() - 2) : name;
}

// The text of the `///` lines that document `id`, markers stripped, joined by newlines; "" if none.
std::string doc_text(const SourceSet& sources, const SyntaxTree& tree, SyntaxId id);

std::string dump_syntax(const SourceSet& sources, const SyntaxTree& tree);  // --emit=ast
// "" or what is broken: a hole too, unless the text is said to have errors.
enum class Holes : std::uint8_t { none, allowed };
std::string verify_syntax(const SourceSet& sources, const SyntaxTree& tree, Holes holes = Holes::none);

}  // namespace anml

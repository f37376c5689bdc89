// Trees of statements by the kinds of their words.
//
// Whether a statement is well formed, and what its tree looks like, follows from the types of its tokens and from which
// of them begin a line. Large files repeat a few such sequences, so each that comes again is parsed for its shape once;
// the trees of later ones are copies of that, at their own places.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/parser/chunk_parser.h"

namespace anml {

class StatementShapes {
  public:
    explicit StatementShapes(ChunkParser& parser) : parser_(parser) {}

    // The tree of words [first, last), where they are one statement; invalid where they are not, where its tree depends
    // on more than types, or where none like it came before. Then nothing was added to `tree`.
    SyntaxId build(const FileTokens& file, std::uint32_t first, std::uint32_t last, SyntaxTree& tree);

  private:
    struct Node {
        SyntaxNode node;  // spans count in places, see statement_shapes.cpp; doc: the word it stands before
        std::vector<std::uint32_t> children;  // of the same shape
    };
    using Shape = std::vector<Node>;  // empty: none
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };

    Shape learn(const FileTokens& file, std::uint32_t first, std::uint32_t last, const TokenList& tokens);

    ChunkParser& parser_;
    std::unordered_map<std::string, std::optional<Shape>, Hash, std::equal_to<>> shapes_;  // nothing: it came once
    std::string key_;
    std::vector<SyntaxId> children_;
};

}  // namespace anml

// Where statements begin and end in the words of a body, told by their words alone, before they are parsed.
#pragma once

#include "syntax/lexer/file_tokens.h"

namespace anml {

class StatementBounds {
  public:
    StatementBounds(const FileTokens& file, const TokenList& tokens) : file_(file), tokens_(tokens) {}

    std::uint16_t type(std::uint32_t word) const { return tokens_.type(file_.words[word].token); }
    // The next word that is not inside a bracket that begins here.
    std::uint32_t behind(std::uint32_t word) const;
    // A statement's first word. An annotation belongs to what follows it.
    bool begins_here(std::uint32_t word) const;
    // Where the statement that begins at `first` ends, or one of those behind it.
    std::uint32_t piece_end(std::uint32_t first, std::uint32_t to) const;

  private:
    // `Subnet net` in a line of its own, behind something complete. Where this is wrong, what comes before does not
    // parse.
    bool begins_instance(std::uint32_t word) const;

    const FileTokens& file_;
    const TokenList& tokens_;
};

}  // namespace anml

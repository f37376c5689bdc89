// One reused ANTLR parser that parses a run of words at a time: SLL first, LL where that fails.
//
// ANTLR keeps every context of a parse until the next reset, so memory is bounded by the largest run.
#pragma once

#include <memory>
#include <variant>
#include <vector>

#include "AnmlParser.h"
#include "syntax/lexer/file_tokens.h"

namespace anml {

// Where the parse of a run stopped: the first word that does not fit, and what would have.
struct ParseFailure {
    struct Rule {
        std::size_t rule = 0;  // AnmlParser::Rule...
        std::uint32_t first_word = 0;
        std::size_t last_child = 0;  // kind of its last complete part: see kNoPart ..., or a rule index
        std::size_t children = 0;
    };
    std::uint32_t word = 0;      // may be the end of the run
    std::vector<bool> expected;  // by token type; [0]: the end of the run
    std::vector<Rule> rules;     // innermost first
    bool too_deep = false;
};
inline constexpr std::size_t kNoPart = 1000;     // the rule has no part yet
inline constexpr std::size_t kTokenPart = 1001;  // + token type

enum class Entry : std::uint8_t { whole_declaration, body_head, body_part, value };

class ChunkParser {
  public:
    ChunkParser();
    ~ChunkParser();

    // Parses words [first, last). The contexts live until the next call. Token indices count from `first`.
    std::variant<antlr4::ParserRuleContext*, ParseFailure> parse(Entry entry, const FileTokens& file,
                                                                 const TokenList& tokens, std::uint32_t first,
                                                                 std::uint32_t last);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace anml

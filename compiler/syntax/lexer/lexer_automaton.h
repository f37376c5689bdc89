// The grammar's lexer as a table of its states by class of bytes. It is made of grammar/AnmlLexer.g4 when anmlc is
// built (grammar/make_lexer_table.cpp), so the words are those of the grammar, and a byte costs two looks into tables.
#pragma once

#include <cstdint>
#include <string_view>

namespace anml {

namespace lexer_automaton {
extern const std::uint8_t kClassOf[256];  // by byte
// Of each state the targets by class, as where the target's row begins, then the type of the word that may end there.
extern const std::uint16_t kRows[];
extern const std::uint16_t kAccepted;          // where in a row that type stands
inline constexpr std::uint16_t kDead = 0xffff;  // no word goes on so
}  // namespace lexer_automaton

struct LexerMatch {
    std::uint16_t type = 0;  // of the token
    std::uint32_t end = 0;   // behind it
};

// The longest word that begins at `at`; any byte begins one.
inline LexerMatch match_word(std::string_view text, std::uint32_t at)
{
    using namespace lexer_automaton;
    LexerMatch longest;
    const std::uint16_t* row = kRows;
    while (at < text.size()) {
        const std::uint16_t next = row[kClassOf[static_cast<unsigned char>(text[at])]];
        if (next == kDead) break;
        row = kRows + next;
        ++at;
        if (row[kAccepted] != 0) longest = {row[kAccepted], at};
    }
    return longest;
}

}  // namespace anml

// The grammar's lexer as a table of its states by byte. ANTLR computes an entry when a text first needs it, so the
// words are those of grammar/AnmlLexer.g4; from then on a byte costs one look into the table.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace anml {

class LexerAutomaton {
  public:
    LexerAutomaton();
    ~LexerAutomaton();

    struct Match {
        std::uint16_t type = 0;  // of the token
        std::uint32_t end = 0;   // behind it
    };
    // The longest word that begins there; any byte begins one.
    Match match(std::string_view text, std::uint32_t at)
    {
        Match longest;
        State state = kStart;
        while (at < text.size()) {
            const auto byte = static_cast<unsigned char>(text[at]);
            State next = next_[state][byte];
            if (next == kUnknown) next = follow(state, byte);
            if (next == kDead) break;
            state = next;
            ++at;
            if (accepted_[state] != 0) longest = {accepted_[state], at};
        }
        return longest;
    }

  private:
    using State = std::uint16_t;
    static constexpr State kStart = 0, kDead = 0xfffe, kUnknown = 0xffff;

    State follow(State state, unsigned char byte);
    struct Antlr;
    State add(void* antlr_state);

    std::unique_ptr<Antlr> antlr_;
    std::vector<std::array<State, 256>> next_;  // by state
    std::vector<std::uint16_t> accepted_;       // by state: the type of the word that may end there, or 0
};

}  // namespace anml

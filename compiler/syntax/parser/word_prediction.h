// Predicts by the next word or two where ANTLR would simulate its network.
//
// The grammar needs no more (grammar/AnmlParser.g4), but ANTLR finds that out by simulation, anew in each process and
// for each kind of word: a quarter of what it takes to check a small model. The predictions are those of the first try
// of a text (PredictionMode::SLL). One that fails is tried again without them, so that the error says all that would fit.
#pragma once

#include <array>
#include <vector>

#include "AnmlParser.h"

namespace anml {

class WordPrediction final : public antlr4::atn::ParserATNSimulator {
  public:
    // In place of `replaced`, the parser's own.
    WordPrediction(grammar::AnmlParser& parser, antlr4::atn::ParserATNSimulator& replaced);

    std::size_t adaptivePredict(antlr4::TokenStream* input, std::size_t decision,
                                antlr4::ParserRuleContext* context) override;

  private:
    enum class Kind : std::uint8_t {
        simulated,
        goes_on,  // whether an operator stands behind an operand
        which,    // which alternative of the rule that operator begins
        list      // whether an item follows the comma of a list; a comma may stand last
    };
    struct Decision {
        Kind kind = Kind::simulated;
        std::uint8_t rule = 0;  // into rules_
    };
    // What a word begins behind an operand: an alternative of the rule, or nothing.
    struct Next {
        std::size_t alternative = 0;  // 0: nothing
        int precedence = 0;           // of an alternative
    };
    using Rule = std::array<Next, 256>;  // one that begins with itself; by the word's type

    static void note(Rule& rule, const antlr4::atn::ATNState* state, std::size_t alternative, int precedence);

    grammar::AnmlParser& parser_;
    std::vector<Rule> rules_;
    std::vector<Decision> decisions_;  // by ANTLR's number
};

}  // namespace anml

// Predicts what goes on behind an operand by the next word alone.
//
// The grammar needs no more (grammar/AnmlParser.g4), but ANTLR finds that out by simulation, anew in each process and
// for each kind of word that may stand behind an expression: a fifth of what it takes to compile a small model.
#pragma once

#include <array>

#include "AnmlParser.h"

namespace anml {

class OperatorPrediction final : public antlr4::atn::ParserATNSimulator {
  public:
    // In place of `replaced`, the parser's own.
    OperatorPrediction(grammar::AnmlParser& parser, antlr4::atn::ParserATNSimulator& replaced);

    std::size_t adaptivePredict(antlr4::TokenStream* input, std::size_t decision,
                                antlr4::ParserRuleContext* context) override;

  private:
    // What a word begins behind an operand: nothing, the end of the expression, or an alternative of the rule.
    struct Next {
        std::size_t alternative = 0;  // 0: not known here
        int precedence = 0;           // of an alternative
        bool ends = false;
    };
    void note(const antlr4::atn::ATNState* state, std::size_t alternative, int precedence);

    grammar::AnmlParser& parser_;
    std::size_t goes_on_ = 0,
                which_ = 0;         // the two decisions: whether there is an operator, and which alternative it is
    std::array<Next, 256> next_{};  // by the word's type
};

}  // namespace anml

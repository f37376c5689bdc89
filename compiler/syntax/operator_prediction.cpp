#include "syntax/operator_prediction.h"

#include "AnmlLexer.h"

namespace anml {

namespace {

using antlr4::atn::ATNState;
using antlr4::atn::Transition;
using grammar::AnmlLexer;
using grammar::AnmlParser;

// Some of those that may follow an expression, and go on with none.
constexpr std::array kEnds = {AnmlLexer::IDENTIFIER, AnmlLexer::COMMA,     AnmlLexer::RPAREN, AnmlLexer::RBRACE,
                              AnmlLexer::RBRACK,     AnmlLexer::LBRACE,    AnmlLexer::ASSIGN, AnmlLexer::COLON,
                              AnmlLexer::RANGE,      AnmlLexer::HALF_OPEN, AnmlLexer::DUPLEX, AnmlLexer::AT,
                              AnmlLexer::THEN,       AnmlLexer::ELSE,      AnmlLexer::FOR,    AnmlLexer::IF};

constexpr std::size_t kGoesOn = 1, kEnded = 2;  // ANTLR's numbers of the ways out of a loop's entry

}  // namespace

OperatorPrediction::OperatorPrediction(AnmlParser& parser, ParserATNSimulator& replaced)
    : ParserATNSimulator(&parser, replaced.atn, replaced.decisionToDFA, replaced.getSharedContextCache()),
      parser_(parser)
{
    for (const antlr4::atn::DecisionState* state : atn.decisionToState) {
        const auto* loop = dynamic_cast<const antlr4::atn::StarLoopEntryState*>(state);
        if (!loop || !loop->isPrecedenceDecision || loop->ruleIndex != AnmlParser::RuleExpression) continue;
        const auto* choice = static_cast<const antlr4::atn::DecisionState*>(loop->transitions[0]->target);
        goes_on_ = static_cast<std::size_t>(loop->decision);
        which_ = static_cast<std::size_t>(choice->decision);
        for (std::size_t i = 0; i < choice->transitions.size(); ++i) note(choice->transitions[i]->target, i + 1, 0);
    }
    for (const std::size_t type : kEnds) next_[type].ends = true;
}

// The words that the alternative begins with.
void OperatorPrediction::note(const ATNState* state, std::size_t alternative, int precedence)
{
    for (const Transition* way : state->transitions) {
        if (way->getSerializationType() == Transition::PRECEDENCE)
            precedence = static_cast<const antlr4::atn::PrecedencePredicateTransition*>(way)->precedence;
        if (way->isEpsilon())
            note(way->target, alternative, precedence);
        else
            for (const ssize_t type : way->label().toList())
                next_[static_cast<std::size_t>(type)] = {alternative, precedence, false};
    }
}

std::size_t OperatorPrediction::adaptivePredict(antlr4::TokenStream* input, std::size_t decision,
                                                antlr4::ParserRuleContext* context)
{
    const std::size_t type = input->LA(1);
    if ((decision == goes_on_ || decision == which_) && type < next_.size()) {
        const Next& next = next_[type];
        if (next.alternative != 0 && decision == which_) return next.alternative;
        if (next.alternative != 0) return parser_.precpred(context, next.precedence) ? kGoesOn : kEnded;
        if (next.ends && decision == goes_on_) return kEnded;
    }
    return ParserATNSimulator::adaptivePredict(input, decision, context);
}

}  // namespace anml

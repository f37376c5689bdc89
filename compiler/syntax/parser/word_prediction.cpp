#include "syntax/parser/word_prediction.h"

namespace anml {

namespace {

using antlr4::atn::ATNState;
using antlr4::atn::Transition;
using grammar::AnmlParser;

constexpr std::size_t kGoesOn = 1, kEnded = 2;  // ANTLR's numbers of the ways out of a loop's entry

bool may_end_with_comma(std::size_t rule)
{
    return rule == AnmlParser::RuleParameter_list || rule == AnmlParser::RuleAnnotation ||
           rule == AnmlParser::RuleArgument_list || rule == AnmlParser::RuleExpression;
}

bool closes(std::size_t type) { return type == AnmlParser::RPAREN || type == AnmlParser::RBRACK; }

// The first words of a loop's body, as far as they are told without following rules.
bool begins_with_comma(const antlr4::atn::StarLoopEntryState& loop)
{
    const ATNState* state = loop.transitions[0]->target;
    while (state->transitions.size() == 1 && state->transitions[0]->isEpsilon() &&
           state->transitions[0]->getSerializationType() == Transition::EPSILON)
        state = state->transitions[0]->target;
    return state->transitions.size() == 1 && state->transitions[0]->getSerializationType() == Transition::ATOM &&
           state->transitions[0]->label().contains(std::size_t{AnmlParser::COMMA});
}

}  // namespace

WordPrediction::WordPrediction(AnmlParser& parser, ParserATNSimulator& replaced)
    : ParserATNSimulator(&parser, replaced.atn, replaced.decisionToDFA, replaced.getSharedContextCache()),
      parser_(parser),
      decisions_(atn.decisionToState.size())
{
    for (antlr4::atn::DecisionState* state : atn.decisionToState) {
        if (state->getStateType() != ATNState::STAR_LOOP_ENTRY) continue;
        const auto* loop = static_cast<const antlr4::atn::StarLoopEntryState*>(state);
        Decision& decision = decisions_[static_cast<std::size_t>(loop->decision)];
        if (loop->isPrecedenceDecision) {
            const auto* choice = static_cast<const antlr4::atn::DecisionState*>(loop->transitions[0]->target);
            const auto rule = static_cast<std::uint8_t>(rules_.size());
            rules_.emplace_back();
            decision = {Kind::goes_on, rule};
            decisions_[static_cast<std::size_t>(choice->decision)] = {Kind::which, rule};
            for (std::size_t i = 0; i < choice->transitions.size(); ++i)
                note(rules_.back(), choice->transitions[i]->target, i + 1, 0);
        } else if (may_end_with_comma(loop->ruleIndex) && begins_with_comma(*loop)) {
            decision.kind = Kind::list;
        }
    }
}

// The words that the alternative begins with.
void WordPrediction::note(Rule& rule, const ATNState* state, std::size_t alternative, int precedence)
{
    for (const Transition* way : state->transitions) {
        if (way->getSerializationType() == Transition::PRECEDENCE)
            precedence = static_cast<const antlr4::atn::PrecedencePredicateTransition*>(way)->precedence;
        if (way->isEpsilon())
            note(rule, way->target, alternative, precedence);
        else
            for (const ssize_t type : way->label().toList())
                rule[static_cast<std::size_t>(type)] = {alternative, precedence};
    }
}

std::size_t WordPrediction::adaptivePredict(antlr4::TokenStream* input, std::size_t decision,
                                                antlr4::ParserRuleContext* context)
{
    const Decision known = decisions_[decision];
    const std::size_t type = input->LA(1);
    if (known.kind == Kind::simulated || getPredictionMode() != antlr4::atn::PredictionMode::SLL)
        return ParserATNSimulator::adaptivePredict(input, decision, context);
    if (known.kind == Kind::list) return type == AnmlParser::COMMA && !closes(input->LA(2)) ? kGoesOn : kEnded;
    if (type >= std::tuple_size_v<Rule>) return kEnded;  // the end of the text
    const Next& next = rules_[known.rule][type];
    if (known.kind == Kind::which) return next.alternative;  // there is one: `goes_on` was asked before
    return next.alternative != 0 && parser_.precpred(context, next.precedence) ? kGoesOn : kEnded;
}

}  // namespace anml

// Filling the table in.
#include "syntax/lexer_automaton.h"

#include <unordered_map>

#include "AnmlLexer.h"
#include "syntax/byte_stream.h"

namespace anml {

namespace {

using antlr4::atn::LexerATNSimulator;
using antlr4::dfa::DFAState;

// Opens the computation of ANTLR's states, which it keeps for itself.
class Simulator final : public LexerATNSimulator {
  public:
    Simulator(antlr4::CharStream& nothing, antlr4::Lexer& lexer, std::vector<antlr4::dfa::DFA>& states,
              antlr4::atn::PredictionContextCache& contexts)
        : LexerATNSimulator(&lexer, lexer.getATN(), states, contexts), nothing_(nothing)
    {
    }
    DFAState* start()
    {
        antlr4::dfa::DFA& states = getDFA(_mode);
        if (!states.s0) states.s0 = addDFAState(computeStartState(&nothing_, atn.modeToStartState[_mode]).release());
        return states.s0;
    }
    DFAState* target(DFAState* from, std::size_t symbol)  // nullptr: no word goes on so
    {
        DFAState* to = getExistingTargetState(from, symbol);
        if (!to) to = computeTargetState(&nothing_, from, symbol);
        return to == ERROR.get() ? nullptr : to;
    }

  private:
    antlr4::CharStream& nothing_;  // only actions and predicates would read it, and the grammar has none
};

// The rule's own, unless a command `-> type(...)` gives another.
std::uint16_t accepted_type(const DFAState& state)
{
    auto type = static_cast<std::uint16_t>(state.prediction);
    if (!state.lexerActionExecutor) return type;
    for (const auto& action : state.lexerActionExecutor->getLexerActions())
        if (action->getActionType() == antlr4::atn::LexerActionType::TYPE)
            type = static_cast<std::uint16_t>(static_cast<const antlr4::atn::LexerTypeAction&>(*action).getType());
    return type;
}

}  // namespace

struct LexerAutomaton::Antlr {
    ByteStream nothing{{}};
    grammar::AnmlLexer lexer{&nothing};
    antlr4::atn::PredictionContextCache contexts;
    Simulator simulator{nothing, lexer, lexer.getInterpreter<LexerATNSimulator>()->_decisionToDFA, contexts};
    std::vector<DFAState*> states;
    std::unordered_map<const DFAState*, State> numbers;
};

LexerAutomaton::LexerAutomaton() : antlr_(std::make_unique<Antlr>()) { add(antlr_->simulator.start()); }

LexerAutomaton::~LexerAutomaton() = default;

LexerAutomaton::State LexerAutomaton::add(void* antlr_state)
{
    auto* const state = static_cast<DFAState*>(antlr_state);
    const auto [at, fresh] = antlr_->numbers.try_emplace(state, static_cast<State>(antlr_->states.size()));
    if (fresh) {
        antlr_->states.push_back(state);
        next_.emplace_back().fill(kUnknown);
        accepted_.push_back(state->isAcceptState ? accepted_type(*state) : 0);
    }
    return at->second;
}

LexerAutomaton::State LexerAutomaton::follow(State state, unsigned char byte)
{
    DFAState* const target = antlr_->simulator.target(antlr_->states[state], byte);
    const State next = target ? add(target) : kDead;
    next_[state][byte] = next;
    return next;
}

}  // namespace anml

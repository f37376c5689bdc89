// make_lexer_table FILE: writes the automaton of AnmlLexer.g4 as the table that
// compiler/syntax/lexer/lexer_automaton.h reads.
// ANTLR computes its states; here, where anmlc is built, instead of in each of its processes.
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <unordered_map>
#include <vector>

#include "AnmlLexer.h"

namespace {

using antlr4::atn::LexerATNSimulator;
using antlr4::dfa::DFAState;

constexpr std::size_t kBytes = 256;
constexpr std::uint16_t kDead = 0xffff;

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

struct Table {
    std::vector<std::array<std::uint16_t, kBytes>> next;  // by state, by byte
    std::vector<std::uint16_t> accepted;                  // by state: the type of the word that may end there, or 0
};

Table all_states()
{
    antlr4::ANTLRInputStream nothing("");
    anml::grammar::AnmlLexer lexer(&nothing);
    antlr4::atn::PredictionContextCache contexts;
    Simulator simulator(nothing, lexer, lexer.getInterpreter<LexerATNSimulator>()->_decisionToDFA, contexts);
    Table table;
    std::vector<DFAState*> states{simulator.start()};
    std::unordered_map<const DFAState*, std::uint16_t> numbers{{states[0], std::uint16_t{0}}};
    for (std::size_t i = 0; i < states.size(); ++i) {
        table.accepted.push_back(states[i]->isAcceptState ? accepted_type(*states[i]) : std::uint16_t{0});
        auto& next = table.next.emplace_back();
        for (std::size_t byte = 0; byte < kBytes; ++byte) {
            DFAState* const to = simulator.target(states[i], byte);
            next[byte] = kDead;
            if (!to) continue;
            const auto [at, fresh] = numbers.try_emplace(to, static_cast<std::uint16_t>(states.size()));
            if (fresh) states.push_back(to);
            next[byte] = at->second;
        }
    }
    return table;
}

template <class Numbers>
void print(std::FILE* out, const char* declaration, const Numbers& numbers)
{
    std::fprintf(out, "constinit const %s = {", declaration);
    int column = 0;
    for (const auto number : numbers) std::fprintf(out, "%s%d,", column++ % 20 == 0 ? "\n    " : " ", int(number));
    std::fprintf(out, "\n};\n");
}

// Bytes that every state treats alike are of one class.
bool write(std::FILE* out, const Table& table)
{
    std::map<std::vector<std::uint16_t>, std::size_t> classes;
    std::array<std::size_t, kBytes> class_of{};
    std::vector<std::size_t> first;  // byte of each class
    for (std::size_t byte = 0; byte < kBytes; ++byte) {
        std::vector<std::uint16_t> column;
        for (const auto& next : table.next) column.push_back(next[byte]);
        const auto [at, fresh] = classes.try_emplace(std::move(column), classes.size());
        if (fresh) first.push_back(byte);
        class_of[byte] = at->second;
    }
    const std::size_t width = first.size() + 1;
    if (table.next.size() * width >= kDead) return std::fputs("the automaton has too many states\n", stderr), false;
    std::vector<std::uint16_t> rows;  // of each state, by class: where the target's row begins; then what is accepted
    for (std::size_t state = 0; state < table.next.size(); ++state) {
        for (const std::size_t byte : first) {
            const std::uint16_t to = table.next[state][byte];
            rows.push_back(to == kDead ? kDead : static_cast<std::uint16_t>(to * width));
        }
        rows.push_back(table.accepted[state]);
    }
    std::fprintf(out, "// Written by grammar/make_lexer_table.cpp.\n#include \"syntax/lexer/lexer_automaton.h\"\n\n"
                      "namespace anml::lexer_automaton {\n\n");
    std::fprintf(out, "const std::uint16_t kAccepted = %zu;\n", first.size());
    print(out, "std::uint8_t kClassOf[256]", class_of);
    print(out, "std::uint16_t kRows[]", rows);
    std::fprintf(out, "\n}  // namespace anml::lexer_automaton\n");
    return true;
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 2) return std::fputs("usage: make_lexer_table FILE\n", stderr), 2;
    std::FILE* out = std::fopen(argv[1], "w");
    if (!out) return std::perror(argv[1]), 1;
    const bool written = write(out, all_states());
    if (std::fclose(out) != 0) return std::perror(argv[1]), 1;
    return written ? 0 : 1;
}

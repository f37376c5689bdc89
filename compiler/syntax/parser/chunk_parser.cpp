// ANTLR's parser behind a small door: a token stream over our own words, and a strategy that stops at the first error.
#include "syntax/parser/chunk_parser.h"

#include <deque>

#include "AnmlLexer.h"
#include "syntax/parser/word_prediction.h"

namespace anml {

namespace {

using antlr4::CommonToken;
using antlr4::ParserRuleContext;
using antlr4::atn::PredictionMode;
using grammar::AnmlParser;

class WordStream final : public antlr4::TokenStream {
  public:
    void fill(const FileTokens& file, const TokenList& tokens, std::uint32_t first, std::uint32_t last)
    {
        words_.clear();
        words_.reserve(last - first + 1);
        for (std::uint32_t i = first; i < last; ++i) {
            const std::uint32_t at = file.words[i].token;
            add(tokens.type(at), tokens.begin_of(at), tokens.end_of(at));
        }
        std::size_t end = words_.empty() ? 0 : words_.back().getStopIndex() + 1;
        add(antlr4::Token::EOF, end, end);
        at_ = 0;
    }
    // The same nodes for each text: making and destroying them took longer than reading their words.
    antlr4::tree::TerminalNode* node_of(std::size_t index)
    {
        while (nodes_.size() <= index) nodes_.emplace_back(nullptr);
        nodes_[index].symbol = &words_[index];
        return &nodes_[index];
    }

    antlr4::Token* LT(ssize_t k) override
    {
        if (k == 1) return &words_[at_];
        if (k < 0 && static_cast<std::size_t>(-k) > at_) return nullptr;
        std::size_t place = k > 0 ? at_ + static_cast<std::size_t>(k) - 1 : at_ - static_cast<std::size_t>(-k);
        return &words_[std::min(place, words_.size() - 1)];
    }
    std::size_t LA(ssize_t i) override
    {
        if (i == 1) return words_[at_].CommonToken::getType();
        antlr4::Token* token = LT(i);
        return token ? token->getType() : antlr4::Token::INVALID_TYPE;
    }
    void consume() override { at_ = std::min(at_ + 1, words_.size() - 1); }
    ssize_t mark() override { return 0; }
    void release(ssize_t) override {}
    std::size_t index() override { return at_; }
    void seek(std::size_t index) override { at_ = std::min(index, words_.size() - 1); }
    std::size_t size() override { return words_.size(); }
    antlr4::Token* get(std::size_t index) const override { return const_cast<CommonToken*>(&words_[index]); }
    antlr4::TokenSource* getTokenSource() const override { return nullptr; }
    std::string getSourceName() const override { return {}; }
    std::string getText(const antlr4::misc::Interval&) override { return {}; }
    std::string getText() override { return {}; }
    std::string getText(antlr4::RuleContext*) override { return {}; }
    std::string getText(antlr4::Token*, antlr4::Token*) override { return {}; }

  private:
    void add(std::size_t type, std::size_t begin, std::size_t end)
    {
        const std::size_t index = words_.size();
        CommonToken& token = words_.emplace_back(type);
        token.setStartIndex(begin);
        token.setStopIndex(end - 1);
        token.setTokenIndex(index);
    }

    std::vector<CommonToken> words_;
    std::deque<antlr4::tree::TerminalNodeImpl> nodes_;
    std::size_t at_ = 0;
};

std::size_t part_kind(antlr4::tree::ParseTree* child)
{
    if (auto* rule = dynamic_cast<ParserRuleContext*>(child)) return rule->getRuleIndex();
    auto* terminal = dynamic_cast<antlr4::tree::TerminalNode*>(child);
    return kTokenPart + (terminal ? terminal->getSymbol()->getType() : 0);
}

// What the parser expects where it stands. Has to be taken before the contexts unwind.
ParseFailure describe(antlr4::Parser& parser, std::uint32_t first)
{
    ParseFailure failure;
    failure.word = first + static_cast<std::uint32_t>(parser.getTokenStream()->index());
    failure.expected.resize(grammar::AnmlLexer::STRAY + 1);
    antlr4::misc::IntervalSet expected = parser.getExpectedTokens();
    for (std::size_t type = 1; type < failure.expected.size(); ++type) {
        failure.expected[type] = expected.contains(static_cast<ssize_t>(type));
    }
    failure.expected[0] = expected.contains(static_cast<ssize_t>(antlr4::Token::EOF));
    for (antlr4::tree::ParseTree* at = parser.getContext(); at; at = at->parent) {
        auto* context = static_cast<ParserRuleContext*>(at);
        ParseFailure::Rule rule;
        rule.rule = context->getRuleIndex();
        rule.first_word = first + static_cast<std::uint32_t>(context->start->getTokenIndex());
        rule.children = context->children.size();
        rule.last_child = context->children.empty() ? kNoPart : part_kind(context->children.back());
        failure.rules.push_back(rule);
    }
    return failure;
}

// Thrown through the generated code, which catches ANTLR's own exceptions only.
struct Stopped {
    ParseFailure failure;
};

class StopAtFirst final : public antlr4::DefaultErrorStrategy {
  public:
    std::uint32_t first = 0;
    bool complete = false;  // the failure says all that would have fitted

    void recover(antlr4::Parser* parser, std::exception_ptr) override { throw Stopped{describe(*parser, first)}; }
    void reportError(antlr4::Parser* parser, const antlr4::RecognitionException&) override
    {
        throw Stopped{describe(*parser, first)};
    }
    antlr4::Token* recoverInline(antlr4::Parser* parser) override { throw Stopped{describe(*parser, first)}; }
    // Called before each optional part and each repetition: stopping here already, instead of at the next obligatory
    // word, makes the expectation complete. What parses passes, so the first try does without: it would compute for
    // each place in the grammar what may follow there.
    void sync(antlr4::Parser* parser) override
    {
        if (!complete) return;
        const antlr4::atn::ATN& atn = parser->getATN();
        const antlr4::misc::IntervalSet& next = atn.nextTokens(atn.states[parser->getState()]);
        if (next.contains(antlr4::Token::EPSILON)) return;
        if (next.contains(parser->getTokenStream()->LA(1))) return;
        throw Stopped{describe(*parser, first)};
    }
};

// Refuses what would need more stack than there is.
class BoundedParser final : public AnmlParser {
  public:
    explicit BoundedParser(WordStream* words) : AnmlParser(words), words_(*words)
    {
        setInterpreter(new WordPrediction(*this, *getInterpreter<antlr4::atn::ParserATNSimulator>()));
    }

    void reset() override
    {
        depth_ = 0;
        AnmlParser::reset();
        getTreeTracker().reset();
    }
    void enterRecursionRule(ParserRuleContext* context, std::size_t state, std::size_t rule, int precedence) override
    {
        if (++depth_ > kDeepestNesting) stop();
        AnmlParser::enterRecursionRule(context, state, rule, precedence);
    }
    void unrollRecursionContexts(ParserRuleContext* parent) override
    {
        --depth_;
        AnmlParser::unrollRecursionContexts(parent);
    }
    antlr4::Token* consume() override
    {
        const std::size_t at = words_.index();
        words_.consume();
        return _ctx->addChild(words_.node_of(at))->getSymbol();
    }
    void enterRule(ParserRuleContext* context, std::size_t state, std::size_t rule) override
    {
        // `else if` chains are the one recursion without a bracket or an expression.
        if (rule == RuleIf_stmt && context->depth() > static_cast<int>(4 * kDeepestNesting)) stop();
        // As ANTLR does, without casts, listeners, and vectors that grow part by part.
        setState(state);
        _ctx = context;
        context->start = getTokenStream()->LT(1);
        context->children.reserve(kUsualParts);
        if (auto* parent = static_cast<ParserRuleContext*>(context->parent)) parent->addChild(context);
    }

  private:
    static constexpr std::size_t kUsualParts = 4;  // of a context

    void stop()
    {
        ParseFailure failure;
        failure.word = static_cast<std::uint32_t>(getTokenStream()->index());
        failure.too_deep = true;
        throw Stopped{failure};
    }
    WordStream& words_;
    std::uint32_t depth_ = 0;
};

}  // namespace

struct ChunkParser::State {
    WordStream words;
    BoundedParser parser{&words};
    std::shared_ptr<StopAtFirst> strategy = std::make_shared<StopAtFirst>();

    ParserRuleContext* run(Entry entry)
    {
        switch (entry) {
            case Entry::whole_declaration:
                return parser.whole_declaration();
            case Entry::body_head:
                return parser.body_head();
            case Entry::value:
                return parser.value();
            case Entry::body_part:
                break;
        }
        return parser.body_part();
    }
};

ChunkParser::ChunkParser() : state_(std::make_unique<State>())
{
    state_->parser.removeErrorListeners();
    state_->parser.setErrorHandler(state_->strategy);
}

ChunkParser::~ChunkParser() = default;

std::variant<ParserRuleContext*, ParseFailure> ChunkParser::parse(Entry entry, const FileTokens& file,
                                                                  const TokenList& tokens, std::uint32_t first,
                                                                  std::uint32_t last)
{
    state_->strategy->first = first;
    state_->words.fill(file, tokens, first, last);
    auto* simulator = state_->parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
    for (PredictionMode mode : {PredictionMode::SLL, PredictionMode::LL}) {
        simulator->setPredictionMode(mode);
        state_->strategy->complete = mode == PredictionMode::LL;
        state_->parser.reset();
        try {
            return state_->run(entry);
        } catch (Stopped& stopped) {
            if (stopped.failure.too_deep) stopped.failure.word += first;
            if (mode == PredictionMode::LL || stopped.failure.too_deep) return std::move(stopped.failure);
        }
    }
    return nullptr;
}

}  // namespace anml

// What a parse failure is called: what would have fitted, where, and what stands there instead; and the usual mistakes.
#include "syntax/syntax_error.h"

#include <fmt/format.h>

#include "AnmlLexer.h"
#include "base/quantity.h"

namespace anml {

namespace {

using grammar::AnmlLexer;
using grammar::AnmlParser;

std::string_view token_text(std::size_t type)
{
    switch (type) {
        case AnmlLexer::AS:
            return "`as`";
        case AnmlLexer::IN:
            return "`in`";
        case AnmlLexer::ELSE:
            return "`else`";
        case AnmlLexer::THEN:
            return "`then`";
        case AnmlLexer::ON:
            return "`on`";
        case AnmlLexer::WHILE:
            return "`while`";
        case AnmlLexer::STATE:
            return "`state`";
        case AnmlLexer::YIELD:
            return "`yield`";
        case AnmlLexer::FROM:
            return "`from`";
        case AnmlLexer::EVERY:
            return "`every`";
        case AnmlLexer::OVERRIDE:
            return "`override`";
        case AnmlLexer::LBRACE:
            return "`{`";
        case AnmlLexer::RBRACE:
            return "`}`";
        case AnmlLexer::LPAREN:
            return "`(`";
        case AnmlLexer::RPAREN:
            return "`)`";
        case AnmlLexer::LBRACK:
            return "`[`";
        case AnmlLexer::RBRACK:
            return "`]`";
        case AnmlLexer::DUPLEX:
            return "`--`";
        case AnmlLexer::DIRECTED:
            return "`->`";
        case AnmlLexer::RANGE:
            return "`..`";
        case AnmlLexer::HALF_OPEN:
            return "`..<`";
        case AnmlLexer::COMMA:
            return "`,`";
        case AnmlLexer::COLON:
            return "`:`";
        case AnmlLexer::ASSIGN:
            return "`=`";
        case AnmlLexer::INTEGER:
            return "a whole number";
        case AnmlLexer::STRING:
            return "a string in double quotes";
        case AnmlLexer::IDENTIFIER:
            return "a name";
        default:
            return {};
    }
}

// How a construct is called in a message.
std::string_view rule_name(std::size_t rule)
{
    switch (rule) {
        case AnmlParser::RuleEdition_decl:
            return "edition";
        case AnmlParser::RuleImport_decl:
            return "import";
        case AnmlParser::RuleSchema_decl:
            return "schema";
        case AnmlParser::RuleAttribute_decl:
            return "attribute";
        case AnmlParser::RuleEnum_decl:
            return "enum";
        case AnmlParser::RuleProfile_decl:
            return "profile";
        case AnmlParser::RuleProcess_decl:
            return "process";
        case AnmlParser::RuleState_decl:
            return "state";
        case AnmlParser::RuleGraph_decl:
            return "graph";
        case AnmlParser::RuleFunction_decl:
            return "function";
        case AnmlParser::RuleBody_head:
        case AnmlParser::RuleComponent_decl:
            return "component";
        case AnmlParser::RuleParameter:
            return "parameter";
        case AnmlParser::RuleNode_decl:
            return "node";
        case AnmlParser::RuleInstance_decl:
            return "instance";
        case AnmlParser::RuleLink_decl:
            return "link";
        case AnmlParser::RuleWorkload_decl:
            return "workload";
        case AnmlParser::RuleAttribute:
            return "attribute";
        default:
            return {};
    }
}

class Report {
  public:
    Report(const SourceSet& sources, const TokenList& tokens, FileTokens& file, const ParseFailure& failure,
           Diagnostics& diagnostics)
        : sources_(sources), tokens_(tokens), file_(file), failure_(failure), diagnostics_(diagnostics)
    {
    }

    void run()
    {
        if (failure_.too_deep) {
            report(Diag::nesting_too_deep, fmt::format("this is nested more than {} deep", kDeepestNesting));
            return;
        }
        if (!at_end() && file_.bad(failure_.word)) return;
        if (explained_by_bracket() || closed_by_another()) return;
        if (!at_end()) file_.mark_bad(failure_.word);
        if (misannotated() || unit_of_name() || link_ends() || keyword_as_name() || loose_word() || misplaced()) return;
        auto builder =
            report(Diag::syntax_error, fmt::format("expected {}{}, found {}", expectation(), place(), found()));
        add_help(builder);
    }

    // A bracket around the failure that is never closed is the mistake. Where the failure is at a word that gives
    // brackets up (the next statement), they are found from the word before it.
    bool explained_by_bracket()
    {
        std::uint32_t open = FileTokens::kNone;
        if (failure_.word > 0) {
            std::uint32_t before = failure_.word - 1;
            open = unclosed_from(is_opening(before) ? before : file_.inside(before));
        }
        if (open == FileTokens::kNone && !at_end()) open = unclosed_from(file_.inside(failure_.word));
        if (open == FileTokens::kNone) return false;
        if (!at_end()) file_.mark_bad(failure_.word);
        if (file_.bad(open)) return true;
        auto builder = diagnostics_.report(Diag::unclosed_bracket, span_of(open),
                                           fmt::format("this `{}` is never closed", text_of(open)));
        builder.also(at_end() ? end_span() : span_of(failure_.word), fmt::format("expected {} here", expectation()));
        file_.mark_bad(open);
        while ((open = unclosed_from(file_.inside(open))) != FileTokens::kNone && !file_.bad(open)) {
            builder.also(span_of(open), "nor is this one");
            file_.mark_bad(open);
        }
        return true;
    }

  private:
    // A statement begins in a block of actions or attributes, and a brace further out is never closed: the block's own
    // was forgotten, and took the next one.
    bool closed_by_another()
    {
        if (at_end() || !begins_statement(type()) || !file_.words[failure_.word].starts_line) return false;
        const std::uint32_t inner = file_.inside(failure_.word);
        if (inner == FileTokens::kNone || type_of(inner) != AnmlLexer::LBRACE) return false;
        std::uint32_t outer = file_.inside(inner);
        while (outer != FileTokens::kNone && file_.partner(outer) != FileTokens::kNone) outer = file_.inside(outer);
        if (outer == FileTokens::kNone || file_.bad(outer)) return false;
        for (const std::uint32_t word : {failure_.word, inner, outer}) file_.mark_bad(word);
        diagnostics_.report(Diag::unclosed_bracket, span_of(inner), "this `{` is never closed")
            .also(span_of(failure_.word), fmt::format("expected {} here", expectation()));
        return true;
    }
    bool is_opening(std::uint32_t word) const { return is_opening_bracket(type_of(word)); }
    // The bracket itself, if nothing closes it: brackets further out explain nothing inside a closed one.
    std::uint32_t unclosed_from(std::uint32_t open) const
    {
        bool unclosed = open != FileTokens::kNone && file_.partner(open) == FileTokens::kNone;
        return unclosed ? open : FileTokens::kNone;
    }

    bool at_end() const { return failure_.word >= file_.words.size(); }
    Span span_of(std::uint32_t word) const { return tokens_[file_.words[word].token].span; }
    std::uint16_t type_of(std::uint32_t word) const { return tokens_.type(file_.words[word].token); }
    std::uint16_t type() const { return at_end() ? 0 : type_of(failure_.word); }
    std::string_view text_of(std::uint32_t word) const { return sources_.text(span_of(word)); }
    bool is_keyword(std::uint32_t word) const { return tokens_.cls(file_.words[word].token) == TokenClass::keyword; }
    bool expects(std::size_t type) const { return failure_.expected[type]; }
    bool expects_value() const
    {
        return expects(AnmlLexer::INTEGER) && expects(AnmlLexer::LPAREN) && expects(AnmlLexer::SELF);
    }
    bool expects_statement() const { return expects(AnmlLexer::ROUTER) && expects(AnmlLexer::LET); }
    bool expects_operator() const { return expects(AnmlLexer::PLUS) && expects(AnmlLexer::STAR); }
    std::size_t rule(std::size_t i) const { return i < failure_.rules.size() ? failure_.rules[i].rule : kNoPart; }
    bool inside(std::size_t wanted) const
    {
        for (const ParseFailure::Rule& r : failure_.rules) {
            if (r.rule == wanted) return true;
        }
        return false;
    }
    // The innermost rule that is no part of an expression.
    const ParseFailure::Rule* construct() const
    {
        for (const ParseFailure::Rule& r : failure_.rules) {
            if (r.rule != AnmlParser::RuleExpression && r.rule != AnmlParser::RuleIdentifier &&
                r.rule != AnmlParser::RuleDotted_name && r.rule != AnmlParser::RuleLiteral)
            {
                return &r;
            }
        }
        return nullptr;
    }

    Span end_span() const
    {
        auto size = static_cast<std::uint32_t>(sources_.file(file_.file).text.size());
        std::uint32_t last = file_.words.empty() ? 0 : span_of(static_cast<std::uint32_t>(file_.words.size()) - 1).end;
        return {file_.file, std::min(last, size), std::min(last, size)};
    }

    Diagnostics::Builder report(Diag diag, std::string message)
    {
        return diagnostics_.report(diag, at_end() ? end_span() : span_of(failure_.word), std::move(message));
    }

    std::string found() const
    {
        if (at_end()) return "the end of the file";
        if (is_keyword(failure_.word)) return fmt::format("the keyword `{}`", text_of(failure_.word));
        return fmt::format("`{}`", text_of(failure_.word));
    }

    std::string expectation() const
    {
        std::vector<std::string> list;
        std::vector<bool> rest = failure_.expected;
        auto drop = [&](std::initializer_list<std::size_t> types) {
            for (std::size_t type : types) rest[type] = false;
        };
        using L = AnmlLexer;
        if (expects_operator()) {
            // After a value an operator is always possible, and hardly ever what was forgotten.
            drop({L::PLUS, L::MINUS, L::TOLERANCE, L::STAR, L::SLASH, L::PERCENT, L::LESS, L::GREATER, L::AT_MOST,
                  L::AT_LEAST, L::EQUAL, L::NOT_EQUAL, L::AND, L::OR, L::DOT, L::LPAREN, L::LBRACK});
        }
        if (rule(0) == AnmlParser::RuleAttribute) drop({L::LBRACE});  // a direction's block: rare
        if (expects_statement()) {
            list.push_back("a statement");
            for (std::size_t type = 1; type < rest.size(); ++type) {
                if (begins_statement(static_cast<std::uint16_t>(type))) rest[type] = false;
            }
            drop({L::IF, L::IDENTIFIER, L::EVERY, L::FROM});
            if (rest[0]) list.push_back("`}`");
            rest[0] = false;
        } else if (expects(L::MODEL) && expects(L::IMPORT)) {
            list.push_back("a declaration");
            rest.assign(rest.size(), false);
        } else if (expects_value()) {
            list.push_back(rule(0) == AnmlParser::RuleArgument_list ? "an argument" : "a value");
            drop({L::INTEGER, L::NUMBER, L::QUANTITY, L::STRING, L::ADDRESS, L::PREFIX, L::TRUE, L::FALSE, L::SELF,
                  L::LPAREN, L::LBRACK, L::MINUS, L::NOT, L::IF, L::IDENTIFIER});
            if (rest[L::STAR]) list.push_back("`*`");
            drop({L::STAR});
        }
        if (rest[0] && inside(AnmlParser::RuleWhole_declaration)) list.push_back("the next declaration");
        if (rest[0] && inside(AnmlParser::RuleValue)) list.push_back("the end of the value");
        if (const std::string_view word = small_word(); !word.empty() && rest[L::IDENTIFIER]) {
            list.emplace_back(word);
            drop({L::IDENTIFIER});
        }
        for (std::size_t type = 1; type < rest.size(); ++type) {
            if (!rest[type]) continue;
            if (std::string_view text = token_text(type); !text.empty()) list.emplace_back(text);
        }
        if (list.empty()) return "something else";
        std::string joined = list[0];
        for (std::size_t i = 1; i < list.size(); ++i) joined += (i + 1 == list.size() ? " or " : ", ") + list[i];
        return joined;
    }

    // Which word stands there where the grammar takes any name, see tree_builder_timeline.cpp.
    std::string_view small_word() const
    {
        for (const ParseFailure::Rule& r : failure_.rules) {
            switch (r.rule) {
                case AnmlParser::RuleFrom_stmt:
                case AnmlParser::RuleEvery_stmt:
                case AnmlParser::RuleRamp_stmt:
                    return "`to`";
                case AnmlParser::RuleRoute_stmt:
                    return r.children < 4 ? "`to`" : "`via`";
                case AnmlParser::RuleTimeline_item:
                    return "`up`, `down`, `off`";
                case AnmlParser::RuleExpression:
                case AnmlParser::RuleSubject:
                case AnmlParser::RuleIdentifier:
                    break;
                default:
                    return {};
            }
        }
        return {};
    }

    // " after the link's name", " after `=`"; nothing where the words before are of another statement.
    std::string place() const
    {
        const ParseFailure::Rule* at = nullptr;
        for (const ParseFailure::Rule& r : failure_.rules) {
            if (!at && r.first_word < failure_.word) at = &r;
        }
        if (!at || at->rule == AnmlParser::RuleBody_part || at->rule == AnmlParser::RuleBlock) return {};
        std::string_view name = rule_name(at->rule);
        bool after_name = at->last_child == AnmlParser::RuleIdentifier && at->children <= 2 && rule(0) == at->rule;
        if (at->rule == AnmlParser::RuleLink_decl) after_name = at->children == 2 && plain_name(at->first_word + 1);
        if (after_name && at->rule == AnmlParser::RuleFor_stmt) return " after the loop variable";
        if (after_name && !name.empty()) return fmt::format(" after the {}'s name", name);
        return fmt::format(" after `{}`", text_of(failure_.word - 1));
    }

    // Words from `first` up to the failure are a name with at most one index: what a link's name looks like.
    bool plain_name(std::uint32_t first) const
    {
        if (first >= failure_.word || type_of(first) != AnmlLexer::IDENTIFIER) return false;
        if (first + 1 == failure_.word) return true;
        return type_of(first + 1) == AnmlLexer::LBRACK && file_.partner(first + 1) == failure_.word - 1;
    }

    // `link x: a - b : p`, `link a - b`, `link a to b`.
    bool link_ends()
    {
        const ParseFailure::Rule* at = construct();
        if (!at || at->rule != AnmlParser::RuleLink_decl || !expects(AnmlLexer::DUPLEX)) return false;
        for (std::uint32_t i = failure_.word; i-- > at->first_word;) {
            if (type_of(i) != AnmlLexer::MINUS) continue;
            diagnostics_.report(Diag::syntax_error, span_of(i), "a link's ends are joined by `--` or `->`, found `-`")
                .help("write `link name: a -- b : profile`")
                .fix(span_of(i), "--");
            return true;
        }
        if (at->children == 2 && plain_name(at->first_word + 1) && !at_end() &&
            !file_.words[failure_.word].starts_line && (type() == AnmlLexer::IDENTIFIER || type() == AnmlLexer::ASSIGN))
        {
            report(Diag::syntax_error, fmt::format("expected `:` after the link's name, found {}", found()))
                .help("a link is written `link name: a -- b : profile`, or without a name `link a -- b : profile`");
            return true;
        }
        return false;
    }

    // No blank lies between a word and the next one.
    bool adjacent(std::uint32_t word) const { return span_of(word).end == span_of(word + 1).begin; }
    std::uint16_t next_type() const
    {
        return failure_.word + 1 < file_.words.size() ? type_of(failure_.word + 1) : std::uint16_t{0};
    }
    std::string_view next_text() const { return next_type() ? text_of(failure_.word + 1) : std::string_view{}; }

    // `delay = n ms`: the unit was taken for the next attribute.
    bool unit_of_name()
    {
        const ParseFailure::Rule* at = construct();
        if (!at || at->rule != AnmlParser::RuleAttribute || !expects(AnmlLexer::ASSIGN) || at->first_word < 1)
            return false;
        const std::uint32_t unit = failure_.word - 1, name = unit - 1;
        if (at->first_word != unit || file_.words[unit].starts_line || type_of(name) != AnmlLexer::IDENTIFIER ||
            !find_unit(text_of(unit)))
            return false;
        diagnostics_
            .report(Diag::syntax_error, span_of(unit),
                    fmt::format("unexpected `{}` after `{}`", text_of(unit), text_of(name)))
            .help(fmt::format("a product needs its sign: `{} * 1 {}`", text_of(name), text_of(unit)))
            .fix({file_.file, span_of(name).end, span_of(unit).end}, fmt::format(" * 1 {}", text_of(unit)));
        return true;
    }

    bool misannotated()
    {
        if (!follows_annotation(file_, tokens_, failure_.word)) return false;
        report(Diag::syntax_error, fmt::format("an annotation stands before a node or an instance, found {}", found()))
            .help("`@task(\"core\") router r`");
        return true;
    }

    // `at 1 s { link uplink down }`: what is changed is named as if it were declared again.
    bool declares_in_timeline() const
    {
        using L = AnmlLexer;
        const bool kind = type() == L::LINK || type() == L::HOST || type() == L::ROUTER || type() == L::SWITCH ||
                          type() == L::ENDPOINT || type() == L::WORKLOAD;
        return kind && inside(AnmlParser::RuleTimeline_block) && next_type() == L::IDENTIFIER;
    }

    bool keyword_as_name()
    {
        if (at_end() || !is_keyword(failure_.word) || !expects(AnmlLexer::IDENTIFIER)) return false;
        if (expects_statement() || !small_word().empty() || declares_in_timeline()) return false;
        if (begins_statement(type()) && file_.words[failure_.word].starts_line) return false;
        if (begins_declaration(type()) && file_.words[failure_.word].starts_line) return false;
        if (expects_value() && (type() == AnmlLexer::THEN || type() == AnmlLexer::ELSE || type() == AnmlLexer::ON ||
                                type() == AnmlLexer::IN))
            return false;
        if (inside(AnmlParser::RuleTimeline_block) && (type() == AnmlLexer::IF || type() == AnmlLexer::FOR)) {
            report(Diag::syntax_error,
                   fmt::format("expected an action, found the keyword `{}`", text_of(failure_.word)))
                .help(type() == AnmlLexer::IF ? "the condition stands around the statement: `if c { at 1 s { ... } }`"
                                              : "the loop stands around the statement: `for i in 0 ..< n { at 1 s { "
                                                "... } }`");
            return true;
        }
        if (type() == AnmlLexer::RANDOM && expects_value()) {
            auto builder = report(Diag::syntax_error, "the keyword `random` belongs to types, and is no value");
            if (failure_.word >= 2 && text_of(failure_.word - 2) == "pairing")
                builder.help("each host draws its peer with `at_random`").fix(span_of(failure_.word), "at_random");
            else
                builder.help("what is drawn is a distribution: `uniform(a, b)`, `exponential(mean)`, `chance(p)` ...");
            return true;
        }
        report(Diag::syntax_error, fmt::format("`{}` is a keyword, and cannot be a name here", text_of(failure_.word)))
            .help(fmt::format("choose another name, such as `{}_`", text_of(failure_.word)))
            .fix(span_of(failure_.word), std::string(text_of(failure_.word)) + "_");
        return true;
    }

    // A word that fits nowhere was taken for the component of an instance: say so at that word.
    bool loose_word()
    {
        const ParseFailure::Rule* at = construct();
        if (!at || at->rule != AnmlParser::RuleInstance_decl || at->first_word == 0) return false;
        std::uint32_t before = at->first_word - 1;
        if (file_.words[at->first_word].starts_line || follows_annotation(file_, tokens_, at->first_word))
            return unknown_statement(*at);
        if (type_of(before) == AnmlLexer::LBRACE || type_of(before) == AnmlLexer::RBRACE) return unknown_statement(*at);
        file_.mark_bad(at->first_word);
        auto builder =
            diagnostics_.report(Diag::syntax_error, span_of(at->first_word),
                                fmt::format("unexpected `{}` after `{}`", text_of(at->first_word), text_of(before)));
        std::string_view word = text_of(at->first_word);
        if (word == "and")
            builder.help("\"and\" is written `&&`").fix(span_of(at->first_word), "&&");
        else if (word == "or")
            builder.help("\"or\" is written `||`").fix(span_of(at->first_word), "||");
        else if (find_unit(word))
            builder.help(fmt::format("a product needs its sign: `{} * 1 {}`", text_of(before), word))
                .fix({file_.file, span_of(before).end, span_of(at->first_word).end}, fmt::format(" * 1 {}", word));
        else if (follows_link_end(before))
            builder.help(fmt::format("a link's profile comes after a colon: `: {}`", dotted_name(at->first_word)))
                .fix({file_.file, span_of(at->first_word).begin, span_of(at->first_word).begin}, ": ");
        else
            builder.help("a statement begins a line of its own");
        return true;
    }

    // The word with what its dots add to it: `ether.gigabit`.
    std::string_view dotted_name(std::uint32_t word) const
    {
        Span name = span_of(word);
        for (std::uint32_t i = word + 2; i < file_.words.size(); i += 2) {
            if (type_of(i - 1) != AnmlLexer::DOT || type_of(i) != AnmlLexer::IDENTIFIER) break;
            name.end = span_of(i).end;
        }
        return sources_.text(name);
    }

    // The words before, on this line, are a link without its profile.
    bool follows_link_end(std::uint32_t word) const
    {
        for (std::uint32_t i = word + 1; i-- > 0;) {
            if (type_of(i) == AnmlLexer::LINK) return true;
            if (file_.words[i].starts_line) return false;
        }
        return false;
    }

    // `lnik a: b -- c`: taken for an instance up to the colon.
    bool misspelt_statement(const ParseFailure::Rule& at, std::string_view word)
    {
        const auto near = similar_name(word, {"link", "workload", "profile", "for"});
        if (near.empty()) return false;
        file_.mark_bad(at.first_word);
        diagnostics_
            .report(Diag::syntax_error, span_of(at.first_word), fmt::format("`{}` does not begin a statement", word))
            .help(fmt::format("a keyword with a similar name exists: `{}`", near))
            .fix(span_of(at.first_word), std::string(near));
        return true;
    }

    // `--` or `->` stands further on in the line.
    bool joins_on_line(std::uint32_t word) const
    {
        for (std::uint32_t i = word + 1; i < file_.words.size() && !file_.words[i].starts_line; ++i)
            if (type_of(i) == AnmlLexer::DUPLEX || type_of(i) == AnmlLexer::DIRECTED) return true;
        return false;
    }

    // `delay = 3 ms` or `foo` where a statement stands.
    bool unknown_statement(const ParseFailure::Rule& at)
    {
        std::string_view word = text_of(at.first_word);
        if (failure_.word == at.first_word + 2 && (type() == AnmlLexer::COLON || type() == AnmlLexer::IN))
            return misspelt_statement(at, word);
        if (failure_.word != at.first_word + 1) return false;
        if (type() == AnmlLexer::ASSIGN && next_text() == "new") {
            report(Diag::syntax_error, "an instance is no value")
                .help(fmt::format("an instance of a component is written `Component {}(parameter = value)`", word));
            return true;
        }
        if (type() == AnmlLexer::ASSIGN) {
            report(Diag::syntax_error, fmt::format("expected a statement, found an attribute `{} =`", word))
                .help(fmt::format("to name a value, write `let {} = ...`; attributes stand in the braces after a node, "
                                  "link or profile",
                                  word));
            return true;
        }
        static const std::vector<std::string_view> keywords{
            "router", "switch",     "host",    "endpoint", "link",  "let", "for",   "if",   "workload", "require",
            "run",    "addressing", "routing", "profile",  "route", "at",  "every", "from", "ramp"};
        file_.mark_bad(at.first_word);
        auto builder = diagnostics_.report(Diag::syntax_error, span_of(at.first_word),
                                           fmt::format("`{}` does not begin a statement", word));
        const std::uint16_t before = at.first_word > 0 ? type_of(at.first_word - 1) : std::uint16_t{0};
        if ((before == AnmlLexer::INTEGER || before == AnmlLexer::NUMBER) && find_unit(word)) {
            builder.help("a number and its unit stand on one line");
        } else if (word == "elif" || word == "elsif" || word == "elseif") {
            builder.help("write `else if`").fix(span_of(at.first_word), "else if");
        } else if (type() == AnmlLexer::COLON && begins_statement(next_type())) {
            builder.help(fmt::format("the kind comes first: `{} {}`", next_text(), word));
        } else if (type() == AnmlLexer::DUPLEX || type() == AnmlLexer::DIRECTED ||
                   (type() == AnmlLexer::COLON && joins_on_line(failure_.word)))
        {
            builder.help("a link is written `link name: a -- b : profile`, or `link a -- b : profile` without a name")
                .fix({file_.file, span_of(at.first_word).begin, span_of(at.first_word).begin}, "link ");
        } else if (std::string_view near = similar_name(word, keywords); !near.empty()) {
            builder.help(fmt::format("a keyword with a similar name exists: `{}`", near))
                .fix(span_of(at.first_word), std::string(near));
        } else {
            builder.help(fmt::format(
                "an instance of a component is written `{} name` or `{} name[count](parameter = value)`", word, word));
        }
        return true;
    }

    // Something that belongs elsewhere in a file.
    bool misplaced()
    {
        if (at_end()) return false;
        bool top = expects(0) && inside(AnmlParser::RuleWhole_declaration) && !expects_statement();
        top = top || (expects(AnmlLexer::MODEL) && expects(AnmlLexer::IMPORT));
        if (top && type() == AnmlLexer::RBRACE) {
            report(Diag::syntax_error, "this `}` closes nothing");
            return true;
        }
        if (top && (begins_statement(type()) || type() == AnmlLexer::IF) && file_.words[failure_.word].starts_line) {
            auto builder =
                report(Diag::syntax_error,
                       fmt::format("a statement cannot stand outside a component or model, found {}", found()));
            if (failure_.word > 0 && type_of(failure_.word - 1) == AnmlLexer::RBRACE)
                builder.also(span_of(failure_.word - 1), "it ended here");
            return true;
        }
        if (top && type() == AnmlLexer::IDENTIFIER && file_.words[failure_.word].starts_line) {
            static const std::vector<std::string_view> keywords{"edition", "import",   "schema",    "enum",  "profile",
                                                                "process", "function", "component", "model", "graph"};
            auto builder = report(Diag::syntax_error, fmt::format("expected a declaration, found {}", found()));
            if (std::string_view near = similar_name(text_of(failure_.word), keywords); !near.empty()) {
                builder.help(fmt::format("a keyword with a similar name exists: `{}`", near))
                    .fix(span_of(failure_.word), std::string(near));
            }
            return true;
        }
        bool closing = type() == AnmlLexer::RPAREN || type() == AnmlLexer::RBRACK || type() == AnmlLexer::RBRACE;
        if (closing && file_.partner(failure_.word) == FileTokens::kNone) {
            report(Diag::syntax_error, fmt::format("this `{}` closes nothing", text_of(failure_.word)));
            return true;
        }
        return false;
    }

    void add_help(Diagnostics::Builder& builder)
    {
        if (at_end()) return;
        const Span here = span_of(failure_.word);
        std::string_view text = text_of(failure_.word);
        std::string_view previous = failure_.word > 0 ? text_of(failure_.word - 1) : std::string_view{};
        using L = AnmlLexer;
        const auto back = [&](std::uint32_t n) {
            return failure_.word >= n ? type_of(failure_.word - n) : std::uint16_t{0};
        };
        const bool number = type() == L::INTEGER || type() == L::NUMBER || type() == L::QUANTITY;
        const bool node = back(2) == L::ROUTER || back(2) == L::SWITCH || back(2) == L::HOST || back(2) == L::ENDPOINT;
        if (number && back(1) == L::COMMA && back(2) == L::INTEGER && adjacent(failure_.word - 2) &&
            adjacent(failure_.word - 1))
            builder.help("the decimal mark is a point").fix(span_of(failure_.word - 1), ".");
        else if (number && back(1) == L::INTEGER)
            builder.help("the digits of a number are not grouped")
                .fix({file_.file, span_of(failure_.word - 1).end, here.begin}, "");
        else if ((type() == L::LPAREN && node) ||
                 (type() == L::INTEGER && back(1) == L::LBRACE && inside(AnmlParser::RuleNode_decl)))
            builder.help("a count stands in brackets: `name[4]`");
        else if (type() == L::MINUS && (node || back(2) == L::LET))
            builder.help("a name has letters, digits and `_`").fix(here, "_");
        else if (type() == L::GREATER && previous == "--" && adjacent(failure_.word - 1))
            builder.help("links are written `--`, or `->` where they lead one way")
                .fix({file_.file, span_of(failure_.word - 1).begin, here.end}, "->");
        else if (type() == L::DUPLEX && previous == "<" && adjacent(failure_.word - 1))
            builder.help("links in both directions are written `--`")
                .fix({file_.file, span_of(failure_.word - 1).begin,
                      next_text() == ">" ? span_of(failure_.word + 1).end : here.end},
                     "--");
        else if (type() == L::DIRECTED && previous == "<")
            builder.help("links in both directions are written `--`")
                .fix({file_.file, span_of(failure_.word - 1).begin, here.end}, "--");
        else if (declares_in_timeline())
            builder.help(fmt::format("what is declared is changed by its name alone: `{} ...`", next_text()))
                .fix({file_.file, here.begin, span_of(failure_.word + 1).begin}, "");
        else if (text == "?")
            builder.help("a condition in an expression is written `if c then a else b`");
        else if (type() == L::QUANTITY && expects(L::IDENTIFIER) && !expects_value())
            builder.help("a name does not begin with a digit");
        else if (type() == L::LPAREN && previous == "for")
            builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
        else if (type() == L::STRING && previous == "import")
            builder.help("a module is named without quotes: `import std.ether`");
        else if (previous == "run" && expects(L::LBRACE))
            builder.help("its attributes stand in braces: `run { duration = 10 s }`");
        else if (type() == L::COLON && inside(AnmlParser::RuleArgument_list))
            builder.help("an argument is named with `=`").fix(here, " =");
        else if (type() == L::ASSIGN && expects_statement() && back(1) == L::IDENTIFIER && back(2) == L::IDENTIFIER &&
                 file_.words[failure_.word - 2].starts_line)
            builder.help(fmt::format("to name a value, write `let {} = ...`", previous))
                .fix(span_of(failure_.word - 2), "let");
        else if (type() == L::ASSIGN && expects_operator() && follows_link_end(failure_.word - 1))
            builder.help("a link's profile comes after a colon").fix(here, ":");
        else if (type() == L::ASSIGN && previous == "..")
            builder.help("`..` includes its upper end already; `..<` does not").fix(here, "");
        else if (type() == L::ASSIGN && (expects_operator() || expects_statement()))
            builder.help("to compare, write `==`").fix(here, "==");
        else if (type() == L::COLON && back(2) == L::LET)
            builder.help(fmt::format("a value is named with `=`: `let {} = ...`", previous));
        else if (type() == L::LBRACE && previous == ":" && inside(AnmlParser::RuleLink_decl))
            builder.help("a link without a profile has no second colon").fix(span_of(failure_.word - 1), "");
        else if (expects(L::LBRACE) && inside(AnmlParser::RuleFor_stmt) && begins_statement(type()))
            builder.help("the body of a loop stands in braces: `for i in 0 ..< n { ... }`");
        else if (type() == L::COLON && expects(L::ASSIGN))
            builder.help("an attribute's value comes after `=`").fix(here, " =");
        else if (type() == L::ASSIGN && expects(L::COLON)) {
            builder.help(inside(AnmlParser::RuleParameter) || inside(AnmlParser::RuleAttribute_decl)
                             ? "the type comes first: `name: type = default`"
                         : inside(AnmlParser::RuleState_decl) ? "the type comes first: `state n: int = 0 then n + 1`"
                                                              : "write a colon here");
        } else if (text == "and")
            builder.help("\"and\" is written `&&`").fix(here, "&&");
        else if (text == "or")
            builder.help("\"or\" is written `||`").fix(here, "||");
        else if (text == "to" && expects(L::RANGE))
            builder.help("a range is written `a .. b`, or `a ..< b` without its upper end").fix(here, "..");
        else if (type() == L::LBRACE && expects(L::RANGE))
            builder.help("a loop runs over a range: `for i in 0 ..< n { ... }`");
        else if (type() == L::DOT && previous == "..")
            builder.help("a range has two dots: `a .. b`").fix(here, "");
        else if (rule(0) == AnmlParser::RuleDotted_name && expects(L::IDENTIFIER) && previous == ".")
            builder.help("a name goes on after its `.`");
        else if (expects(L::COLON) && inside(AnmlParser::RuleParameter))
            builder.help(
                "a parameter is written `name: type`, and may have a range and a default: `n: int in 1..8 = 2`");
        else if (expects(L::COLON) && inside(AnmlParser::RuleProfile_decl))
            builder.help("a profile names its schema: `profile fast : Link { ... }`");
        else if ((expects(L::COLON) || expects(L::ON)) && inside(AnmlParser::RuleWorkload_decl))
            builder.help("a workload is written `workload name : web.ClosedLoop on clients[*] { ... }`");
        else if (expects(L::THEN) && inside(AnmlParser::RuleState_decl))
            builder.help("a state has a first value and what follows: `state n: int = 0 then n + 1`");
        else if (expects(L::COLON) && inside(AnmlParser::RuleProcess_decl))
            builder.help("a process names the type of what it draws: `process noise : time { ... }`");
        else if (rule(0) == AnmlParser::RuleOverride_block)
            builder.help("an instance takes its arguments in parentheses; its braces hold `override name { ... }`");
        else if (expects(L::THEN))
            builder.help("a condition in an expression is written `if c then a else b`");
    }

    const SourceSet& sources_;
    const TokenList& tokens_;
    FileTokens& file_;
    const ParseFailure& failure_;
    Diagnostics& diagnostics_;
};

}  // namespace

void report_failure(const SourceSet& sources, const TokenList& tokens, FileTokens& file, const ParseFailure& failure,
                    Diagnostics& diagnostics)
{
    Report(sources, tokens, file, failure, diagnostics).run();
}

void report_open_brackets(const SourceSet& sources, const TokenList& tokens, FileTokens& file, Diagnostics& diagnostics)
{
    for (std::uint32_t i = 0; i < file.words.size(); ++i) {
        const std::uint32_t at = file.words[i].token;
        if (!is_opening_bracket(tokens.type(at)) || file.partner(i) != FileTokens::kNone || file.bad(i)) continue;
        file.mark_bad(i);
        const Token token = tokens[at];
        diagnostics.report(Diag::unclosed_bracket, token.span,
                           fmt::format("this `{}` is never closed", sources.text(token.span)));
    }
}

}  // namespace anml

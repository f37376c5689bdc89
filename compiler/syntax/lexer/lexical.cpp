// From text to words: ANTLR's lexer, then the decisions that need a second look: quantities, `%`, and what is no word.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "AnmlLexer.h"
#include "common/ascii.h"
#include "syntax/lexer/file_tokens.h"
#include "syntax/lexer/lexer_automaton.h"

namespace anml {

namespace {

using grammar::AnmlLexer;

constexpr std::size_t kBytesPerToken = 4;  // and more in the usual text

TokenClass class_of(std::size_t type)
{
    if (type <= AnmlLexer::FALSE) return TokenClass::keyword;
    if (type <= AnmlLexer::NOT) return TokenClass::punctuation;
    if (type == AnmlLexer::IDENTIFIER) return TokenClass::identifier;
    if (type == AnmlLexer::DOC_COMMENT) return TokenClass::doc_comment;
    if (type == AnmlLexer::LINE_COMMENT || type == AnmlLexer::BLOCK_COMMENT) return TokenClass::comment;
    return TokenClass::literal;
}

// They are words of the language in some places.
bool may_be_name(std::uint16_t type) { return type >= AnmlLexer::TABLE && type <= AnmlLexer::FROM; }
static_assert(AnmlLexer::FROM - AnmlLexer::TABLE == 9);

// Whether a statement may end with it.
bool may_end(std::uint16_t type)
{
    switch (type) {
        case AnmlLexer::IDENTIFIER:
        case AnmlLexer::INTEGER:
        case AnmlLexer::NUMBER:
        case AnmlLexer::QUANTITY:
        case AnmlLexer::STRING:
        case AnmlLexer::ADDRESS:
        case AnmlLexer::PREFIX:
        case AnmlLexer::TRUE:
        case AnmlLexer::FALSE:
        case AnmlLexer::SELF:
        case AnmlLexer::RPAREN:
        case AnmlLexer::RBRACK:
        case AnmlLexer::RBRACE:
            return true;
        default:
            return false;
    }
}

class FileLexer {
  public:
    FileLexer(const SourceSet& sources, FileId file, TokenList& tokens, Diagnostics& diagnostics)
        : sources_(sources),
          file_(file),
          text_(sources.file(file).foreign ? std::string_view() : sources.file(file).text),
          tokens_(tokens),
          diagnostics_(diagnostics),
          first_(tokens.size())
    {
        result_.file = file;
    }

    FileTokens run()
    {
        tokens_.reserve(first_ + text_.size() / kBytesPerToken);
        const auto size = static_cast<std::uint32_t>(text_.size());
        for (std::uint32_t begin = 0, end; begin < size; begin = end) {
            const LexerMatch word = match_word(text_, begin);
            end = word.end;
            if (word.type == AnmlLexer::OPEN_COMMENT) {
                diagnostics_.report(Diag::syntax_error, {file_, begin, begin + 2}, "this comment is never closed")
                    .help("a comment that begins with `/*` ends with `*/`");
                push(AnmlLexer::BLOCK_COMMENT, begin, size);
                result_.cut_off = true;
                break;
            }
            if (word.type != AnmlLexer::BLANK) add(word.type, begin, end);
        }
        if (percents_) join_percents();
        collect_words();
        finish(quotes_);
        finish(semicolons_);
        finish(hashes_);
        return std::move(result_);
    }

  private:
    std::string_view slice(std::uint32_t begin, std::uint32_t end) const { return text_.substr(begin, end - begin); }
    std::string_view slice(const Token& token) const { return slice(token.span.begin, token.span.end); }

    void push(std::size_t type, std::uint32_t begin, std::uint32_t end)
    {
        tokens_.push_back({{file_, begin, end}, static_cast<std::uint16_t>(type), class_of(type)});
    }

    void add(std::size_t type, std::uint32_t begin, std::uint32_t end)
    {
        if (type == AnmlLexer::QUANTITY) {
            std::uint32_t number = number_end(begin, end);
            std::uint32_t word = number;
            while (!in_word(text_[word])) ++word;
            const std::string_view unit = slice(word, end);
            const LexerMatch keyword = match_word(unit, 0);
            const bool is_keyword = class_of(keyword.type) == TokenClass::keyword && keyword.end == unit.size();
            // Other languages' operators are no units either.
            if (is_keyword || unit == "and" || unit == "or" || unit == "to") {
                bool whole = slice(begin, number).find_first_not_of("0123456789") == std::string_view::npos;
                push(whole ? AnmlLexer::INTEGER : AnmlLexer::NUMBER, begin, number);
                begin = word;
                type = is_keyword ? keyword.type : std::size_t{AnmlLexer::IDENTIFIER};
            }
        } else if (const std::size_t last = tokens_.size() - 1; tokens_.size() > first_ &&
                                                                tokens_.type(last) == AnmlLexer::QUANTITY &&
                                                                tokens_.end_of(last) == begin && in_word(text_[begin]))
        {
            // `10 bit/sec` is one (unknown) unit, not `10 bit/s` and a name.
            tokens_.set(last, {{file_, tokens_.begin_of(last), end}, AnmlLexer::QUANTITY, TokenClass::literal});
            return;
        }
        percents_ = percents_ || type == AnmlLexer::PERCENT;
        push(type, begin, end);
    }

    // The end of the number that a quantity begins with.
    std::uint32_t number_end(std::uint32_t at, std::uint32_t end) const
    {
        auto digits = [&](std::uint32_t i) {
            while (i < end && is_digit(text_[i])) ++i;
            return i;
        };
        at = digits(at);
        if (at < end && text_[at] == '.') at = digits(at + 1);
        if (at < end && (text_[at] == 'e' || text_[at] == 'E')) {
            std::uint32_t sign = at + 1 + (at + 1 < end && (text_[at + 1] == '+' || text_[at + 1] == '-'));
            if (std::uint32_t after = digits(sign); after > sign) at = after;
        }
        return at;
    }

    bool same_line(const Token& a, const Token& b) const
    {
        return slice(a.span.end, b.span.begin).find('\n') == std::string_view::npos;
    }

    // `5 %` becomes a quantity, unless an operand follows on the same line.
    void join_percents()
    {
        std::size_t out = first_;
        for (std::size_t i = first_; i < tokens_.size(); ++i) {
            const Token token = tokens_[i];
            bool unit = token.type == AnmlLexer::PERCENT && out > first_ && same_line(tokens_[out - 1], token) &&
                        (tokens_.type(out - 1) == AnmlLexer::INTEGER || tokens_.type(out - 1) == AnmlLexer::NUMBER);
            if (unit && i + 1 < tokens_.size()) {
                const auto operand = [&](std::size_t at) {
                    return at < tokens_.size() && begins_operand(tokens_.type(at)) && same_line(token, tokens_[at]);
                };
                // `1 % 25 %` are two shares: nobody divides by one.
                const bool share =
                    i + 2 < tokens_.size() && tokens_.type(i + 2) == AnmlLexer::PERCENT && !operand(i + 3);
                unit = !operand(i + 1) || share;
            }
            if (unit) {
                Token quantity = tokens_[out - 1];
                quantity.span.end = token.span.end;
                quantity.type = AnmlLexer::QUANTITY;
                tokens_.set(out - 1, quantity);
            } else {
                tokens_.set(out++, token);
            }
        }
        tokens_.truncate(out);
    }

    // What follows, where the words that may be names are names.
    std::uint16_t type_behind(std::size_t& at) const
    {
        do ++at;
        while (at < tokens_.size() && class_of(tokens_.type(at)) >= TokenClass::comment);
        if (at >= tokens_.size()) return 0;
        return may_be_name(tokens_.type(at)) ? std::uint16_t{AnmlLexer::IDENTIFIER} : tokens_.type(at);
    }

    // `table name(`, which nothing else is at the top of a file; elsewhere `table` is a name.
    bool declares_table(std::size_t at) const
    {
        return type_behind(at) == AnmlLexer::IDENTIFIER && type_behind(at) == AnmlLexer::LPAREN;
    }

    // `pub` at the beginning of a line, with the keyword of a declaration behind it in the line; elsewhere it is a
    // name.
    bool may_export(std::size_t at, int depth) const  // a profile inside a body is exported by nobody
    {
        std::size_t next = at + 1;
        while (next < tokens_.size() && tokens_.cls(next) == TokenClass::comment) ++next;
        if (next >= tokens_.size() || !same_line(tokens_[at], tokens_[next])) return false;
        const std::uint16_t type = tokens_.type(next);
        if (type == AnmlLexer::PROFILE) return depth == 0;
        if (type == AnmlLexer::PROCESS) return depth == 0 && type_behind(next) == AnmlLexer::IDENTIFIER;
        if (type == AnmlLexer::TABLE) return depth == 0 && declares_table(next);
        return begins_declaration(type) && type != AnmlLexer::PUB;
    }

    // `label x[i].y, z { key =`: names and what is chosen of them, up to a block of attributes or an empty one.
    // Elsewhere it is a name, of a component, too: `label wall { override ...`.
    bool labels(std::size_t at) const
    {
        int brackets = 0;
        std::uint16_t type = type_behind(at);
        if (type != AnmlLexer::IDENTIFIER && type != AnmlLexer::LBRACK && type != AnmlLexer::SELF) return false;
        for (std::uint16_t before = 0;; before = type, type = type_behind(at)) {
            if (type == AnmlLexer::LBRACK || type == AnmlLexer::LPAREN) ++brackets;
            if (type == AnmlLexer::RBRACK || type == AnmlLexer::RPAREN) --brackets;
            if (type == AnmlLexer::LBRACE || type == AnmlLexer::RBRACE || type == 0 || brackets < 0) break;
            if (begins_statement(type)) return false;
            const bool two_names = type == AnmlLexer::IDENTIFIER && before == AnmlLexer::IDENTIFIER;
            if (brackets == 0 &&
                (two_names || (type != AnmlLexer::IDENTIFIER && type != AnmlLexer::DOT && type != AnmlLexer::COMMA &&
                               type != AnmlLexer::RBRACK && type != AnmlLexer::SELF && type != AnmlLexer::RPAREN)))
                return false;
        }
        if (type != AnmlLexer::LBRACE || brackets != 0) return false;
        type = type_behind(at);
        return type == AnmlLexer::RBRACE || (type == AnmlLexer::IDENTIFIER && type_behind(at) == AnmlLexer::ASSIGN);
    }

    // `report by key`, all in a line.
    bool reports(std::size_t at) const
    {
        std::size_t by = at, key;
        if (type_behind(by) != AnmlLexer::IDENTIFIER || slice(tokens_[by]) != "by") return false;
        key = by;
        return type_behind(key) == AnmlLexer::IDENTIFIER && same_line(tokens_[at], tokens_[key]);
    }

    // `extra`, an item of a schema by itself.
    bool stands_alone(std::size_t at, std::uint16_t before) const
    {
        if (before == AnmlLexer::IDENTIFIER) {
            std::size_t last = at;
            while (last > first_ && class_of(tokens_.type(last - 1)) >= TokenClass::comment) --last;
            if (last == first_ || same_line(tokens_[last - 1], tokens_[at])) return false;
        } else if (!may_end(before) && before != AnmlLexer::LBRACE && before != AnmlLexer::COMMA &&
                   before != AnmlLexer::QUESTION && before != AnmlLexer::EXTRA &&
                   (before < AnmlLexer::ROUTER || before > AnmlLexer::ENDPOINT))
        {
            return false;
        }
        const std::uint16_t next = type_behind(at);
        return next == 0 || next == AnmlLexer::RBRACE || next == AnmlLexer::COMMA || next == AnmlLexer::IDENTIFIER ||
               next == AnmlLexer::AT || next == AnmlLexer::REQUIRE;
    }

    // `state name :`, which nothing else is in a process; or what somebody means by `state name =`.
    bool declares_state(std::size_t at) const
    {
        if (type_behind(at) != AnmlLexer::IDENTIFIER) return false;
        const std::uint16_t next = type_behind(at);
        return next == AnmlLexer::COLON || next == AnmlLexer::ASSIGN;
    }

    // `at`, `every` or `from`, with a time behind it: a value, then a block. An instance of that name, `at x(2)`, has
    // two names in a row or other braces.
    bool begins_times(std::size_t at, bool in_timeline) const
    {
        std::size_t next = at;
        switch (std::uint16_t type = type_behind(next)) {
            case AnmlLexer::INTEGER:
            case AnmlLexer::NUMBER:
            case AnmlLexer::QUANTITY:
            case AnmlLexer::LPAREN:
            case AnmlLexer::MINUS:
            case AnmlLexer::IF:
            case AnmlLexer::SELF:
                return true;
            case AnmlLexer::LBRACK:
                return !in_timeline;
            case AnmlLexer::IDENTIFIER: {
                if (in_timeline) return false;
                int brackets = 0;
                bool connects = true;  // what stands before: a word between two values, or the beginning
                for (std::uint16_t before = 0;; before = type, type = type_behind(next)) {
                    if (type == AnmlLexer::LBRACK || type == AnmlLexer::LPAREN) ++brackets;
                    if (type == AnmlLexer::RBRACK || type == AnmlLexer::RPAREN) --brackets;
                    if (brackets > 0) continue;
                    if (type == AnmlLexer::LBRACE) return type_behind(next) != AnmlLexer::OVERRIDE;
                    if (type == 0 || brackets < 0 || type == AnmlLexer::RBRACE || type == AnmlLexer::ASSIGN ||
                        type == AnmlLexer::COLON || begins_statement(type))
                        return false;
                    const bool word = type == AnmlLexer::IDENTIFIER && may_end(before) && !connects;
                    const std::string_view written = word ? slice(tokens_[next]) : std::string_view();
                    if (word && written != "to" && written != "from")
                        return written == "down" || written == "up" || written == "off";  // without braces
                    connects = word;
                }
            }
            default:
                return false;
        }
    }

    // Where a word stands that may be a name.
    struct Surroundings {
        std::vector<bool> timelines;  // the open braces: whether they are of a timeline
        bool timeline_follows = false;
        bool behind_to = false;  // in front of its braces: a value comes
        int brackets = 0;  // open ones, but for braces
        bool in_schema = false, in_process = false;
        std::uint16_t before = 0;  // the last word's type

        void pass(std::uint16_t type)
        {
            switch (type) {
                case AnmlLexer::LBRACE:
                    timelines.push_back(timeline_follows || (!timelines.empty() && timelines.back()));
                    timeline_follows = false;
                    brackets = 0;
                    break;
                case AnmlLexer::RBRACE:
                    brackets = 0;
                    if (!timelines.empty()) timelines.pop_back();
                    if (timelines.empty()) in_schema = in_process = false;
                    break;
                case AnmlLexer::LPAREN:
                case AnmlLexer::LBRACK:
                    ++brackets;
                    break;
                case AnmlLexer::RPAREN:
                case AnmlLexer::RBRACK:
                    --brackets;
                    break;
                case AnmlLexer::SCHEMA:
                    in_schema = true;
                    break;
                case AnmlLexer::PROCESS:
                    in_process = true;
                    break;
                case AnmlLexer::AT_TIME:
                case AnmlLexer::EVERY:
                case AnmlLexer::FROM:
                case AnmlLexer::RAMP:
                    timeline_follows = brackets == 0;
                    break;
                default:
                    break;
            }
        }
    };

    // `at`, `every` and `from` begin statements; `every 1 s from 5 s` and `ramp from 1 s to 2 s every 1 s` have them
    // behind a value.
    bool tells_times(std::size_t at, bool starts_line, const Surroundings& around) const
    {
        const std::uint16_t type = tokens_.type(at), before = around.before;
        if (around.brackets > 0) return false;
        if (type == AnmlLexer::FROM && before == AnmlLexer::RAMP) return true;
        if (around.timeline_follows && around.behind_to) return false;
        if (around.timeline_follows && may_end(before)) return type != AnmlLexer::AT_TIME || starts_line;
        if (around.timelines.empty()) return starts_line && (before == 0 || may_end(before));
        const bool begins = before == AnmlLexer::LBRACE || before == AnmlLexer::RBRACE || may_end(before);
        if (!begins) return false;
        if (before == AnmlLexer::IDENTIFIER && !starts_line) {  // the name of an instance
            const std::uint16_t next = type_behind(at);
            return next == AnmlLexer::INTEGER || next == AnmlLexer::NUMBER || next == AnmlLexer::QUANTITY;
        }
        return begins_times(at, around.timelines.back());
    }

    bool is_name(std::size_t at, bool starts_line, const Surroundings& around) const
    {
        const int depth = static_cast<int>(around.timelines.size());
        const std::uint16_t before = around.before;
        const bool begins = depth > 0 && (before == AnmlLexer::LBRACE || before == AnmlLexer::RBRACE ||
                                          (starts_line && may_end(before)));
        switch (tokens_.type(at)) {
            case AnmlLexer::PUB:
                return !starts_line || !may_export(at, depth);
            case AnmlLexer::TABLE:
                return depth > 0 || around.brackets > 0 || !declares_table(at);
            case AnmlLexer::LABEL: {
                if (!begins || !labels(at)) return true;
                std::size_t next = at;  // in a timeline nothing is labelled, which the parser says
                if (!around.timelines.back()) return false;
                if (type_behind(next) != AnmlLexer::IDENTIFIER) return true;
                const std::string_view word = slice(tokens_[next]);
                return word == "up" || word == "down" || word == "off";
            }
            case AnmlLexer::REPORT:
                return !begins || !reports(at);
            case AnmlLexer::HOST: {  // the function of that name, which stands where no host is declared
                std::size_t next = at;
                return type_behind(next) == AnmlLexer::LPAREN;
            }
            case AnmlLexer::PROCESS:
                return depth > 0 || around.brackets > 0 ||
                       !(starts_line || before == AnmlLexer::PUB || before == AnmlLexer::RBRACE) ||
                       type_behind(at) != AnmlLexer::IDENTIFIER;
            case AnmlLexer::STATE:
                return depth != 1 || !around.in_process || !declares_state(at);
            case AnmlLexer::AT_TIME:
            case AnmlLexer::EVERY:
            case AnmlLexer::FROM:
                return !tells_times(at, starts_line, around);
            default:
                return depth != 1 || !around.in_schema || around.brackets > 0 || !stands_alone(at, before);
        }
    }

    void collect_words()
    {
        std::uint32_t line_from = 0;  // end of the last word: a line break between it and the next one begins a line
        bool first = true;
        Surroundings around;
        result_.words.reserve(tokens_.size() - first_);
        for (std::size_t i = first_; i < tokens_.size(); ++i) {
            Token token = tokens_[i];
            const bool starts_line = first || slice(line_from, token.span.begin).find('\n') != std::string_view::npos;
            if ((may_be_name(token.type) || token.type == AnmlLexer::HOST) && is_name(i, starts_line, around)) {
                token.type = AnmlLexer::IDENTIFIER;
                token.cls = TokenClass::identifier;
                tokens_.set(i, token);
            }
            if (token.cls == TokenClass::comment && !starts_line) look_for_quotient(token, around.before);
            if (token.cls == TokenClass::comment || token.cls == TokenClass::doc_comment) continue;
            if (token.type == AnmlLexer::MINUS && around.before == AnmlLexer::PLUS && line_from == token.span.begin)
                diagnostics_.report(Diag::syntax_error, {file_, line_from - 1, token.span.end}, "unexpected `+-`")
                    .help(
                        "a tolerance is written `x == 12 ms ± 1 ms`, or with `+/-`; a negative number is added by `x + "
                        "-y`");
            FileTokens::Word word;
            word.token = static_cast<std::uint32_t>(i);
            around.behind_to = around.timeline_follows && !around.behind_to && may_end(around.before) &&
                               token.type == AnmlLexer::IDENTIFIER && slice(token) == "to";
            around.pass(token.type);
            around.before = token.type;
            word.starts_line = starts_line;
            bool same_mistake = token.type == AnmlLexer::FOREIGN && foreign_line_ == line_of(token);
            if (same_mistake || report_bad(token)) result_.mark_bad(static_cast<std::uint32_t>(result_.words.size()));
            if (token.type == AnmlLexer::FOREIGN) foreign_line_ = line_of(token);
            result_.words.push_back(word);
            line_from = token.span.end;
            first = false;
        }
    }

    // `n // 2`, as integers are divided elsewhere: a comment that is a number alone, behind what may be divided.
    void look_for_quotient(const Token& token, std::uint16_t before)
    {
        const std::string_view text = slice(token);
        const bool value = before == AnmlLexer::INTEGER || before == AnmlLexer::QUANTITY ||
                           before == AnmlLexer::IDENTIFIER || before == AnmlLexer::RPAREN ||
                           before == AnmlLexer::RBRACK;
        if (!value || !text.starts_with("//")) return;
        const std::string_view behind = trimmed(text.substr(2));
        if (behind.empty() || behind.find_first_not_of("0123456789") != std::string_view::npos) return;
        diagnostics_
            .report(Diag::comment_quotient, {file_, token.span.begin, token.span.begin + 2},
                    fmt::format("this begins a comment: nothing is divided by {}", behind))
            .help("the quotient of integers, rounded down, is written `floor(a / b)`");
    }

    // By the table alone: a position has a column too, and in one long line of such words that is the square of them.
    std::uint32_t line_of(const Token& token) const
    {
        const std::vector<std::uint32_t>& lines = sources_.file(file_).lines;
        return static_cast<std::uint32_t>(std::upper_bound(lines.begin(), lines.end(), token.span.begin) -
                                          lines.begin());
    }

    bool report_bad(const Token& token)
    {
        std::string_view text = slice(token);
        switch (token.type) {
            case AnmlLexer::OPEN_STRING:
                diagnostics_
                    .report(Diag::syntax_error, {file_, token.span.begin, token.span.begin + 1},
                            "this string is never closed")
                    .help("a string ends with `\"` on the line where it begins");
                return true;
            case AnmlLexer::QUOTED:
                if (first_of(quotes_, token.span, fmt::format("\"{}\"", text.substr(1, text.size() - 2))))
                    diagnostics_.report(Diag::syntax_error, token.span, fmt::format("unexpected {}", text))
                        .help(fmt::format("strings are written between double quotes: `\"{}\"`",
                                          text.substr(1, text.size() - 2)));
                return true;
            case AnmlLexer::BACKQUOTED:
                diagnostics_.report(Diag::syntax_error, token.span, fmt::format("{} is no name", text))
                    .help(
                        "between backquotes stand words with `.`, `-`, `#` and numbers or keys in brackets in between");
                return true;
            case AnmlLexer::FOREIGN:
                report_foreign(token);
                return true;
            case AnmlLexer::STRAY:
                if (text == ";" && !inside_c_loop())
                    report_semicolon(token);
                else if (text == "#" && !first_of(directive(token) ? directives_ : hashes_, token.span, "//"))
                    return true;
                else if (text != ";")
                    report_stray(token, text);
                return true;
            default:
                return false;
        }
    }

    // `for (i = 0; ...`: the parser complains of the parenthesis, which is enough.
    bool inside_c_loop() const
    {
        const auto& words = result_.words;
        std::size_t first = words.size();
        while (first > 0 && !words[first - 1].starts_line) --first;
        return first > 0 && first < words.size() && tokens_.type(words[first - 1].token) == AnmlLexer::FOR &&
               tokens_.type(words[first].token) == AnmlLexer::LPAREN;
    }

    // A bracket of this kind is open that this line opened.
    bool inside(std::uint16_t opening, std::uint16_t closing) const
    {
        const auto& words = result_.words;
        int open = 0;
        constexpr std::size_t kFar = 200;  // words: a line of mistakes costs no more
        for (std::size_t i = words.size(); i-- > 0 && words.size() - i < kFar;) {
            const std::uint16_t type = tokens_.type(words[i].token);
            if (type == opening && ++open > 0) return true;
            if (type == closing) --open;
            if (words[i].starts_line) break;
        }
        return false;
    }

    bool ends_line(std::size_t at) const
    {
        const std::size_t next = text_.find_first_not_of(" \t\r", at);
        return next == std::string_view::npos || text_[next] == '\n' || text_.substr(next).starts_with("//");
    }

    std::size_t line_begin(std::size_t at) const
    {
        const std::size_t before = text_.rfind('\n', at);
        return before == std::string_view::npos ? 0 : before + 1;
    }

    // With the one that belongs to it, on the same line.
    Fix plain_quotes(Span quote) const
    {
        Fix fix{{quote, "\""}};
        const std::size_t begin = line_begin(quote.begin), end = std::min(text_.find('\n', quote.begin), text_.size());
        std::vector<std::uint32_t> marks;
        for (std::size_t at = begin; at + 3 <= end; ++at) {
            const std::string_view mark = text_.substr(at, 3);
            if (mark == "\u201C" || mark == "\u201D" || mark == "\u201E" || mark == "\u2019")
                marks.push_back(static_cast<std::uint32_t>(at));
        }
        const auto number =
            static_cast<std::size_t>(std::find(marks.begin(), marks.end(), quote.begin) - marks.begin());
        const std::size_t other = number ^ 1;
        if (other < marks.size()) fix.more.push_back({{quote.file, marks[other], marks[other] + 3}, "\""});
        return fix;
    }

    // Of a sign that is no letter; "": there is none.
    static std::string_view ascii_of(std::string_view sign)
    {
        constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
            {"\u2264", "<="}, {"\u2265", ">="}, {"\u2260", "!="}, {"\u2192", "->"}, {"\u2194", "--"}, {"\u00D7", "*"},
            {"\u00F7", "/"},  {"\u2026", ".."}, {"\u2227", "&&"}, {"\u2228", "||"}, {"\u00AC", "!"},  {"\u2208", "in"}};
        for (const auto& [theirs, ours] : kSigns)
            if (theirs == sign) return ours;
        return {};
    }

    void report_foreign(const Token& token)
    {
        std::string_view text = slice(token);
        auto report = diagnostics_.report(Diag::syntax_error, token.span, fmt::format("unexpected `{}`", text));
        if (text == "\u201C" || text == "\u201D" || text == "\u201E" || text == "\u2019") {
            report.help("strings are written between plain double quotes: \"text\"").fix(plain_quotes(token.span));
        } else if (text == "\u2013" || text == "\u2014" || text == "\u2212") {
            const std::string_view line = text_.substr(line_begin(token.span.begin));
            const bool link = line.substr(std::min(line.find_first_not_of(" \t"), line.size())).starts_with("link ");
            report.help("write a link as `a -- b`, a difference as `a - b`").fix(token.span, link ? "--" : "-");
        } else if (text == "\u00B5" || text == "\u03BC") {
            const std::string_view sec = text_.substr(token.span.end, 3);
            report.help("microseconds are written `us`")
                .fix({token.span.file, token.span.begin, token.span.end + (sec == "sec" ? 3 : 0)},
                     sec == "sec" ? "us" : "u");
        } else if (text == "\u00A0") {
            report.help("this is a no-break space: replace it by an ordinary one").fix(token.span, " ");
        } else if (const std::string_view ours = ascii_of(text); !ours.empty()) {
            report.write(token.span, std::string(ours));
        } else {
            report.help("outside comments and strings the language is written in ASCII");
        }
    }

    // A habit that runs through a file is one mistake: said where it is first, mended everywhere.
    struct Habitual {
        std::optional<std::size_t> report;  // among the diagnostics
        Fix fix;
    };

    // Whether nothing was said of it yet; the next report is about it then.
    bool first_of(Habitual& habit, Span place, std::string instead)
    {
        if (habit.report) {
            habit.fix.more.push_back({place, std::move(instead)});
            return false;
        }
        habit.report = diagnostics_.list().size();
        habit.fix = Fix{{place, std::move(instead)}};
        return true;
    }

    // Of C's preprocessor; other lines with a `#` are comments.
    bool directive(const Token& token) const
    {
        static constexpr std::string_view kWords[] = {"define", "include", "if", "else", "elif", "endif", "undef"};
        const std::string_view line = text_.substr(token.span.end);
        return std::ranges::any_of(kWords, [&](std::string_view word) { return line.starts_with(word); });
    }

    void finish(Habitual& habit)
    {
        if (!habit.report) return;
        auto report = diagnostics_.amend(*habit.report);
        if (const std::size_t more = habit.fix.more.size(); more > 0)
            report.note(more == 1 ? "so is one more in this file" : fmt::format("so are {} more in this file", more));
        report.fix(std::move(habit.fix));
    }

    void report_semicolon(const Token& token)
    {
        const bool braces = inside(AnmlLexer::LBRACE, AnmlLexer::RBRACE), last = ends_line(token.span.end);
        const bool parentheses = !braces && inside(AnmlLexer::LPAREN, AnmlLexer::RPAREN);
        const bool before_brace = text_.find_first_not_of(" \t", token.span.end) == text_.find('}', token.span.end);
        const bool comma = parentheses || (braces && !before_brace);
        if (!first_of(semicolons_, token.span, comma ? "," : braces || last ? "" : "\n")) return;
        diagnostics_.report(Diag::syntax_error, token.span, "unexpected `;`")
            .help(parentheses ? "in parentheses a comma stands between parameters, and between arguments"
                  : braces ? "in braces a comma stands between attributes"
                  : last ? "a statement ends with its line: remove the `;`"
                         : "the next statement begins a new line");
    }

    void report_stray(const Token& token, std::string_view text)
    {
        auto c = static_cast<unsigned char>(text[0]);
        std::string shown =
            c < 0x20 || c == 0x7F ? fmt::format("control character 0x{:02X}", c) : fmt::format("`{}`", text);
        auto report = diagnostics_.report(Diag::syntax_error, token.span, fmt::format("unexpected {}", shown));
        switch (c) {
            case '~':
                if (const std::size_t before = text_.find_last_not_of(" \t", token.span.begin - 1);
                    token.span.begin > 0 && before != std::string_view::npos && text_[before] == '=')
                    report.help("there is no value for nothing: leave the attribute out");
                else
                report.help("what is about equal is written `x == y ± 5 %`");
                break;
            case '#':
                if (text_.substr(token.span.end).starts_with("if"))
                    report.help("there is no preprocessor: what depends on a parameter stands in `if c { ... }`");
                else if (text_.substr(token.span.end).starts_with("define"))
                    report.help(
                        "a value has a name by `let n = 4` in a model, or is its parameter: `model M(n: int = 4)`");
                else if (text_.substr(token.span.end).starts_with("include"))
                    report.help("modules are imported: `import std.ether`");
                else
                    report.help("a comment begins with `//`");
                break;
            case '$': {
                const std::string_view rest = text_.substr(token.span.end);
                const auto end = std::find_if_not(rest.begin(), rest.end(), in_word);
                const std::string_view name = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
                if (name.empty() || token.span.begin == 0 || !in_word(text_[token.span.begin - 1])) break;
                const Span all{token.span.file, token.span.begin,
                               token.span.end + static_cast<std::uint32_t>(name.size())};
                report.help(fmt::format("which of several it is stands in brackets: `[{}]`", name))
                    .fix(all, fmt::format("[{}]", name));
                break;
            }
            case '&':
                report.help("\"and\" is written `&&`").fix(token.span, "&&");
                break;
            case '|':
                report.help("\"or\" is written `||`").fix(token.span, "||");
                break;
            case '^':
                report.help("a power is `pow(base, exponent)`");
                break;
            case '`':
                report.help("a name that begins with a backquote ends with one, on the same line");
                break;
            default:
                break;
        }
    }

    const SourceSet& sources_;
    FileId file_;
    std::string_view text_;
    TokenList& tokens_;
    Diagnostics& diagnostics_;
    std::size_t first_;
    bool percents_ = false;           // among the tokens
    std::uint32_t foreign_line_ = 0;  // of the last foreign characters: one error a line is enough
    Habitual quotes_, semicolons_, hashes_, directives_;
    FileTokens result_;
};

}  // namespace

bool is_keyword(std::string_view word)
{
    const LexerMatch match = match_word(word, 0);
    return match.end == word.size() && match.type >= AnmlLexer::EDITION && match.type <= AnmlLexer::FALSE;
}

FileTokens lex_file(const SourceSet& sources, FileId file, TokenList& tokens, Diagnostics& diagnostics)
{
    return FileLexer(sources, file, tokens, diagnostics).run();
}

}  // namespace anml

// Forms of other languages whose right form can be made of their words: names in quotes, ports, ends in braces, ranges,
// parameters in brackets.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "syntax/errors/failure.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

namespace {

// "range is written so": the span, what stands there, what is written in its place.
void instead(Failure& in, Span span, std::string message, std::string_view why, const std::string& text)
{
    in.diagnostics.report(Diag::syntax_error, span, std::move(message))
        .help(fmt::format("{}: `{}`", why, text))
        .fix(span, text);
}

// `int in 1-100`: the difference was taken for the lower end.
bool range_with_minus(Failure& in)
{
    using L = AnmlLexer;
    const std::uint32_t start = in.line_start(in.failure.word), end = in.line_end(in.failure.word);
    for (std::uint32_t word = start; word + 3 < end; ++word) {
        const auto number = [&](std::uint32_t w) {
            return in.type_of(w) == L::INTEGER || in.type_of(w) == L::QUANTITY;
        };
        if (in.type_of(word) != L::IN || !number(word + 1) || in.type_of(word + 2) != L::MINUS || !number(word + 3))
            continue;
        if (in.failure.word <= word + 3) return false;
        in.file.mark_bad(word + 1);
        instead(in, in.span_through(word + 1, word + 3),
                fmt::format("a range is expected, found `{}`", words(in, word + 1, word + 3)), "a range has two dots",
                fmt::format("{} .. {}", in.text_of(word + 1), in.text_of(word + 3)));
        return true;
    }
    return false;
}

// `from std import traffic`
bool import_from(Failure& in)
{
    const std::uint32_t start = in.line_start(in.failure.word), end = in.line_end(in.failure.word);
    if (in.text_of(start) != "from" || in.text_of(start + 1) != "std") return false;
    std::uint32_t import = start + 1;
    while (import < end && in.type_of(import) != AnmlLexer::IMPORT) ++import;
    if (import + 2 != end || import == start + 1) return false;
    for (std::uint32_t word = start; word < end; ++word) in.file.mark_bad(word);
    instead(in, in.span_through(start, end - 1), "a module is not imported in parts",
            "what it has stands behind its name",
            fmt::format("import {}.{}", words(in, start + 1, import - 1), in.text_of(import + 1)));
    return true;
}

// `if c then a` in an expression, which ends with its line.
bool condition_without_else(Failure& in)
{
    using L = AnmlLexer;
    const bool end =
        in.starts_line(in.failure.word) || in.type() == L::RBRACE || in.type() == L::RPAREN || in.type() == L::COMMA;
    if (!in.expects(L::ELSE) || in.failure.word == 0 || !in.inside(AnmlParser::RuleExpression) || !end) return false;
    std::uint32_t word = in.failure.word - 1;
    while (word > 0 && in.type_of(word) != L::IF && !(in.starts_line(word) && in.type_of(word) != L::THEN)) --word;
    if (in.type_of(word) != L::IF) return false;
    in.file.mark_bad(word);
    in.diagnostics
        .report(Diag::syntax_error, in.span_through(word, in.failure.word - 1),
                "a condition in an expression has no `else`")
        .help(fmt::format("what it is otherwise stands behind `else`: `{} else ...`",
                          words(in, word, in.failure.word - 1)));
    return true;
}

// `resource "router" "r1" {}`
bool resource_block(Failure& in)
{
    const std::uint32_t start = in.line_start(in.failure.word);
    if (in.text_of(start) != "resource" || in.type_of(start + 1) != AnmlLexer::STRING) return false;
    const auto bare = [&](std::uint32_t word) {
        const std::string_view text = in.text_of(word);
        return in.type_of(word) == AnmlLexer::STRING && text.size() > 2 ? text.substr(1, text.size() - 2)
                                                                        : std::string_view{};
    };
    constexpr std::string_view kKinds[] = {"host", "router", "switch", "endpoint"};
    const std::string_view kind = bare(start + 1), name = bare(start + 2);
    if (std::ranges::find(kKinds, kind) == std::end(kKinds) || name.empty()) return false;
    const std::uint32_t open = start + 3;
    const bool empty = in.type_of(open) == AnmlLexer::LBRACE && in.file.partner(open) == open + 1;
    const std::uint32_t last = empty ? open + 1 : start + 2;
    for (std::uint32_t word = start; word <= last; ++word) in.file.mark_bad(word);
    instead(in, in.span_through(start, last), fmt::format("unexpected `{}`", in.text_of(start)),
            "its kind and its name declare it", fmt::format("{} {}", kind, name));
    return true;
}

// `new Office hq(floors = 3)`
bool new_instance(Failure& in)
{
    const std::uint32_t start = in.line_start(in.failure.word);
    if (in.text_of(start) != "new" || in.failure.word < start + 2) return false;
    if (in.type_of(start + 1) != AnmlLexer::IDENTIFIER || in.type_of(start + 2) != AnmlLexer::IDENTIFIER) return false;
    in.file.mark_bad(start);
    in.skip(start, in.line_end(start));
    const std::string_view instance = words(in, start + 1, in.line_end(start) - 1);
    in.diagnostics.report(Diag::syntax_error, in.span_of(start), "unexpected `new`")
        .help(fmt::format("an instance is declared by its component and its name: `{}`", instance))
        .fix({in.file.file, in.span_of(start).begin, in.span_of(start + 1).begin}, "");
    return true;
}

// `link a(east.border, t1.border) : backbone`
bool call_of_link(Failure& in)
{
    using L = AnmlLexer;
    const std::uint32_t start = in.line_start(in.failure.word), open = start + 2;
    if (in.type_of(start) != L::LINK || in.type_of(start + 1) != L::IDENTIFIER || in.type_of(open) != L::LPAREN)
        return false;
    const std::uint32_t close = in.file.partner(open);
    if (close == FileTokens::kNone || in.failure.word <= open) return false;
    std::uint32_t comma = open + 1;
    while (comma < close && (in.type_of(comma) != L::COMMA || in.file.inside(comma) != open)) ++comma;
    if (comma == close || comma == open + 1 || comma + 1 == close) return false;
    in.file.mark_bad(open);
    instead(in, in.span_through(start + 1, close), "the ends of a link are no arguments", "they are joined by `--`",
            fmt::format("{}: {} -- {}", in.text_of(start + 1), words(in, open + 1, comma - 1),
                        words(in, comma + 1, close - 1)));
    return true;
}

// `search users from 10 to 400`
bool factor_from(Failure& in)
{
    if (in.failure.word == 0) return false;
    const std::uint32_t start = in.line_start(in.failure.word - 1), from = start + 2;
    if ((in.text_of(start) != "search" && in.text_of(start) != "vary") || in.text_of(from) != "from") return false;
    if (in.text_of(from + 2) != "to" || in.failure.word <= from || in.starts_line(from + 3)) return false;
    in.file.mark_bad(from);
    instead(in, in.span_through(from, from + 3), "unexpected `from`", "its values stand behind `in`",
            fmt::format("in {} .. {}", in.text_of(from + 1), in.text_of(from + 3)));
    return true;
}

// `table rows = csv("rows.csv") : Row by name`
bool table_of_call(Failure& in)
{
    using L = AnmlLexer;
    const std::uint32_t start = in.line_start(in.failure.word), end = in.line_end(start);
    if (in.text_of(start) != "table" || in.type_of(start + 2) != L::ASSIGN) return false;
    std::uint32_t file = start + 3;
    while (file < end && in.type_of(file) != L::STRING) ++file;
    if (file >= end) return false;
    std::uint32_t last = file;
    while (last + 1 < end && in.type_of(last + 1) == L::RPAREN) ++last;
    for (std::uint32_t word = start; word < end; ++word) in.file.mark_bad(word);
    in.skip(start, end);
    const std::string_view schema = last + 1 < end ? words(in, last + 1, end - 1) : ": Row by name";
    const std::string table = fmt::format("table {}({}) {}", in.text_of(start + 1), in.text_of(file), schema);
    instead(in, in.span_through(start, end - 1), "a table is declared with its file, found `=`", "it is written",
            table);
    return true;
}

// `rate = 5O Mbps`: the letter O was taken for a unit.
bool letter_as_digit(Failure& in)
{
    using L = AnmlLexer;
    const std::uint32_t unit = in.failure.word - 1;
    if (in.failure.word < 2 || in.type_of(unit) != L::IDENTIFIER || in.type_of(unit - 1) != L::QUANTITY) return false;
    std::string number(in.text_of(unit - 1));
    if (number.find_first_of("OolI") == number.npos || number.find_first_not_of("0123456789.OolI") != number.npos)
        return false;
    for (char& c : number) c = c == 'O' || c == 'o' ? '0' : c == 'l' || c == 'I' ? '1' : c;
    in.file.mark_bad(unit - 1);
    instead(in, in.span_of(unit - 1), fmt::format("`{}` has a letter among its digits", in.text_of(unit - 1)),
            "a number has digits", number);
    return true;
}

// `to = sink, pc[0]`: where the value begins that several belong to; kNone: it is something else.
std::uint32_t listed_value(const Failure& in)
{
    using L = AnmlLexer;
    std::uint32_t comma = in.failure.word - 1;  // `pc`
    if (comma < 3 || in.type_of(comma) != L::IDENTIFIER || in.type_of(comma - 1) != L::COMMA) return FileTokens::kNone;
    std::uint32_t first = comma - 2;
    while (first > 0 && in.type_of(first) != L::ASSIGN && in.type_of(first) != L::LBRACE) --first;
    return in.type_of(first) == L::ASSIGN ? first + 1 : FileTokens::kNone;
}

}  // namespace

// `sw = net.addSwitch("sw")`, `pod = Pod(size = 2)`: reported at the `=`.
bool made_by_call(Failure& in, std::uint32_t name, std::uint32_t call)
{
    const std::string_view made = in.text_of(call);
    const std::uint32_t open = call + 1, close = in.file.partner(open);
    if (close == FileTokens::kNone) return false;
    constexpr std::pair<std::string_view, std::string_view> kNodes[] = {
        {"addHost", "host"}, {"addSwitch", "switch"}, {"addRouter", "router"}, {"addServer", "endpoint"}};
    std::string declared;
    for (const auto& [theirs, kind] : kNodes)
        if (made == theirs) declared = fmt::format("{} {}", kind, in.text_of(name));
    if (declared.empty() && made.starts_with("add")) return false;
    if (declared.empty() && dotted_name(in, in.failure.word + 1) == made)
        declared = fmt::format("{} {}{}", made, in.text_of(name), close == open + 1 ? "" : words(in, open, close));
    if (declared.empty()) return false;
    in.report(Diag::syntax_error, fmt::format("`{}` makes no value", made))
        .help(fmt::format("what there is is declared by its kind: `{}`", declared))
        .fix(in.span_through(name, close), declared);
    return true;
}

bool whole_form(Failure& in)
{
    return range_with_minus(in) || import_from(in) || condition_without_else(in) || resource_block(in) ||
           new_instance(in) || call_of_link(in) || factor_from(in) || table_of_call(in) || letter_as_digit(in);
}

// What helps where the words of another form stand.
bool help_with_forms(Failure& in, Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const std::uint32_t word = in.failure.word, start = in.line_start(word);
    if (word == 0) return false;
    const Span here = in.span_of(word);
    const std::uint16_t before = in.type_of(word - 1), kind = in.type_of(start);
    const bool touches = in.adjacent(word - 1),
               node = kind == L::ROUTER || kind == L::SWITCH || kind == L::HOST || kind == L::ENDPOINT;
    const auto write = [&](std::string_view why, std::uint32_t first, std::uint32_t last, const std::string& text) {
        builder.help(fmt::format("{}: `{}`", why, text)).fix(in.span_through(first, last), text);
        return true;
    };
    if (kind == L::LINK && word == start + 2 && before == L::STRING && in.type() == L::IDENTIFIER) {
        const std::string_view quoted = in.text_of(word - 1);
        if (quoted.size() < 3 || quoted.find_first_of(" -.") != quoted.npos) return false;
        return write("a link's name has no quotes, and a colon behind it", word - 1, word - 1,
                     fmt::format("{}:", quoted.substr(1, quoted.size() - 2)));
    }
    if (kind == L::LINK && in.type() == L::COLON && touches && in.next_type() == L::IDENTIFIER && in.adjacent(word)) {
        Fix fix{{{here.file, here.begin, in.span_of(word + 1).end}, ""}};
        std::string ends(words(in, start, word - 1));
        for (std::uint32_t i = word + 2; i < in.line_end(word); ++i) {
            const bool port =
                in.type_of(i) == L::COLON && in.type_of(i + 1) == L::IDENTIFIER && in.adjacent(i) && in.adjacent(i - 1);
            if (in.type_of(i) == L::LBRACE) break;
            if (port) {
                fix.more.push_back({{here.file, in.span_of(i).begin, in.span_of(i + 1).end}, ""});
                ++i;
            } else {
                ends += fmt::format("{}{}", in.adjacent(i - 1) ? "" : " ", in.text_of(i));
            }
        }
        builder.help(fmt::format("a link joins nodes, which need no interfaces: `{}`", ends)).fix(fix);
        return true;
    }
    if (kind == L::LINK && in.type() == L::LBRACE && word == start + 2 && before == L::IDENTIFIER) {
        std::uint32_t list = word;
        while (list < in.line_end(word) && in.type_of(list) != L::LBRACK) ++list;
        const bool pair = in.type_of(list + 2) == L::COMMA && in.file.partner(list) == list + 4;
        builder.help(fmt::format("its ends stand before the braces: `link {}: {} -- {} {{ ... }}`",
                                 in.text_of(word - 1), pair ? in.text_of(list + 1) : "a",
                                 pair ? in.text_of(list + 3) : "b"));
        return true;
    }
    if (kind == L::LINK && in.type() == L::AS && in.next_type() == L::IDENTIFIER)
        return write("a link's name comes first", start, word + 1,
                     fmt::format("link {}: {}", in.next_text(), words(in, start + 1, word - 1)));
    if (kind == L::LINK && in.type() == L::COMMA && in.expects(L::DUPLEX) && word == start + 2 &&
        in.next_type() == L::IDENTIFIER && (in.starts_line(word + 2) || in.type_of(word + 2) == L::COLON))
        return write("two ends are joined by `--`", word - 1, word + 1,
                     fmt::format("{} -- {}", in.text_of(word - 1), in.next_text()));
    if (in.type() == L::AS && in.text_of(start) == "table" && in.expects(L::COLON))
        return builder.help(fmt::format("the schema of its rows comes after a colon: `: {} by name`", in.next_text()))
                   .fix(here, ":"),
               true;
    if (in.type() == L::LPAREN && in.text_of(start) == "graph" && in.file.partner(word) != FileTokens::kNone)
        return write("attributes of a graph stand in braces", word, in.file.partner(word),
                     fmt::format("{{ {} }}", words(in, word + 1, in.file.partner(word) - 1)));
    if (in.type() == L::DIRECTED && in.text_of(start) == "function" && in.expects(L::COLON))
        return builder.help(fmt::format("the result's type comes after a colon: `: {}`", in.next_text()))
                   .fix(here, ":"),
               true;
    if (in.type() == L::COMMA && in.expects(L::RBRACK) && node && in.inside(AnmlParser::RuleBrackets) &&
        in.type_of(word - 2) == L::LBRACK && in.type_of(word + 2) == L::RBRACK && before != L::STRING)
        return write("each dimension has brackets of its own", word - 2, word + 2,
                     fmt::format("[{}][{}]", in.text_of(word - 1), in.next_text()));
    if (in.type() == L::COMMA && in.expects(L::RBRACK) && before != L::STRING &&
        in.file.inside(word) != FileTokens::kNone && in.type_of(in.file.inside(word) - 1) == L::IDENTIFIER &&
        in.file.inside(word) + 2 == word)
    {
        const std::string_view array = in.text_of(in.file.inside(word) - 1);
        const std::uint32_t close = in.file.partner(in.file.inside(word));
        if (close != word + 2) return false;
        bool several = false;  // `sat[p, s]`, of `router sat[planes][each]`
        for (std::uint32_t i = 0; i + 3 < in.file.words.size(); ++i)
            several = several || (in.text_of(i) == array && i > 0 && in.is_keyword(i - 1) &&
                                  in.type_of(i + 1) == L::LBRACK && in.file.partner(i + 1) != FileTokens::kNone &&
                                  in.type_of(in.file.partner(i + 1) + 1) == L::LBRACK);
        if (several)
            return write("each index has brackets of its own", in.file.inside(word), close,
                         fmt::format("[{}][{}]", in.text_of(word - 1), in.next_text()));
        return write("several are a list of elements", in.file.inside(word) - 1, close,
                     fmt::format("[{0}[{1}], {0}[{2}]]", array, in.text_of(word - 1), in.next_text()));
    }
    if (in.type() == L::RBRACK && (before == L::RANGE || before == L::HALF_OPEN)) {
        builder.help(fmt::format("a range has both ends: `{} ..< n`", in.text_of(word - 2)));
        return true;
    }
    if (in.type() == L::DUPLEX && in.expects_statement() && kind != L::LINK)
        return write("a comment begins with two slashes", word, word, "//");
    if (in.type() == L::LBRACK && in.expects(L::LPAREN) && word == start + 2 &&
        in.file.partner(word) != FileTokens::kNone && (kind == L::MODEL || kind == L::COMPONENT))
        return write("parameters stand in parentheses", word, in.file.partner(word),
                     fmt::format("({})", words(in, word + 1, in.file.partner(word) - 1)));
    if (in.type() == L::COLON && in.next_type() == L::ASSIGN && in.adjacent(word) && in.expects(L::COMMA))
        return write("a default comes after `=` alone", word, word + 1, "=");
    if (in.type() == L::PLUS && before == L::PLUS && touches && word > 1)
        return write("nothing counts up here, and a sum is", word - 2, word,
                     fmt::format("{} + 1", in.text_of(word - 2)));
    if (in.type() == L::LBRACK && in.inside(AnmlParser::RuleAttribute) && in.expects(L::ASSIGN))
        if (const std::uint32_t first = listed_value(in), last = in.file.partner(word);
            first != FileTokens::kNone && last != FileTokens::kNone)
            return write("several stand in brackets", first, last, fmt::format("[{}]", words(in, first, last)));
    if (in.type() == L::DOT && in.text_of(start) == "import" && word == start + 1) {
        std::uint32_t name = word;
        while (name < in.line_end(word) && in.type_of(name) != L::IDENTIFIER) ++name;
        if (name >= in.line_end(word)) return false;
        return write("a module beside this file is named alone", word, in.line_end(word) - 1,
                     std::string(words(in, name, in.line_end(word) - 1)));
    }
    if (in.type() == L::COMMA && before == L::STRING && in.expects_statement() && in.next_type() == L::IDENTIFIER &&
        in.starts_line(word + 2) + (in.type_of(word + 2) == L::RBRACE) > 0)  // `"%d are too many", users`
    {
        const std::string_view format = in.text_of(word - 1);
        for (const std::string_view mark : {"%d", "%s", "{}", "%f"}) {
            const std::size_t at = format.find(mark);
            if (at == format.npos) continue;
            const std::string_view head = format.substr(1, at - 1), tail = format.substr(at + mark.size());
            std::string sum = head.empty() ? "" : fmt::format("\"{}\" + ", head);
            sum += fmt::format("text({})", in.next_text());
            if (tail.size() > 1) sum += fmt::format(" + \"{}", tail);
            return write("strings are put together", word - 1, word + 1, sum);
        }
    }
    if (in.type() == L::COMMA && before == L::INTEGER && in.next_type() == L::INTEGER && touches && in.adjacent(word))
        return write("the decimal mark is a point", word - 1, word + 1,
                     fmt::format("{}.{}", in.text_of(word - 1), in.next_text()));
    if (in.type() == L::COMMA && in.expects(L::RPAREN) && in.next_type() == L::SLASH &&
        in.type_of(word + 2) == L::IDENTIFIER)
    {
        std::uint32_t last = word + 2;
        while (in.adjacent(last) && (in.type_of(last + 1) == L::SLASH || in.type_of(last + 1) == L::IDENTIFIER)) ++last;
        return write("a path is a string", word + 1, last, fmt::format("\"{}\"", words(in, word + 1, last)));
    }
    if (in.type() == L::IN && in.next_type() == L::PREFIX && before == L::ADDRESS)
        return write("a prefix is asked for it", word - 1, word + 1,
                     fmt::format("{}.contains({})", in.next_text(), in.text_of(word - 1)));
    if (in.type() == L::LBRACE && kind == L::LINK && in.expects_value() && in.file.partner(word) != FileTokens::kNone) {
        bool attributes = false;
        for (std::uint32_t i = word + 1; i < in.file.partner(word); ++i)
            attributes = attributes || in.type_of(i) == L::ASSIGN || in.type_of(i) == L::COLON;
        if (!attributes && in.next_type() == L::IDENTIFIER)
            return write("several ends stand in brackets", word, in.file.partner(word),
                         fmt::format("[{}]", words(in, word + 1, in.file.partner(word) - 1)));
    }
    if (in.type() == L::LBRACE && in.expects_value() &&
        (in.next_text() == "duration" || in.next_text() == "target" || attribute_before(in, word) == "schedule"))
    {
        builder.help("stages are made by functions: `schedule = [web.slope(10 s, 0, 1), web.hold(20 s, 1)]`");
        return true;
    }
    if (in.type() == L::ASSIGN && in.text_of(start) == "override" && word > start + 2 && in.type_of(word - 2) == L::DOT)
        return write("what is replaced stands in braces", start, value_end(in, word) - 1,
                     fmt::format("{} {{ {} = {} }}", words(in, start, word - 3), in.text_of(word - 1),
                                 words(in, word + 1, value_end(in, word) - 1)));
    if (in.type() == L::RPAREN && in.expects(L::COLON) && kind == L::MODEL && word == start + 4 &&
        before == L::IDENTIFIER)
        return write("what it is derived from comes after a colon", start + 1, word,
                     fmt::format("{} : {}", in.text_of(start + 1), in.text_of(word - 1)));
    if (in.type() == L::COMMA && in.next_type() == L::IDENTIFIER && in.type_of(word + 2) == L::ASSIGN &&
        in.sources.file(in.file.file).path.starts_with("<-D"))
    {
        builder.help(fmt::format("each has an option of its own: `-D {}={}`", in.next_text(),
                                 words(in, word + 3, static_cast<std::uint32_t>(in.file.words.size()) - 1)));
        return true;
    }
    if (in.type() == L::STAR && before == L::STAR && touches && word > 1) {
        const bool simple = in.type_of(word - 2) == L::INTEGER || in.type_of(word - 2) == L::IDENTIFIER;
        const bool other = in.next_type() == L::INTEGER || in.next_type() == L::IDENTIFIER;
        if (simple && other && in.type_of(word + 2) != L::LPAREN && in.type_of(word + 2) != L::DOT)
            return write("a power is a function", word - 2, word + 1,
                         fmt::format("pow({}, {})", in.text_of(word - 2), in.next_text()));
    }
    if (in.type() == L::DOT && in.inside(AnmlParser::RuleAttribute_block) && in.expects(L::ASSIGN) &&
        in.next_type() == L::IDENTIFIER && in.type_of(word + 2) == L::ASSIGN)
        return write("nodes have no interfaces: an attribute is named alone", word - 1, word + 1,
                     std::string(in.next_text()));
    if (in.inside(AnmlParser::RuleAttribute) && in.expects(L::ASSIGN) && in.text_of(word - 1) == "at" &&
        in.type() == L::QUANTITY)
    {
        const bool named = kind == L::WORKLOAD || kind == L::LINK;
        builder.help(fmt::format("what happens later stands in the model itself: `at {} {{ {} off }}`",
                                 in.text_of(word), named ? in.text_of(start + 1) : "w"));
        return true;
    }
    return false;
}

}  // namespace anml

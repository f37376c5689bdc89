// Forms of other languages whose right form can be made of their words: names in quotes, ports, ends in braces, ranges,
// parameters in brackets.
#include <fmt/format.h>

#include <algorithm>

#include "AnmlLexer.h"
#include "syntax/errors/failure_report.h"
#include "syntax/errors/habits.h"

namespace anml {

using grammar::AnmlLexer;
using grammar::AnmlParser;

// "range is written so": the span, what stands there, what is written in its place.
void FailureReport::instead(Span span, std::string message, std::string_view why, const std::string& text)
{
    diagnostics_.report(Diag::syntax_error, span, std::move(message))
        .help(fmt::format("{}: `{}`", why, text))
        .fix(span, text);
}

// `int in 1-100`: the difference was taken for the lower end.
bool FailureReport::range_with_minus()
{
    using L = AnmlLexer;
    const std::uint32_t start = line_start(failure_.word), end = line_end(failure_.word);
    for (std::uint32_t word = start; word + 3 < end; ++word) {
        const auto number = [&](std::uint32_t w) { return type_of(w) == L::INTEGER || type_of(w) == L::QUANTITY; };
        if (type_of(word) != L::IN || !number(word + 1) || type_of(word + 2) != L::MINUS || !number(word + 3)) continue;
        if (failure_.word <= word + 3) return false;
        file_.mark_bad(word + 1);
        instead(span_through(word + 1, word + 3),
                fmt::format("a range is expected, found `{}`", words(word + 1, word + 3)), "a range has two dots",
                fmt::format("{} .. {}", text_of(word + 1), text_of(word + 3)));
        return true;
    }
    return false;
}

// `from std import traffic`
bool FailureReport::import_from()
{
    const std::uint32_t start = line_start(failure_.word), end = line_end(failure_.word);
    if (text_of(start) != "from" || text_of(start + 1) != "std") return false;
    std::uint32_t import = start + 1;
    while (import < end && type_of(import) != AnmlLexer::IMPORT) ++import;
    if (import + 2 != end || import == start + 1) return false;
    for (std::uint32_t word = start; word < end; ++word) file_.mark_bad(word);
    instead(span_through(start, end - 1), "a module is not imported in parts", "what it has stands behind its name",
            fmt::format("import {}.{}", words(start + 1, import - 1), text_of(import + 1)));
    return true;
}

// `if c then a` in an expression, which ends with its line.
bool FailureReport::condition_without_else()
{
    using L = AnmlLexer;
    const bool end = starts_line(failure_.word) || type() == L::RBRACE || type() == L::RPAREN || type() == L::COMMA;
    if (!expects(L::ELSE) || failure_.word == 0 || !inside(AnmlParser::RuleExpression) || !end) return false;
    std::uint32_t word = failure_.word - 1;
    while (word > 0 && type_of(word) != L::IF && !(starts_line(word) && type_of(word) != L::THEN)) --word;
    if (type_of(word) != L::IF) return false;
    file_.mark_bad(word);
    diagnostics_
        .report(Diag::syntax_error, span_through(word, failure_.word - 1), "a condition in an expression has no `else`")
        .help(fmt::format("what it is otherwise stands behind `else`: `{} else ...`", words(word, failure_.word - 1)));
    return true;
}

// `resource "router" "r1" {}`
bool FailureReport::resource_block()
{
    const std::uint32_t start = line_start(failure_.word);
    if (text_of(start) != "resource" || type_of(start + 1) != AnmlLexer::STRING) return false;
    const auto bare = [&](std::uint32_t word) {
        const std::string_view text = text_of(word);
        return type_of(word) == AnmlLexer::STRING && text.size() > 2 ? text.substr(1, text.size() - 2)
                                                                     : std::string_view{};
    };
    constexpr std::string_view kKinds[] = {"host", "router", "switch", "endpoint"};
    const std::string_view kind = bare(start + 1), name = bare(start + 2);
    if (std::ranges::find(kKinds, kind) == std::end(kKinds) || name.empty()) return false;
    const std::uint32_t open = start + 3;
    const bool empty = type_of(open) == AnmlLexer::LBRACE && file_.partner(open) == open + 1;
    const std::uint32_t last = empty ? open + 1 : start + 2;
    for (std::uint32_t word = start; word <= last; ++word) file_.mark_bad(word);
    instead(span_through(start, last), fmt::format("unexpected `{}`", text_of(start)),
            "its kind and its name declare it", fmt::format("{} {}", kind, name));
    return true;
}

// `sw = net.addSwitch("sw")`, `pod = Pod(size = 2)`: reported at the `=`.
bool FailureReport::made_by_call(std::uint32_t name, std::uint32_t call)
{
    const std::string_view made = text_of(call);
    const std::uint32_t open = call + 1, close = file_.partner(open);
    if (close == FileTokens::kNone) return false;
    constexpr std::pair<std::string_view, std::string_view> kNodes[] = {
        {"addHost", "host"}, {"addSwitch", "switch"}, {"addRouter", "router"}, {"addServer", "endpoint"}};
    std::string declared;
    for (const auto& [theirs, kind] : kNodes)
        if (made == theirs) declared = fmt::format("{} {}", kind, text_of(name));
    if (declared.empty() && made.starts_with("add")) return false;
    if (declared.empty() && dotted_name(failure_.word + 1) == made)
        declared = fmt::format("{} {}{}", made, text_of(name), close == open + 1 ? "" : words(open, close));
    if (declared.empty()) return false;
    report(Diag::syntax_error, fmt::format("`{}` makes no value", made))
        .help(fmt::format("what there is is declared by its kind: `{}`", declared))
        .fix(span_through(name, close), declared);
    return true;
}

// `new Office hq(floors = 3)`
bool FailureReport::new_instance()
{
    const std::uint32_t start = line_start(failure_.word);
    if (text_of(start) != "new" || failure_.word < start + 2) return false;
    if (type_of(start + 1) != AnmlLexer::IDENTIFIER || type_of(start + 2) != AnmlLexer::IDENTIFIER) return false;
    file_.mark_bad(start);
    skip(start, line_end(start));
    const std::string_view instance = words(start + 1, line_end(start) - 1);
    diagnostics_.report(Diag::syntax_error, span_of(start), "unexpected `new`")
        .help(fmt::format("an instance is declared by its component and its name: `{}`", instance))
        .fix({file_.file, span_of(start).begin, span_of(start + 1).begin}, "");
    return true;
}

// `link a(east.border, t1.border) : backbone`
bool FailureReport::call_of_link()
{
    using L = AnmlLexer;
    const std::uint32_t start = line_start(failure_.word), open = start + 2;
    if (type_of(start) != L::LINK || type_of(start + 1) != L::IDENTIFIER || type_of(open) != L::LPAREN) return false;
    const std::uint32_t close = file_.partner(open);
    if (close == FileTokens::kNone || failure_.word <= open) return false;
    std::uint32_t comma = open + 1;
    while (comma < close && (type_of(comma) != L::COMMA || file_.inside(comma) != open)) ++comma;
    if (comma == close || comma == open + 1 || comma + 1 == close) return false;
    file_.mark_bad(open);
    instead(span_through(start + 1, close), "the ends of a link are no arguments", "they are joined by `--`",
            fmt::format("{}: {} -- {}", text_of(start + 1), words(open + 1, comma - 1), words(comma + 1, close - 1)));
    return true;
}

// `search users from 10 to 400`
bool FailureReport::factor_from()
{
    if (failure_.word == 0) return false;
    const std::uint32_t start = line_start(failure_.word - 1), from = start + 2;
    if ((text_of(start) != "search" && text_of(start) != "vary") || text_of(from) != "from") return false;
    if (text_of(from + 2) != "to" || failure_.word <= from || starts_line(from + 3)) return false;
    file_.mark_bad(from);
    instead(span_through(from, from + 3), "unexpected `from`", "its values stand behind `in`",
            fmt::format("in {} .. {}", text_of(from + 1), text_of(from + 3)));
    return true;
}

// `table rows = csv("rows.csv") : Row by name`
bool FailureReport::table_of_call()
{
    using L = AnmlLexer;
    const std::uint32_t start = line_start(failure_.word), end = line_end(start);
    if (text_of(start) != "table" || type_of(start + 2) != L::ASSIGN) return false;
    std::uint32_t file = start + 3;
    while (file < end && type_of(file) != L::STRING) ++file;
    if (file >= end) return false;
    std::uint32_t last = file;
    while (last + 1 < end && type_of(last + 1) == L::RPAREN) ++last;
    for (std::uint32_t word = start; word < end; ++word) file_.mark_bad(word);
    skip(start, end);
    const std::string_view schema = last + 1 < end ? words(last + 1, end - 1) : ": Row by name";
    const std::string table = fmt::format("table {}({}) {}", text_of(start + 1), text_of(file), schema);
    instead(span_through(start, end - 1), "a table is declared with its file, found `=`", "it is written", table);
    return true;
}

// `rate = 5O Mbps`: the letter O was taken for a unit.
bool FailureReport::letter_as_digit()
{
    using L = AnmlLexer;
    const std::uint32_t unit = failure_.word - 1;
    if (failure_.word < 2 || type_of(unit) != L::IDENTIFIER || type_of(unit - 1) != L::QUANTITY) return false;
    std::string number(text_of(unit - 1));
    if (number.find_first_of("OolI") == number.npos || number.find_first_not_of("0123456789.OolI") != number.npos)
        return false;
    for (char& c : number) c = c == 'O' || c == 'o' ? '0' : c == 'l' || c == 'I' ? '1' : c;
    file_.mark_bad(unit - 1);
    instead(span_of(unit - 1), fmt::format("`{}` has a letter among its digits", text_of(unit - 1)),
            "a number has digits", number);
    return true;
}

bool FailureReport::whole_form()
{
    return range_with_minus() || import_from() || condition_without_else() || resource_block() || new_instance() ||
           call_of_link() || factor_from() || table_of_call() || letter_as_digit();
}

// `to = sink, pc[0]`: where the value begins that several belong to; kNone: it is something else.
std::uint32_t FailureReport::listed_value() const
{
    using L = AnmlLexer;
    std::uint32_t comma = failure_.word - 1;  // `pc`
    if (comma < 3 || type_of(comma) != L::IDENTIFIER || type_of(comma - 1) != L::COMMA) return FileTokens::kNone;
    std::uint32_t first = comma - 2;
    while (first > 0 && type_of(first) != L::ASSIGN && type_of(first) != L::LBRACE) --first;
    return type_of(first) == L::ASSIGN ? first + 1 : FileTokens::kNone;
}

// What helps where the words of another form stand.
bool FailureReport::help_with_forms(Diagnostics::Builder& builder)
{
    using L = AnmlLexer;
    const std::uint32_t word = failure_.word, start = line_start(word);
    if (word == 0) return false;
    const Span here = span_of(word);
    const std::uint16_t before = type_of(word - 1), kind = type_of(start);
    const bool touches = adjacent(word - 1),
               node = kind == L::ROUTER || kind == L::SWITCH || kind == L::HOST || kind == L::ENDPOINT;
    const auto write = [&](std::string_view why, std::uint32_t first, std::uint32_t last, const std::string& text) {
        builder.help(fmt::format("{}: `{}`", why, text)).fix(span_through(first, last), text);
        return true;
    };
    if (kind == L::LINK && word == start + 2 && before == L::STRING && type() == L::IDENTIFIER) {
        const std::string_view quoted = text_of(word - 1);
        if (quoted.size() < 3 || quoted.find_first_of(" -.") != quoted.npos) return false;
        return write("a link's name has no quotes, and a colon behind it", word - 1, word - 1,
                     fmt::format("{}:", quoted.substr(1, quoted.size() - 2)));
    }
    if (kind == L::LINK && type() == L::COLON && touches && next_type() == L::IDENTIFIER && adjacent(word)) {
        Fix fix{{{here.file, here.begin, span_of(word + 1).end}, ""}};
        std::string ends(words(start, word - 1));
        for (std::uint32_t i = word + 2; i < line_end(word); ++i) {
            const bool port =
                type_of(i) == L::COLON && type_of(i + 1) == L::IDENTIFIER && adjacent(i) && adjacent(i - 1);
            if (type_of(i) == L::LBRACE) break;
            if (port) {
                fix.more.push_back({{here.file, span_of(i).begin, span_of(i + 1).end}, ""});
                ++i;
            } else {
                ends += fmt::format("{}{}", adjacent(i - 1) ? "" : " ", text_of(i));
            }
        }
        builder.help(fmt::format("a link joins nodes, which need no interfaces: `{}`", ends)).fix(fix);
        return true;
    }
    if (kind == L::LINK && type() == L::LBRACE && word == start + 2 && before == L::IDENTIFIER) {
        std::uint32_t list = word;
        while (list < line_end(word) && type_of(list) != L::LBRACK) ++list;
        const bool pair = type_of(list + 2) == L::COMMA && file_.partner(list) == list + 4;
        builder.help(fmt::format("its ends stand before the braces: `link {}: {} -- {} {{ ... }}`", text_of(word - 1),
                                 pair ? text_of(list + 1) : "a", pair ? text_of(list + 3) : "b"));
        return true;
    }
    if (kind == L::LINK && type() == L::AS && next_type() == L::IDENTIFIER)
        return write("a link's name comes first", start, word + 1,
                     fmt::format("link {}: {}", next_text(), words(start + 1, word - 1)));
    if (kind == L::LINK && type() == L::COMMA && expects(L::DUPLEX) && word == start + 2 &&
        next_type() == L::IDENTIFIER && (starts_line(word + 2) || type_of(word + 2) == L::COLON))
        return write("two ends are joined by `--`", word - 1, word + 1,
                     fmt::format("{} -- {}", text_of(word - 1), next_text()));
    if (type() == L::AS && text_of(start) == "table" && expects(L::COLON))
        return builder.help(fmt::format("the schema of its rows comes after a colon: `: {} by name`", next_text()))
                   .fix(here, ":"),
               true;
    if (type() == L::LPAREN && text_of(start) == "graph" && file_.partner(word) != FileTokens::kNone)
        return write("attributes of a graph stand in braces", word, file_.partner(word),
                     fmt::format("{{ {} }}", words(word + 1, file_.partner(word) - 1)));
    if (type() == L::DIRECTED && text_of(start) == "function" && expects(L::COLON))
        return builder.help(fmt::format("the result's type comes after a colon: `: {}`", next_text())).fix(here, ":"),
               true;
    if (type() == L::COMMA && expects(L::RBRACK) && node && inside(AnmlParser::RuleBrackets) &&
        type_of(word - 2) == L::LBRACK && type_of(word + 2) == L::RBRACK && before != L::STRING)
        return write("each dimension has brackets of its own", word - 2, word + 2,
                     fmt::format("[{}][{}]", text_of(word - 1), next_text()));
    if (type() == L::COMMA && expects(L::RBRACK) && before != L::STRING && file_.inside(word) != FileTokens::kNone &&
        type_of(file_.inside(word) - 1) == L::IDENTIFIER && file_.inside(word) + 2 == word)
    {
        const std::string_view array = text_of(file_.inside(word) - 1);
        const std::uint32_t close = file_.partner(file_.inside(word));
        if (close != word + 2) return false;
        bool several = false;  // `sat[p, s]`, of `router sat[planes][each]`
        for (std::uint32_t i = 0; i + 3 < file_.words.size(); ++i)
            several = several ||
                      (text_of(i) == array && i > 0 && is_keyword(i - 1) && type_of(i + 1) == L::LBRACK &&
                       file_.partner(i + 1) != FileTokens::kNone && type_of(file_.partner(i + 1) + 1) == L::LBRACK);
        if (several)
            return write("each index has brackets of its own", file_.inside(word), close,
                         fmt::format("[{}][{}]", text_of(word - 1), next_text()));
        return write("several are a list of elements", file_.inside(word) - 1, close,
                     fmt::format("[{0}[{1}], {0}[{2}]]", array, text_of(word - 1), next_text()));
    }
    if (type() == L::RBRACK && (before == L::RANGE || before == L::HALF_OPEN)) {
        builder.help(fmt::format("a range has both ends: `{} ..< n`", text_of(word - 2)));
        return true;
    }
    if (type() == L::DUPLEX && expects_statement() && kind != L::LINK)
        return write("a comment begins with two slashes", word, word, "//");
    if (type() == L::LBRACK && expects(L::LPAREN) && word == start + 2 && file_.partner(word) != FileTokens::kNone &&
        (kind == L::MODEL || kind == L::COMPONENT))
        return write("parameters stand in parentheses", word, file_.partner(word),
                     fmt::format("({})", words(word + 1, file_.partner(word) - 1)));
    if (type() == L::COLON && next_type() == L::ASSIGN && adjacent(word) && expects(L::COMMA))
        return write("a default comes after `=` alone", word, word + 1, "=");
    if (type() == L::PLUS && before == L::PLUS && touches && word > 1)
        return write("nothing counts up here, and a sum is", word - 2, word, fmt::format("{} + 1", text_of(word - 2)));
    if (type() == L::LBRACK && inside(AnmlParser::RuleAttribute) && expects(L::ASSIGN))
        if (const std::uint32_t first = listed_value(), last = file_.partner(word);
            first != FileTokens::kNone && last != FileTokens::kNone)
            return write("several stand in brackets", first, last, fmt::format("[{}]", words(first, last)));
    if (type() == L::DOT && text_of(start) == "import" && word == start + 1) {
        std::uint32_t name = word;
        while (name < line_end(word) && type_of(name) != L::IDENTIFIER) ++name;
        if (name >= line_end(word)) return false;
        return write("a module beside this file is named alone", word, line_end(word) - 1,
                     std::string(words(name, line_end(word) - 1)));
    }
    if (type() == L::COMMA && before == L::STRING && expects_statement() && next_type() == L::IDENTIFIER &&
        starts_line(word + 2) + (type_of(word + 2) == L::RBRACE) > 0)  // `"%d are too many", users`
    {
        const std::string_view format = text_of(word - 1);
        for (const std::string_view mark : {"%d", "%s", "{}", "%f"}) {
            const std::size_t at = format.find(mark);
            if (at == format.npos) continue;
            const std::string_view head = format.substr(1, at - 1), tail = format.substr(at + mark.size());
            std::string sum = head.empty() ? "" : fmt::format("\"{}\" + ", head);
            sum += fmt::format("text({})", next_text());
            if (tail.size() > 1) sum += fmt::format(" + \"{}", tail);
            return write("strings are put together", word - 1, word + 1, sum);
        }
    }
    if (type() == L::COMMA && before == L::INTEGER && next_type() == L::INTEGER && touches && adjacent(word))
        return write("the decimal mark is a point", word - 1, word + 1,
                     fmt::format("{}.{}", text_of(word - 1), next_text()));
    if (type() == L::COMMA && expects(L::RPAREN) && next_type() == L::SLASH && type_of(word + 2) == L::IDENTIFIER) {
        std::uint32_t last = word + 2;
        while (adjacent(last) && (type_of(last + 1) == L::SLASH || type_of(last + 1) == L::IDENTIFIER)) ++last;
        return write("a path is a string", word + 1, last, fmt::format("\"{}\"", words(word + 1, last)));
    }
    if (type() == L::IN && next_type() == L::PREFIX && before == L::ADDRESS)
        return write("a prefix is asked for it", word - 1, word + 1,
                     fmt::format("{}.contains({})", next_text(), text_of(word - 1)));
    if (type() == L::LBRACE && kind == L::LINK && expects_value() && file_.partner(word) != FileTokens::kNone) {
        bool attributes = false;
        for (std::uint32_t i = word + 1; i < file_.partner(word); ++i)
            attributes = attributes || type_of(i) == L::ASSIGN || type_of(i) == L::COLON;
        if (!attributes && next_type() == L::IDENTIFIER)
            return write("several ends stand in brackets", word, file_.partner(word),
                         fmt::format("[{}]", words(word + 1, file_.partner(word) - 1)));
    }
    if (type() == L::LBRACE && expects_value() &&
        (next_text() == "duration" || next_text() == "target" || attribute_before(word) == "schedule"))
    {
        builder.help("stages are made by functions: `schedule = [web.slope(10 s, 0, 1), web.hold(20 s, 1)]`");
        return true;
    }
    if (type() == L::ASSIGN && text_of(start) == "override" && word > start + 2 && type_of(word - 2) == L::DOT)
        return write("what is replaced stands in braces", start, value_end(word) - 1,
                     fmt::format("{} {{ {} = {} }}", words(start, word - 3), text_of(word - 1),
                                 words(word + 1, value_end(word) - 1)));
    if (type() == L::RPAREN && expects(L::COLON) && kind == L::MODEL && word == start + 4 && before == L::IDENTIFIER)
        return write("what it is derived from comes after a colon", start + 1, word,
                     fmt::format("{} : {}", text_of(start + 1), text_of(word - 1)));
    if (type() == L::COMMA && next_type() == L::IDENTIFIER && type_of(word + 2) == L::ASSIGN &&
        sources_.file(file_.file).path.starts_with("<-D"))
    {
        builder.help(fmt::format("each has an option of its own: `-D {}={}`", next_text(),
                                 words(word + 3, static_cast<std::uint32_t>(file_.words.size()) - 1)));
        return true;
    }
    if (type() == L::STAR && before == L::STAR && touches && word > 1) {
        const bool simple = type_of(word - 2) == L::INTEGER || type_of(word - 2) == L::IDENTIFIER;
        const bool other = next_type() == L::INTEGER || next_type() == L::IDENTIFIER;
        if (simple && other && type_of(word + 2) != L::LPAREN && type_of(word + 2) != L::DOT)
            return write("a power is a function", word - 2, word + 1,
                         fmt::format("pow({}, {})", text_of(word - 2), next_text()));
    }
    if (type() == L::DOT && inside(AnmlParser::RuleAttribute_block) && expects(L::ASSIGN) &&
        next_type() == L::IDENTIFIER && type_of(word + 2) == L::ASSIGN)
        return write("nodes have no interfaces: an attribute is named alone", word - 1, word + 1,
                     std::string(next_text()));
    if (inside(AnmlParser::RuleAttribute) && expects(L::ASSIGN) && text_of(word - 1) == "at" && type() == L::QUANTITY) {
        const bool named = kind == L::WORKLOAD || kind == L::LINK;
        builder.help(fmt::format("what happens later stands in the model itself: `at {} {{ {} off }}`", text_of(word),
                                 named ? text_of(start + 1) : "w"));
        return true;
    }
    return false;
}

}  // namespace anml

#include "base/files/request_slots.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/files/document_list.h"
#include "common/ascii.h"
#include "common/regular_expression.h"
#include "common/utf8.h"

namespace anml::request_slots {

namespace script = abi::request_script;

namespace {

using script::Operator;
using script::Source;

constexpr std::int64_t kLargest = std::int64_t{1} << 53;  // as JSON's readers have integers
constexpr std::int64_t kMostLetters = 1000;
constexpr std::size_t kMostRows = 1000000, kMostColumns = 1000;

std::optional<std::int64_t> integer(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

// "name", "name 1 2", "name(1, 2)": what stands behind the name.
std::optional<std::vector<std::int64_t>> arguments(std::string_view text)
{
    std::string words(stripped(text));
    if (words.starts_with('(') && words.ends_with(')')) words = words.substr(1, words.size() - 2);
    std::ranges::replace(words, ',', ' ');
    std::vector<std::int64_t> all;
    for (std::string_view left = stripped(words); !left.empty();) {
        const std::size_t end = std::min(left.find_first_of(" \t"), left.size());
        const auto value = integer(left.substr(0, end));
        if (!value) return std::nullopt;
        all.push_back(*value);
        left = stripped(left.substr(end));
    }
    return all;
}

std::string escaped(std::string_view name)  // RFC 6901, 4
{
    std::string text = "/";
    for (const char c : name)
        if (c == '~')
            text += "~0";
        else if (c == '/')
            text += "~1";
        else
            text += c;
    return text;
}

// "$.a[0]['b c']" or "/a/0/b c", as a pointer (RFC 6901).
std::optional<std::string> pointer(std::string_view path)
{
    if (path.empty() || path.starts_with('/')) return std::string(path);
    if (!path.starts_with('$')) return std::nullopt;
    path.remove_prefix(1);
    std::string found;
    while (!path.empty()) {
        if (path.front() == '.') {
            const std::size_t end = std::min(path.find_first_of(".[", 1), path.size());
            const std::string_view name = path.substr(1, end - 1);
            if (name.empty() || name.find('*') != name.npos) return std::nullopt;
            found += escaped(name);
            path.remove_prefix(end);
            continue;
        }
        const bool quoted = path.size() > 1 && (path[1] == '\'' || path[1] == '"');
        const std::string close = quoted ? std::string{path[1], ']'} : "]";
        const std::size_t begin = quoted ? 2 : 1, end = path.find(close, begin);
        if (path.front() != '[' || end == path.npos) return std::nullopt;
        const std::string_view name = path.substr(begin, end - begin);
        if (!quoted && (name.empty() || !std::ranges::all_of(name, is_digit))) return std::nullopt;
        found += escaped(name);
        path.remove_prefix(end + close.size());
    }
    return found;
}

// "//input[@name='csrf']/@value" (XPath), as Source::attribute has it. Nothing: it is something else.
std::optional<std::string> attribute(std::string_view path)
{
    const auto part = [&](std::string_view begin, std::string_view end) -> std::string {
        if (!path.starts_with(begin)) return "";
        path.remove_prefix(begin.size());
        const std::size_t at = end.empty() ? path.size() : path.find(end);
        if (at == path.npos) return "";
        const std::string_view found = path.substr(0, at);
        path.remove_prefix(at);
        return std::string(found);
    };
    const auto name = [](std::string text) {
        std::ranges::transform(text, text.begin(), [](char c) {
            return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        });
        return std::ranges::all_of(text, [](char c) { return in_word(c) || c == '-' || c == ':'; }) ? text : "";
    };
    std::string element = part("//", "[@");
    if (element != "*") element = name(element);
    const std::string of = name(part("[@", "="));
    const std::string quote(path.substr(std::min<std::size_t>(1, path.size()), 1));
    if (quote != "'" && quote != "\"") return std::nullopt;
    const std::string value = part("=" + quote, quote + "]/@");
    const std::string wanted = name(part(quote + "]/@", ""));
    if (element.empty() || of.empty() || wanted.empty()) return std::nullopt;
    return fmt::format("{} {} {} {}", element, wanted, of, value);
}

constexpr std::string_view kResponse = ".response.", kMatch = ".match(";

struct Named {
    std::string_view name;
    Operator is;
};
constexpr Named kOperators[] = {
    {"==", Operator::equal},        {"!=", Operator::unequal},    {"<=", Operator::most},
    {">=", Operator::least},        {"<", Operator::less},        {">", Operator::more},
    {"includes", Operator::includes}, {"contains", Operator::includes}, {"startsWith", Operator::begins},
    {"endsWith", Operator::ends},   {"exists", Operator::exists},
    {"matches", Operator::matches},
    {"sha256", Operator::sha256},
};

// The first word, which it takes off.
std::string_view word(std::string_view& text)
{
    text = stripped(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view found = text.substr(0, end);
    text = stripped(text.substr(end));
    return found;
}

std::optional<Operator> operator_named(std::string_view name)
{
    for (const Named& one : kOperators)
        if (one.name == name) return one.is;
    return std::nullopt;
}

}  // namespace

const std::string_view kMade =
    "`$uuid`, `$timestamp`, `$isoTimestamp`, `$randomInt 1 100`, `$random.alphabetic(8)`, `$random.alphanumeric(8)`, "
    "`$random.hexadecimal(8)`, `$client`, `$iteration`, `$base64(text)`, `$sha256.hex(text)` and "
    "`$hmac.sha256.hex(key, text)`";

std::string in_text(std::string_view code) { return fmt::format("{}{}{}", script::kOpen, code, script::kClose); }

bool has_slots(std::string_view text) { return text.find(script::kOpen) != text.npos; }

std::string typical(std::string_view text, const std::vector<std::string>& row)
{
    std::string whole;
    while (true) {
        const std::size_t open = std::min(text.find(script::kOpen), text.size());
        whole += text.substr(0, open);
        if (open == text.size()) return whole;
        const std::size_t close = text.find(script::kClose, open);
        std::string_view code = text.substr(open + 1, close - open - 1);
        code = code.substr(0, code.find(';'));
        const char letter = code[code.front() == 'j' || code.front() == 'w'];
        code.remove_prefix(code.find(letter) + 1);
        switch (letter) {
            case 'u': whole += "00000000-0000-4000-8000-000000000000"; break;
            case 't': whole += "1700000000"; break;
            case 'd': whole += "2026-01-01T00:00:00.000Z"; break;
            case 'i': whole += code.substr(code.find(',') + 1); break;
            case 'r': whole += row[static_cast<std::size_t>(*integer(code))]; break;
            case 'a':
            case 'n':
            case 'h': whole.append(static_cast<std::size_t>(*integer(code)), 'a'); break;
            case 'm': whole.append(static_cast<std::size_t>(*integer(code.substr(code.find(',') + 1))), 'a'); break;
            default: whole += '1';
        }
        text.remove_prefix(close + 1);
    }
}

std::string escaping(std::string_view body, std::string_view type)
{
    const bool json = type.find("json") != type.npos, form = type.find("x-www-form-urlencoded") != type.npos;
    std::string text;
    bool in_string = false;
    for (std::size_t i = 0; i < body.size(); ++i) {
        const char c = body[i];
        text += c;
        if (c == '\\' && in_string && i + 1 < body.size())
            text += body[++i];
        else if (c == '"')
            in_string = !in_string;
        else if (c == script::kOpen && (form || (json && in_string)) &&
                 std::string_view("rvm").find(body[i + 1]) != std::string_view::npos)
            text += form ? 'w' : 'j';
    }
    return text;
}

std::string made_by_run(std::string_view name)
{
    const std::size_t end = std::min(name.find_first_of(" \t("), name.size());
    const std::string_view word = name.substr(0, end);
    const auto given = arguments(name.substr(end));
    if (!given) return "";
    if (word == "$randomInt" || word == "$random.integer") {
        // As editors have it: from the first on, up to the second, which is none of them.
        if (given->size() != 2 && !(given->empty() && word == "$randomInt")) return "";
        const std::int64_t from = given->empty() ? 0 : given->front(), to = given->empty() ? 1001 : given->back();
        if (from >= to || from < -kLargest || to > kLargest) return "";
        return fmt::format("i{},{}", from, to - 1);
    }
    for (const auto& [made, letter] : {std::pair{"$random.alphabetic", 'a'}, std::pair{"$random.alphanumeric", 'n'},
                                       std::pair{"$random.hexadecimal", 'h'}}) {
        if (word != made) continue;
        if (given->size() != 1 || given->front() < 1 || given->front() > kMostLetters) return "";
        return fmt::format("{}{}", letter, given->front());
    }
    for (const auto& [made, code] : std::initializer_list<std::pair<std::string_view, const char*>>{
             {"$uuid", "u"},
             {"$guid", "u"},
             {"$random.uuid", "u"},
             {"$timestamp", "t"},
             {"$isoTimestamp", "d"},
             {"$client", "c"},
             {"$iteration", "k"}})
        if (word == made && given->empty()) return code;
    return "";
}

std::string numbered(std::string code, std::size_t place)
{
    if (std::string_view("uianh").find(code.front()) != std::string_view::npos) code += fmt::format(";{}", place);
    return code;
}

std::optional<std::string> quoted(std::string_view text)
{
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
    text = text.substr(1, text.size() - 2);
    std::string found;
    while (!text.empty()) {
        char c = text.front();
        text.remove_prefix(1);
        if (c == '"') return std::nullopt;
        if (c == '\\') {
            if (text.empty()) return std::nullopt;
            const std::size_t known = std::string_view("nt\"\\").find(text.front());
            if (known == std::string_view::npos) return std::nullopt;
            c = "\n\t\"\\"[known];
            text.remove_prefix(1);
        }
        found += c;
    }
    return found;
}

std::optional<Function> function(std::string_view name)
{
    const std::size_t open = std::min(name.find('('), name.size());
    const std::string_view called = stripped(name.substr(0, open));
    Function found;
    bool keyed = false;
    if (called == "$base64" || called == "$base64url") {
        found.code = called == "$base64" ? "bb" : "bu";
    } else {
        keyed = called.starts_with("$hmac.sha256.");
        if (!keyed && !called.starts_with("$sha256.") && !called.starts_with("$hmac") && called != "$sha256")
            return std::nullopt;
        const std::string_view as = called.substr(called.rfind('.') + 1);
        if (as != "hex" && as != "base64" && as != "base64url") {
            found.problem = fmt::format("`{}` does not say how it is written: `$sha256.hex(text)`, `.base64` or "
                                        "`.base64url`, and `$hmac.sha256.hex(key, text)`, `.base64` or `.base64url`",
                                        shown(called));
            return found;
        }
        if (called.starts_with("$hmac") && !keyed) {
            found.problem = fmt::format("`{}` is not known: of HMAC there is `$hmac.sha256`", shown(called));
            return found;
        }
        found.code = fmt::format("{}{}", keyed ? 'h' : 's', as == "hex" ? 'x' : as == "base64" ? 'b' : 'u');
    }
    bool in_quotes = false;
    const bool closed = open < name.size() && name.ends_with(')');
    std::string_view left = closed ? name.substr(open + 1, name.size() - open - 2) : "";
    for (std::size_t i = 0; i <= left.size() && !left.empty(); ++i) {
        if (i < left.size() && left[i] == '"') in_quotes = !in_quotes;
        if (i < left.size() && in_quotes && left[i] == '\\') ++i;
        if (i < left.size() && (left[i] != ',' || in_quotes)) continue;
        found.arguments.push_back(stripped(left.substr(0, std::min(i, left.size()))));
        left.remove_prefix(std::min(i + 1, left.size()));
        i = static_cast<std::size_t>(-1);
    }
    if (found.arguments.size() < 1u + keyed)
        found.problem = fmt::format("`{0}` is made of {1}: `{0}({2})`, variables or texts in quotes", shown(called),
                                    keyed ? "a key and a text" : "a text", keyed ? "key, text" : "text");
    return found;
}

std::size_t length(std::string_view code, std::size_t text)
{
    const std::size_t bytes = code[0] == 'b' ? text : 32;
    return code[1] == 'x' ? 2 * bytes : code[1] == 'b' ? (bytes + 2) / 3 * 4 : (bytes * 4 + 2) / 3;
}

bool is_reference(std::string_view name)
{
    const std::size_t at = name.find(kResponse);
    return at != name.npos && std::ranges::all_of(name.substr(0, at), [](char c) {
        return in_word(c) || c == '-' || c == '.' || c == ' ';
    });
}

namespace {

// ".match(/id=([0-9]+)/)[1]", which JavaScript has so.
void take_match(std::string_view match, Reference& found)
{
    match.remove_prefix(kMatch.size());
    const std::size_t end = match.rfind(")[");
    if (end == match.npos || !match.ends_with(']')) {
        found.problem = "`match` says which part it is: `.match(/id=([0-9]+)/)[1]` for what its first group has found, "
                        "`[0]` for all of it";
        return;
    }
    const std::string_view group = match.substr(end + 2, match.size() - end - 3);
    const auto number = integer(group);
    if (!number || *number < 0 || *number > 99) {
        found.problem = fmt::format("`{}` is no number of a group", shown(group));
        return;
    }
    found.group = group;
    found.expression = match.substr(0, end);
    found.problem = RegularExpression(found.expression, static_cast<std::size_t>(*number)).problem();
    if (!found.problem.empty())
        found.problem = fmt::format("`{}` cannot be looked for: {}", shown(found.expression), found.problem);
}

}  // namespace

Reference reference(std::string_view name)
{
    const std::size_t at = name.find(kResponse);
    Reference found{stripped(name.substr(0, at)), {}, "", "", "", ""};
    std::string_view rest = name.substr(at + kResponse.size());
    if (const std::size_t match = rest.find(kMatch); match != rest.npos) {
        take_match(rest.substr(match), found);
        rest = rest.substr(0, match);
        if (rest == "body") rest = "body.*";
    }
    const std::string_view of_body = rest.starts_with("body.") ? rest.substr(5) : std::string_view();
    if (rest.starts_with("headers.") && rest.size() > 8) {
        found.source = Source::header;
        found.where = rest.substr(8);
    } else if (rest == "status") {
        found.source = Source::status;
    } else if (of_body == "*") {
        found.source = Source::body;
    } else if (const auto field = attribute(of_body)) {
        found.source = Source::attribute;
        found.where = *field;
    } else if (const auto path = pointer(of_body); path && !of_body.empty() && !of_body.starts_with("//")) {
        found.source = Source::pointer;
        found.where = *path;
    } else if (found.problem.empty()) {
        found.problem = no_reference(name);
    }
    return found;
}

std::string no_reference(std::string_view name)
{
    return fmt::format("`{}` is no value of a response: those are `name.response.body.$.token`, "
                       "`name.response.body.//input[@name='csrf']/@value`, `name.response.body.*`, "
                       "`name.response.body.match(/id=([0-9]+)/)[1]`, `name.response.headers.Location` and "
                       "`name.response.status`",
                       shown(name));
}

namespace {

// What is behind `matches`, between slashes, which need not be written. "", or what is wrong with it.
std::string expression_of(std::string& written)
{
    if (has_slots(written)) return "an expression is the same each time: no run makes it";
    if (!written.starts_with('/') || !(written.ends_with('/') || written.ends_with("/i")))
        written = fmt::format("/{}/", written);
    const std::string problem = RegularExpression(written, 0).problem();
    return problem.empty() ? "" : fmt::format("`{}` cannot be looked for: {}", shown(written), problem);
}

}  // namespace

std::string check(std::string_view text, std::string& problem, const Place& place)
{
    std::string_view left = text;
    const std::string_view of = word(left);
    Source source{};
    std::string where;
    if (of == "status") {
        source = Source::status;
    } else if (of == "size") {
        source = Source::size;
    } else if (of == "header") {
        source = Source::header;
        where = word(left);
    } else if (of == "body") {
        source = Source::body;
        if (left.starts_with('$') || left.starts_with('/')) {
            source = Source::pointer;
            // A name in quotes may have blanks: the path ends before the operator.
            std::size_t end = left.size();
            for (const Named& one : kOperators)
                if (const std::size_t at = left.find(fmt::format(" {}", one.name)); at != left.npos)
                    end = std::min(end, at);
            const std::string_view written = stripped(left.substr(0, end));
            auto path = attribute(written);
            if (path) source = Source::attribute;
            if (!path) path = pointer(written);
            if (!path) return "";
            where = *path;
            left = left.substr(end);
        }
    } else {
        return "";
    }
    if (source == Source::pointer) problem = place(source, where);
    if (!problem.empty()) return "";
    const auto is = operator_named(word(left));
    if (!is || (source == Source::header && where.empty())) return "";
    if ((*is == Operator::exists) != left.empty()) return "";
    if (left.size() > 1 && (left.front() == '"' || left.front() == '\'') && left.back() == left.front())
        left = left.substr(1, left.size() - 2);
    std::string operand(left);
    if (*is == Operator::matches) {
        problem = expression_of(operand);
        if (!problem.empty()) return "";
    }
    if (*is == Operator::sha256) {
        const auto digit = [](char c) { return is_digit(c) || is_letter(c) || c == '+' || c == '/'; };
        if (operand.size() != 44 || operand.back() != '=' || !std::ranges::all_of(operand.substr(0, 43), digit)) {
            problem = fmt::format(
                "`{}` is no SHA-256 in base64: `openssl dgst -sha256 -binary FILE | base64` writes one", shown(left));
            return "";
        }
    }
    const bool number = source == Source::status || source == Source::size;
    if (number && (!integer(left) || std::string_view("ibexry").find(static_cast<char>(*is)) != std::string_view::npos))
        return "";
    if (source == Source::body && *is == Operator::exists) return "";
    return fmt::format("c{0}{1}{0}{2}{0}{3}{0}{4}{0}{5}{6}", script::kPart, static_cast<char>(source), where,
                       static_cast<char>(*is), operand, stripped(text), script::kItem);
}

std::string condition(std::string_view text, std::string& problem)
{
    std::size_t at = text.npos;
    const Named* named = nullptr;
    for (const Named& one : kOperators) {
        const std::size_t found = fmt::format("{} ", text).find(fmt::format(" {} ", one.name));
        if (found >= at || one.is == Operator::sha256) continue;
        at = found;
        named = &one;
    }
    if (!named) return "";
    const std::string_view left = stripped(text.substr(0, at));
    std::string_view right = stripped(text.substr(std::min(at + 1 + named->name.size(), text.size())));
    if (left.empty() || (named->is == Operator::exists) != right.empty()) return "";
    if (right.size() > 1 && (right.front() == '"' || right.front() == '\'') && right.back() == right.front())
        right = right.substr(1, right.size() - 2);
    std::string operand(right);
    if (named->is == Operator::matches) problem = expression_of(operand);
    if (!problem.empty()) return "";
    return fmt::format("{1}{0}{2}{0}{3}", script::kPart, left, static_cast<char>(named->is), operand);
}

Rows rows(std::string_view csv, char order)
{
    Rows all;
    all.text = order;
    std::size_t line = 0, count = 0, passed = 1;
    if (csv.starts_with(kByteOrderMark)) csv.remove_prefix(kByteOrderMark.size());
    while (!csv.empty() && all.problem.empty()) {
        line = passed;
        // A field in quotes may have line ends (RFC 4180, 2.6).
        std::size_t end = 0;
        for (bool in_quotes = false; end < csv.size() && (csv[end] != '\n' || in_quotes); ++end)
            in_quotes ^= csv[end] == '"';
        std::string_view text = csv.substr(0, end);
        passed += 1 + static_cast<std::size_t>(std::ranges::count(text, '\n'));
        csv.remove_prefix(std::min(end + 1, csv.size()));
        if (text.ends_with('\r')) text.remove_suffix(1);
        if (stripped(text).empty()) continue;
        std::vector<std::string> cells;
        for (const std::string_view field : fields_of(text)) cells.push_back(unquoted_field(field));
        const auto control = [](char c) {
            return (c >= 0 && c < ' ' && c != '\n' && c != '\r' && c != '\t') || c == 0x7f;
        };
        if (std::ranges::any_of(text, control)) {
            all.problem = fmt::format("line {} has control characters", line);
        } else if (all.columns.empty()) {
            all.columns = std::move(cells);
            if (all.columns.size() > kMostColumns)
                all.problem = fmt::format("it has more than {} columns", kMostColumns);
            continue;
        } else if (cells.size() != all.columns.size()) {
            all.problem = fmt::format("line {} has {} fields where the first line names {}", line, cells.size(),
                                      all.columns.size());
        } else if (++count > kMostRows) {
            all.problem = fmt::format("it has more than {} rows", kMostRows);
        }
        if (count == 1) all.first = cells;
        all.text += fmt::format("{}{}", fmt::join(cells, std::string(1, script::kPart)), script::kItem);
    }
    if (all.problem.empty() && count == 0) all.problem = "it has no rows";
    return all;
}

}  // namespace anml::request_slots

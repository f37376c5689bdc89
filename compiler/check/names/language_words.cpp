#include "check/names/language_words.h"

#include <fmt/format.h>

namespace anml {
namespace {

struct FunctionRow {
    std::string_view calls, meaning;
};
constexpr FunctionRow kRows[] = {
#define ANML_FUNCTION_ROW(calls, meaning) {calls, meaning},
#define ANML_KEYWORD_TEXT(word, usage, about)
#include "check/names/language_words.def"
};

struct Keyword {
    std::string_view word;
    KeywordText text;
};
constexpr Keyword kKeywords[] = {
#define ANML_FUNCTION_ROW(calls, meaning)
#define ANML_KEYWORD_TEXT(word, usage, about) {word, {usage, about}},
#include "check/names/language_words.def"
};

// `[a list](#lists)` as "a list"; brackets in code are others.
std::string without_links(std::string_view text)
{
    std::string out;
    bool code = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '`') code = !code;
        const std::size_t middle = text[i] == '[' && !code ? text.find("](", i) : text.npos;
        const std::size_t end = middle == text.npos ? text.npos : text.find(')', middle);
        if (end == text.npos) {
            out += text[i];
            continue;
        }
        out += text.substr(i + 1, middle - i - 1);
        i = end;
    }
    return out;
}

}  // namespace

std::string about_builtin(Builtin builtin)
{
    const std::string called = fmt::format("`{}(", builtin_name(builtin));
    const std::string asked = fmt::format(".{}(", builtin_name(builtin));
    std::string text;
    for (const FunctionRow& row : kRows) {
        if (row.calls.find(called) == row.calls.npos && row.calls.find(asked) == row.calls.npos) continue;
        text += fmt::format("{}{}: {}", text.empty() ? "" : "\n\n", row.calls, without_links(row.meaning));
    }
    return text;
}

std::optional<KeywordText> about_keyword(std::string_view word)
{
    for (const Keyword& keyword : kKeywords)
        if (keyword.word == word) return keyword.text;
    return std::nullopt;
}

}  // namespace anml

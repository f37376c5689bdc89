// Classes, cases and ends of ASCII texts, whatever the locale; a byte of anything else is in no class and has no case.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace anml {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool begins_word(char c) { return is_letter(c) || c == '_'; }
constexpr bool in_word(char c) { return begins_word(c) || is_digit(c); }

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string lower_case(std::string_view text)
{
    std::string lower(text);
    for (char& c : lower) c = to_lower(c);
    return lower;
}

constexpr bool same_in_any_case(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, to_lower, to_lower);
}

// Without any of `blanks` at either end: a part of the text also where nothing is left.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t\r")
{
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

}  // namespace anml

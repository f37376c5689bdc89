// Classes of ASCII characters, whatever the locale; a byte of anything else is in none.
#pragma once

#include <string_view>

namespace anml {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool begins_word(char c) { return is_letter(c) || c == '_'; }
constexpr bool in_word(char c) { return begins_word(c) || is_digit(c); }

// Of a line: without blanks, tabs and carriage returns at either end.
constexpr std::string_view trimmed(std::string_view line)
{
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == line.npos ? std::string_view() : line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace anml

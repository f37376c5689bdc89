// Classes of ASCII characters, whatever the locale; a byte of anything else is in none.
#pragma once

namespace anml {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool begins_word(char c) { return is_letter(c) || c == '_'; }
constexpr bool in_word(char c) { return begins_word(c) || is_digit(c); }

}  // namespace anml

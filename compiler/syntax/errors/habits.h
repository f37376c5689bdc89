// Words that begin a statement or a file elsewhere: of Python, C, HCL, NED, load testers, shells, routers.
#pragma once

#include <cstdint>
#include <string_view>

namespace anml {

enum HabitBefore : unsigned { kValue = 1, kText = 2, kBlock = 4, kColon = 8, kAny = 16 };

struct Habit {
    std::string_view word;
    unsigned before;  // what it stands before: a value or the end of the line, a string, `{`, `:`
    std::string_view help, instead;
};

// What is known of a word that begins a line, where a token of type `next` (0: none) follows in it; or nullptr.
const Habit* find_habit(std::string_view word, std::uint16_t next);
// Whatever follows.
const Habit* find_habit(std::string_view word);

// `int n = 4`: a type of other languages, or of this one, where a statement begins.
bool is_type_elsewhere(std::string_view word);

}  // namespace anml

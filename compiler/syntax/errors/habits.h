// Words that begin a statement or a file elsewhere: of Python, C, HCL, NED, load testers, shells, routers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

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

// What says a value in a string: `text(n)`, and of a node, link or workload, which a declaration of `source` shows, its
// name in quotes.
std::string said_in_text(std::string_view source, std::string_view value);
// `"a" + text(n)`; two strings become one.
void add_to_sum(std::string& sum, std::string_view part);
// What happens to a link and to a workload by a verb of other languages, `stop`: "down" and "off"; "": it is none.
std::pair<std::string_view, std::string_view> meant_by_verb(std::string_view verb);

// `int n = 4`: a type of other languages, or of this one, where a statement begins.
bool is_type_elsewhere(std::string_view word);

}  // namespace anml

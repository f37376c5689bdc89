// The words of the command line, before the parser sees them.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

namespace anml {

struct CommandWords {
    std::vector<const char*> words;
    std::deque<std::string> made;  // those that nobody else keeps
};

// Puts the words in FILE in the place of @FILE, quoted as a shell's are, and makes one word of `-MF PATH`: the parser
// knows options of one letter and what belongs to them. Empty, or what is wrong.
std::string expand_words(std::span<const char* const> given, CommandWords& result);

}  // namespace anml

// The formatter: one style, no options. It moves words and comments, adds and drops commas, and changes nothing else.
//
// The author decides where items of a block begin new lines and where blank lines stand (one at most); the formatter
// decides all other white space, breaks lines longer than kLineWidth where brackets or operators allow it, and aligns
// the columns of consecutive lines of one form.
#pragma once

#include <optional>
#include <string>

#include "syntax/syntax_tree.h"

namespace anml {

inline constexpr std::size_t kLineWidth = 120;  // in code points

// The file's text in the one style. `file` has been parsed without errors. Formatting the result changes nothing.
std::string format_file(const SourceSet& sources, const SyntaxTree& tree, FileId file);

// The file's text with what is written now in place of forms that the language has no longer; nullopt: it has none.
std::optional<std::string> with_new_forms(const SourceSet& sources, const SyntaxTree& tree, FileId file);

// The same as format_file of a program that anmlc itself wrote, and that therefore has no errors; nullopt if it is nested
// deeper than what can be read.
std::optional<std::string> formatted_program(std::string text);

// "" where both files have the same words, comments and tree, apart from commas and white space; else what differs.
// What format_file returns is never written without this check.
std::string compare_programs(const SourceSet& sources_a, const SyntaxTree& a, const SourceSet& sources_b,
                             const SyntaxTree& b);

}  // namespace anml

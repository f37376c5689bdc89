// The words of the language: its plain types, and what is said of its functions and keywords.
#pragma once

#include "check/checked_program.h"

namespace anml {

// A type that the language has without any declaration; nothing: it has none of that name.
std::optional<Type> plain_type(std::string_view name);
std::vector<std::string_view> plain_type_names();

// What docs/language/ says of a function, Markdown without its links: a line for each row about it, what is called
// and then what that means.
std::string about_builtin(Builtin builtin);

struct KeywordText {
    std::string_view usage, about;  // how it is written, and a sentence
};
// Nothing: of keywords that are explained by a schema, or by what stands around them.
std::optional<KeywordText> about_keyword(std::string_view word);

}  // namespace anml

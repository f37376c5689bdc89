// The text of a declaration as documentation shows it.
#pragma once

#include <string>
#include <string_view>

#include "syntax/syntax_tree.h"

namespace anml {

// White space of any length as one blank, comments left out.
std::string one_line(std::string_view text);

// What `///` says above it, or else the `//` comment that stands behind it on its line.
std::string words_about(const SourceSet& sources, const SyntaxTree& tree, SyntaxId id);

}  // namespace anml

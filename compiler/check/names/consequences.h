// In a text whose syntax is broken, or that imports what is not there, some of what the checker finds is a consequence
// of that.
#pragma once

#include "syntax/syntax_tree.h"

namespace anml {

// Takes out what is said of a statement or declaration with a hole, or with the name of a module that is missing, or
// because of one, and of names that stand in words that were skipped, where they may have been declared.
void drop_consequences(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics);

}  // namespace anml

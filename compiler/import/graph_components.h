// `graph Name("file") { ... }`: a foreign graph as a component. Its text is made before names are checked, and belongs
// to the file that declares it; messages about it name the line of the graph's file.
#pragma once

#include <optional>

#include "syntax/syntax_tree.h"

namespace anml {

// The tree with the components of all `graph` declarations; the same tree where there are none. Nothing after an error.
std::optional<SyntaxTree> expand_graphs(const SourceOptions& options, SyntaxTree tree, SourceSet& sources,
                                        Diagnostics& diagnostics);

}  // namespace anml

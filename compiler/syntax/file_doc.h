// What `///` says of a file as a whole.
#pragma once

#include <string>

#include "syntax/syntax_tree.h"

namespace anml {

// What stands at its top: before `edition` or an import, or apart from the first declaration by an empty line.
std::string file_doc(const SourceSet& sources, const SyntaxTree& tree, FileId file);

// Of `///` lines, of which `first` is the first: the token behind the lines that an empty line ends, if one does.
TokenId behind_empty_line(const SourceSet& sources, const SyntaxTree& tree, TokenId first);

}  // namespace anml

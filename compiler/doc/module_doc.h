// The documentation of a module, read from its syntax tree: what `///` says of it and of each of its declarations.
#pragma once

#include <string>
#include <vector>

#include "syntax/syntax_tree.h"

namespace anml {

struct MemberDoc {
    std::string name, type, preset, text;  // of attributes and parameters; of an enum's values: name and text
};

struct DeclarationDoc {
    std::string kind, name, signature, text;
    std::vector<MemberDoc> members;
};

struct ModuleDoc {
    std::string name, text;
    std::vector<DeclarationDoc> declarations;  // in the order of the text
};

// The documentation of a file; what was there before in `module` is kept: a module may be several files.
void add_file_doc(const SourceSet& sources, const SyntaxTree& tree, FileId file, ModuleDoc& module);

std::string markdown(const ModuleDoc& module);
std::string plain_text(const ModuleDoc& module);

}  // namespace anml

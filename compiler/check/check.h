// Stage 3: names, types, units and constraints of the whole text, whether instantiated or not.
#pragma once

#include <string>
#include <string_view>

#include "check/checked_program.h"
#include "check/names/declarations.h"
#include "source/source_set.h"
#include "syntax/syntax_tree.h"

namespace anml {

// Values from the command line are those of the parameters of `model`; "": of the only model of the main file.
//
// After errors the program has what was understood: a declaration with the types that are known, holes elsewhere
// (TypeKind::error, ExprKind::error, ids that are not valid, statements that are left out). The tree may have holes;
// what follows from them alone is not reported, and the program is not whole. `declarations` is filled where it is
// given.
Partial<CheckedProgram> check(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics,
                              std::string_view model = "", Declarations* declarations = nullptr);
std::string dump_checked(const CheckedProgram& program);  // --emit=checked; of a program without holes
std::string verify_checked(const CheckedProgram& program, Holes holes = Holes::none);  // "" or what is broken

}  // namespace anml

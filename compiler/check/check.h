// Stage 3: names, types, units and constraints of the whole text, whether instantiated or not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "check/checked_program.h"
#include "source/source_set.h"
#include "syntax/syntax_tree.h"

namespace anml {

// Values from the command line are those of the parameters of `model`; "": of the only model of the main file.
std::optional<CheckedProgram> check(const SourceSet& sources, const SyntaxTree& tree, Diagnostics& diagnostics,
                                    std::string_view model = "");
std::string dump_checked(const CheckedProgram& program);    // --emit=checked
std::string verify_checked(const CheckedProgram& program);  // "" or what is broken

}  // namespace anml

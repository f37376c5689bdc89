// The image's tables as constants of a module.
#pragma once

#include <llvm/IR/Module.h>

#include "plan/plan.h"

namespace anml {

// Defines `anml_image`, which points to the tables and to `bind`.
void generate_image(llvm::Module& module, const Plan& plan, llvm::Function* bind);

}  // namespace anml

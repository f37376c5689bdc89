// The image's tables as constants of a module.
#pragma once

#include <llvm/IR/Module.h>

#include <vector>

#include "codegen/table_object.h"
#include "codegen/value_code.h"
#include "plan/plan.h"

namespace anml {

// Defines `anml_image`, which points to the tables, to the samplers and to `bind`. With `apart`, large tables are only
// declared and listed there.
void generate_image(llvm::Module& module, const Plan& plan, const Bind& bind, llvm::Constant* samplers,
                    std::vector<LargeTable>* apart);

}  // namespace anml

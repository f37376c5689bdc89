// Native code for expressions over random draws, and the table of it.
#pragma once

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include "plan/plan.h"

namespace anml {

// abi::Image::samplers: a function for each of the plan's samplers, in plain IEEE arithmetic, so that it equals
// draw_sample (base/values/sample_tree.h) to the bit; null where there is none.
llvm::Constant* generate_samplers(llvm::Module& module, const Plan& plan);

}  // namespace anml

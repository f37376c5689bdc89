// `bind`: the value expressions as native code.
#pragma once

#include <llvm/IR/Module.h>

#include "plan/plan.h"

namespace anml {

// void (const double* tunables, double* values): stores every value of the plan. Each expression is computed once, in
// plain IEEE arithmetic, so that it equals ValuePool::evaluate to the bit.
struct Bind {
    llvm::Function* function = nullptr;
    std::uint32_t value_count = 0;  // that it writes: the plan's, and what it needs besides
};
Bind generate_bind(llvm::Module& module, const Plan& plan);

}  // namespace anml

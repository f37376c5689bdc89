// An operation that draws nothing, as instructions: what apply_operation (base/values/quantity.h) computes, to the bit.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "base/values/quantity.h"

namespace anml {

// Of values and conditions: 0 is false.
llvm::Value* is_true(llvm::IRBuilder<>& builder, llvm::Value* value);
llvm::Value* generate_operation(llvm::IRBuilder<>& builder, ValueOp op, llvm::Value* a, llvm::Value* b, llvm::Value* c);

}  // namespace anml

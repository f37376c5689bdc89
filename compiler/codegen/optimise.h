// The optimiser, with all that needs LLVM's pass headers.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

namespace anml {

// As one whole program: what the module defines, nothing outside replaces.
void optimise(llvm::Module& module, llvm::TargetMachine& machine);

}  // namespace anml

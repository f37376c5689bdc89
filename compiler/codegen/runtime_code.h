// The runtime's event loop in the model's module.
#pragma once

#include <llvm/IR/Module.h>

#include <string>

namespace anml {

// Links the bitcode at `path` into the module. Returns what is wrong, or "".
std::string link_runtime_code(llvm::Module& module, const std::string& path);

}  // namespace anml

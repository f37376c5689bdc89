// LLVM's linker, lld, which is part of this program. Its types stay behind this header.
#pragma once

#include <string>
#include <vector>

#include "base/process.h"

namespace anml {

// What `ld.lld ARGUMENTS` would do, in a process of its own: lld may end it when it is out of memory, and leaves what
// it had to the system. Its messages are the output. The caller has no other thread.
ProcessResult run_linker(const std::vector<std::string>& arguments);

}  // namespace anml

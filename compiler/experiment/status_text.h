// What an exit status says of how a program ended.
#pragma once

#include <string>

namespace anml {

// "failed with status 3"; of 128 and a signal, as shells and Slurm have it, "was ended by signal 11 (SIGSEGV)". SIGKILL
// is what the kernel ends with who has no more memory.
std::string status_text(int status);

}  // namespace anml

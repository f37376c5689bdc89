// Stage 9: object + runtime = the emulator, by LLVM's linker, which is inside.
#pragma once

#include <optional>
#include <string>

#include "codegen/codegen.h"

namespace anml {

struct LinkOptions {
    std::string output;       // written atomically: a temporary beside it, renamed when complete
    std::string runtime_dir;  // holds libanmlrt.a; "": found relative to this executable (../lib/anml)
    bool mpi = false;         // it knows where libanml_mpi.so is, which lies beside that
    bool verbose = false;     // -v: print the command on standard error
    bool dry = false;         // -###: print it, and do nothing
};

// True and the executable exists, or false, a diagnostic, and nothing is left behind.
bool link_emulator(const ObjectFile& object, const LinkOptions& options, Diagnostics& diagnostics);

}  // namespace anml

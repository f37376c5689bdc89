// The runtime as it is installed: an archive that every emulator is linked with, and its event loop as bitcode.
#pragma once

#include <string>

#include "base/diagnostics.h"

namespace anml {

inline constexpr const char* kRuntimeArchive = "libanmlrt.a";
inline constexpr const char* kMpiPlugin = "libanml_mpi.so";
inline constexpr const char* kTlsArchive = "libanmltls.a";  // beside it
inline constexpr const char* kRuntimeBitcode = "anmlrt.bc";

// The path of `name` in `folder`, or, if that is "", in ../lib/anml relative to this executable. Reports if there is no
// such file, and returns "".
std::string find_runtime_file(const char* name, const std::string& folder, Diagnostics& diagnostics);

// Whether the runtime was built with bitcode. With sanitizers it was not: emulators then take the archive's event loop,
// which is instrumented, at every level of optimisation.
bool has_bitcode();

bool is_file(const std::string& path);

}  // namespace anml

// Writes a file whole or not at all: commandline::WholeFile with a diagnostic.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace anml {

// False: a diagnostic, and the old file is unchanged.
bool write_file(const std::string& path, std::string_view bytes, Diagnostics& diagnostics);

}  // namespace anml

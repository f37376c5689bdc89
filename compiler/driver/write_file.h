// Writes a file whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostics.h"

namespace anml {

// To a temporary beside it that is renamed when complete and has the old file's permissions. False, a diagnostic, and
// the old file unchanged otherwise. What exists and is no regular file, such as /dev/null, is written to as it is.
bool write_file(const std::string& path, std::string_view bytes, Diagnostics& diagnostics);

}  // namespace anml

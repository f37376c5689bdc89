// The script that runs a run elsewhere.
#pragma once

#include "common/embedded_file.h"

namespace anml {

std::span<const EmbeddedFile> run_script_files();

}  // namespace anml

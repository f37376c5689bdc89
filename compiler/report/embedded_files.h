// The schema of results.
#pragma once

#include "common/embedded_file.h"

namespace anml {

std::span<const EmbeddedFile> results_schema();

}  // namespace anml

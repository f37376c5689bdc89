// The schema of summaries, and what the page has of its own.
#pragma once

#include "common/embedded_file.h"

namespace anml {

std::span<const EmbeddedFile> findings_files();

}  // namespace anml

// The schema of results, and what the page is made of.
#pragma once

#include "base/embedded_file.h"

namespace anml {

std::span<const EmbeddedFile> report_files();

}  // namespace anml

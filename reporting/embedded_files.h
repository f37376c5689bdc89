// What the page is made of.
#pragma once

#include "common/embedded_file.h"

namespace anml {

std::span<const EmbeddedFile> report_files();

}  // namespace anml

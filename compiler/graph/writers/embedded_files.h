// Files that pictures are made from.
#pragma once

#include "common/embedded_file.h"

namespace anml {

std::span<const EmbeddedFile> embedded_files();
std::string_view embedded_file(std::string_view name);  // "" if there is none

}  // namespace anml

// `anmlc new`: a package that can be tested at once.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace anml {

// Makes the files in the folder, which is made if it isn't there; their paths are in `made`. False, and a diagnostic:
// one of them is there, or cannot be written; then there are none of them.
bool new_package(const std::string& folder, const std::string& name, std::vector<std::string>& made,
                 Diagnostics& diagnostics);

}  // namespace anml

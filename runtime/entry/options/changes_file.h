// --changes FILE: what was changed in a run, to be entered in another one at the same times.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "entry/options/change_syntax.h"

namespace anml::rt::entry {

// The list `changes` of a results file, or such a list alone: objects with `seconds` and `what`, by time.
// nullopt: `error`, which names the file.
std::optional<std::vector<WordedChange>> read_changes(const std::string& path, std::string& error);

}  // namespace anml::rt::entry

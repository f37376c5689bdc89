// -MD: what the output was made of, as a rule for make and ninja.
#pragma once

#include <string>

#include "driver/compile.h"

namespace anml {

// `output: file file ...`, every file that was read; not what is built into anmlc, and not standard input.
std::string dependency_rule(const std::string& output, const Compilation& compilation);

}  // namespace anml

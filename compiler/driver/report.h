// Prints what a compilation has to say.
#pragma once

#include "driver/compile.h"

namespace anml {

void print_report(const Options& options, const Compilation& compilation);  // to standard error

}  // namespace anml

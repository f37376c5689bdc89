// `ctl`: asks a live run, and changes it.
#pragma once

#include "entry/options.h"

namespace anml::rt::entry {

// Prints what it answers. The process's exit code.
int run_ctl(const Options& options);

}  // namespace anml::rt::entry

// `shell` and `exec`: a command in a sandbox of a live run.
#pragma once

#include "entry/options/options.h"

namespace anml::rt::entry {

// The command's exit status; else the reason is said.
int run_shell(const Options& options);

}  // namespace anml::rt::entry

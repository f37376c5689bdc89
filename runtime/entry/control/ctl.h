// `ctl`: asks a live run, and changes it.
#pragma once

#include <string>

#include "entry/options/options.h"

namespace anml::rt::entry {

// Prints what it answers. The process's exit code.
int run_ctl(const Options& options);

// The line that the run answers to `options.words`. `error`: why there is none.
std::string ask_run(const Options& options, std::string& error);

}  // namespace anml::rt::entry

// A program's work on a stack whose size does not depend on who starts it.
#pragma once

#include <functional>

namespace anml::commandline {

// What `work` returns. Limits of depth are made for the usual 8 MB, and `ulimit -s` may be anything.
int on_own_stack(const std::function<int()>& work);

}  // namespace anml::commandline

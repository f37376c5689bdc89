// How much of a test runs: `scripts/test --all` sets ANML_ALL.
#pragma once

#include <cstdlib>

namespace anml::testing {

inline bool everything() { return std::getenv("ANML_ALL") != nullptr; }

}  // namespace anml::testing

// All that can be wrong with a file, as `anmlc check` says it, and what is rarely meant, as `anmlc lint` does. Editors
// and `anmlc doc` ask for the same.
#pragma once

#include <functional>

#include "driver/session.h"

namespace anml {

// Is shown each network, and what its path queries are worth at the tunables' defaults, as far as they are asked.
using NetworkObserver = std::function<void(const Network&, const std::vector<double>& answers)>;

// False: there is an error.
bool run_checks(Session& session, const NetworkObserver& observer = nullptr);
bool run_linter(Session& session, const NetworkObserver& observer = nullptr);

}  // namespace anml

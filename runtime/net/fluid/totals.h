// What the fluid flows of a workload came to.
#pragma once

#include "base/fields.h"

namespace anml::rt::fluid {

// Measured: bytes that they sent, and that reached their ends; their number, times ns.
struct Totals {
    double offered = 0, carried = 0, flows = 0;
};
ANML_FIELDS(Totals, offered, carried, flows)

}  // namespace anml::rt::fluid

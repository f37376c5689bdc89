// Whether the layouts that the runtime declares (runtime/abi/records.h) and the library's schemas say the same. The
// build asks it, so that neither can change alone.
#pragma once

#include <string>
#include <vector>

#include "check/checked_program.h"

namespace anml {

// The modules that have to be imported for it: "std.queue".
std::vector<std::string> modules_with_records();

// What does not agree, a line each: a field that is no attribute of its kind or has other values, an attribute that
// nothing reads, a server that no profile makes of all of its attributes (base/record_fields.h).
std::vector<std::string> record_disagreements(const CheckedProgram& program);

}  // namespace anml

// The documentation of one file or module, with what its components inherit.
#pragma once

#include <optional>

#include "doc/module_doc.h"
#include "driver/doc/documented.h"
#include "driver/session.h"

namespace anml {

// What `one` has read of it is what its messages are about: of a module of the library its files, else its file.
// Nothing where something in it is wrong.
std::optional<ModuleDoc> read_module_doc(const SourceOptions& options, const Documented& wanted, Compilation& one);

}  // namespace anml

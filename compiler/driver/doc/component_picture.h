// A picture of a component by itself, for its documentation.
#pragma once

#include "doc/module_doc.h"
#include "driver/doc/documented.h"
#include "driver/session.h"

namespace anml {

// Draws the instance that the component's `Usage:` shows, or else one with every default, and says which. Nothing where
// neither can be built by itself, or it has too many nodes to be looked at. `wrong` has the errors of a `Usage:` that
// cannot be built, with its text.
void draw_component(const SourceOptions& options, const Documented& module, DeclarationDoc& component,
                    Compilation& wrong);

}  // namespace anml

// A picture of a component by itself, for its documentation.
#pragma once

#include "doc/module_doc.h"
#include "driver/documented.h"

namespace anml {

// Draws the instance that the component's `Usage:` shows, or else one with every default, and says which. Nothing where
// neither can be built by itself, or it has too many nodes to be looked at.
void draw_component(const Options& options, const Documented& module, DeclarationDoc& component);

}  // namespace anml

// The inside of a component, as far as it concerns its users.
#pragma once

#include <vector>

#include "doc/module_doc.h"

namespace anml {

// Ports, nodes, instances, links and workloads with names, requirements: of the component and of those that it extends.
std::vector<InsideDoc> component_inside(const SourceSet& sources, const SyntaxTree& tree, SyntaxId component,
                                        const Bases& bases);

}  // namespace anml

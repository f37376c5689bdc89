// The page: one HTML file that opens offline, in which a network can be explored. Its parts are in page/ and
// third_party/.
#pragma once

#include <string>

#include "graph/fold_plan.h"
#include "graph/graph.h"

namespace anml {

// `plan` says what is folded at first.
std::string write_page(const PictureInput& input, const FoldPlan& plan, const PictureOptions& options);

}  // namespace anml

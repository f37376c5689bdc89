// anmlc report: reads the files that a report (reporting/report.h) is made of.
#pragma once

#include "base/diagnostics.h"
#include "reporting/report.h"
#include "source/source_set.h"

namespace anml {

// Each file is in `sources` then. Nothing, and a diagnostic at the place, if one of them holds no results.
std::optional<std::vector<RunResults>> read_results(const std::vector<std::string>& files, SourceSet& sources,
                                                    Diagnostics& diagnostics);

}  // namespace anml

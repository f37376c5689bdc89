// `anmlc import` of a Mahimahi trace: a model with a link that follows it. Where the trace's name ends with `.up` or
// `.down` and the other direction's lies beside it, the link follows both.
#pragma once

#include "import/import.h"

namespace anml {

// `file`: the trace's text, in `sources`. Nothing after an error.
std::optional<std::string> import_trace(const ImportOptions& options, SourceSet& sources, FileId file,
                                        Diagnostics& diagnostics);

}  // namespace anml

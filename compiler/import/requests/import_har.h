// `anmlc import` of a HAR file (HTTP Archive 1.2, as browsers and proxies record sessions): a file of requests
// (base/files/request_file.h) with what was asked of its origins, in order, and a model with an endpoint for each of them
// where that is what is to be written. Values that came in responses and went out again later are references.
#pragma once

#include "import/import.h"

namespace anml {

// `file`: the text, in `sources`. `beside`: the requests, where the text is a model. Nothing after an error.
std::optional<std::string> import_har(const ImportOptions& options, const SourceSet& sources, FileId file,
                                      Diagnostics& diagnostics, ImportedFile& beside);

}  // namespace anml

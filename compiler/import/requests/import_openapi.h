// `anmlc import` of an OpenAPI document (3.0 and 3.1, JSON or YAML): a file of requests (base/files/request_file.h) with one
// for each operation, with its examples.
#pragma once

#include <string_view>

#include "import/import.h"

namespace anml {

bool is_openapi(std::string_view text);
// `file`: the text, in `sources`. Nothing after an error.
std::optional<std::string> import_openapi(const ImportOptions& options, const SourceSet& sources, FileId file,
                                          Diagnostics& diagnostics);

}  // namespace anml

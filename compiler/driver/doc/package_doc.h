// The documentation of a package: what its pages are made of.
#pragma once

#include <optional>

#include "doc/package_pages.h"
#include "driver/report.h"

namespace anml {

// Nothing, and diagnostics, where the package cannot be read; nothing, and what `check` says of them to the reporter,
// where a module, an example or what a `Usage:` shows has errors.
std::optional<PackageDoc> document_package(const BuildOptions& options, const std::string& root, Reporter& reporter,
                                           Diagnostics& diagnostics);

}  // namespace anml

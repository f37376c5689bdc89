// The documentation of a package: what its pages are made of.
#pragma once

#include <optional>

#include "doc/package_pages.h"
#include "driver/options.h"

namespace anml {

// Nothing, and diagnostics, where the package or one of its modules cannot be read.
std::optional<PackageDoc> document_package(const Options& options, const std::string& root, Diagnostics& diagnostics);

}  // namespace anml

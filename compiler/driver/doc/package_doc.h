// The documentation of a package: what its pages are made of.
#pragma once

#include <optional>

#include "doc/package_pages.h"
#include "driver/print_diagnostics.h"

namespace anml {

// Nothing, and diagnostics, where the package cannot be read; nothing, and what `check` says of them to the printer,
// where a module, an example or what a `Usage:` shows has errors.
std::optional<PackageDoc> document_package(const BuildOptions& options, const std::string& root,
                                           DiagnosticsPrinter& printer, Diagnostics& diagnostics);

}  // namespace anml

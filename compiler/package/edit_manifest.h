// Writes a dependency into an anml.toml as a person would: all else stays as it is.
#pragma once

#include <optional>
#include <string>

#include "package/manifest.h"

namespace anml {

// `metro = { git = "https://...", tag = "v1" }`
std::string dependency_line(const Dependency& dependency);

// The manifest's text with the dependency, in the place of one of its name if there is one. Nothing: the text has its
// dependencies in a form that only people should edit.
std::optional<std::string> with_dependency(const Manifest& manifest, const Dependency& dependency);

}  // namespace anml

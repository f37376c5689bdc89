// Texts that an editor has open: they stand in the place of what is in their files.
#pragma once

#include <map>
#include <string>

#include "source/source_set.h"

namespace anml {

using UnsavedTexts = std::map<std::string, std::string, std::less<>>;  // by path, as path_key has it

// The same for a file under any of its names: absolute, without links.
std::string path_key(const std::string& path);

// load_sources, with those texts where their files would be read; nullptr: there are none.
bool load_sources(const SourceOptions& options, const UnsavedTexts* unsaved, SourceSet& sources,
                  Diagnostics& diagnostics);

}  // namespace anml

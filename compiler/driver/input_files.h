// The files that verbs take which look at several: `fmt`, `check`, `lint`.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace anml {

struct InputFile {
    std::string path;    // or "-"
    std::string folder;  // that it was found in, "" for one that was named
};

// Files as they are, of folders every .anml in them and below, but not what packages have fetched, in the order of
// their names.
std::vector<InputFile> input_files(const std::vector<std::string>& words, Diagnostics& diagnostics);

}  // namespace anml

// The modules that a file could import, by the names that it would write.
#pragma once

#include "source/unsaved_texts.h"

namespace anml {

struct KnownModule {
    std::string name;  // "std.ether", "parts", "metro.rings"
    std::string path;  // of its file; "": of the standard library, or a folder whose files are modules
    bool folder = false;
    std::string about;  // what `///` says of it at its top, as one line; "": nothing, or of a folder
};

// Of the standard library, beside the file, of its package, of those that this depends on, and of the include folders;
// a name that is at several places once, for the one that `load_sources` takes. By name within each place. Folders are
// looked through to a depth of 4, and to 2000 entries in all.
std::vector<KnownModule> known_modules(const SourceOptions& options, const UnsavedTexts& unsaved);

}  // namespace anml

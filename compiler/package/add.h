// `anmlc add`: writes a dependency into anml.toml, fetches what it and anml.lock say into `.anml/deps`, and writes the
// lock.
#pragma once

#include <string>
#include <vector>

#include "package/manifest.h"

namespace anml {

struct AddRequest {
    std::string root;     // the package's folder
    std::string word;     // a folder, an address or an archive, with `#REF` behind an address of git; "": nothing new
    std::string staging;  // a folder that is there, empty and gone soon
};

// False, and diagnostics: nothing was changed. `done` says what was, a line each.
bool add_packages(const AddRequest& request, std::vector<std::string>& done, Diagnostics& diagnostics);

}  // namespace anml

// Gets a package from where it is: a Git address or an archive.
#pragma once

#include <optional>
#include <string>

#include "package/resolve.h"

namespace anml {

struct Gotten {
    std::string folder;  // with the package's files
    std::string commit;  // of git
    std::string at;      // of git: "tag v1", "branch main", "rev ...", as the dependency says it
};

// Into a folder below `staging`, which is there and empty. Runs git or curl, and nothing that came along: no hook, no
// filter, no submodule. `at` is a tag, branch or commit, "tag v1", or, where the dependency is made of a word of the
// command line, "any v1": whichever there is. `problem` says why there is nothing.
std::optional<Gotten> get_git(const std::string& address, const std::string& at, const std::string& staging,
                              std::string& problem);
std::optional<Gotten> get_archive(const std::string& address, const std::string& staging, std::string& problem);

}  // namespace anml

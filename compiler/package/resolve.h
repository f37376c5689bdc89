// Which packages a package consists of: itself, what it depends on, and what these do.
#pragma once

#include <functional>
#include <map>

#include "package/manifest.h"

namespace anml {

struct PackageMember {
    Manifest manifest;
    bool fetched = false;            // lies among what was fetched
    std::vector<std::size_t> needs;  // members, as manifest.dependencies
};

struct PackageSet {
    std::vector<PackageMember> members;  // the first is the package itself

    // The member whose folder that is.
    const PackageMember* in(const std::string& folder) const;
};

// Where fetched packages of the package in `root` lie: `.anml/deps`, a folder per name.
std::string store_folder(const std::string& root);
// The package for which `folder`, a package, was fetched; nullopt: for none.
std::optional<std::string> fetched_for(const std::string& folder);

// What tells one place of a package from another: "git https://example.org/metro.git tag v1". Paths that are
// not absolute count from `root`.
std::string source_key(const std::string& root, const Manifest& manifest, const Dependency& dependency);
// The path or address that it names, as it is reached from here.
std::string address_of(const Manifest& manifest, const Dependency& dependency);
// Whether an address is a path of this machine.
bool is_local(std::string_view address);

// Where a dependency that is no path is, which has its place in the folder; nothing, and a diagnostic, where it isn't.
using Obtain = std::function<std::optional<std::string>(const Manifest& by, const Dependency& dependency,
                                                        const std::string& folder)>;

// The package in `root` with all it needs. Nothing, and diagnostics, where one is missing, two of one name differ, or
// they need each other in a circle.
// `manifest`: what its anml.toml will say, nullptr: what it says.
std::optional<PackageSet> resolve_packages(const std::string& root, const Manifest* manifest, const Obtain& obtain,
                                           Diagnostics& diagnostics);

// The same of what was fetched before, which has to be as anml.lock says. Fetches nothing.
std::optional<PackageSet> present_packages(const std::string& root, Diagnostics& diagnostics);

}  // namespace anml

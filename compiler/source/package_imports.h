// Where the packages that an importing file may name are: its own, and those that it depends on.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "package/resolve.h"
#include "source/source_set.h"

namespace anml {

class PackageImports {
  public:
    // A module may be `base`.anml or the folder `base`; it is called `name` then.
    struct Place {
        std::string base, name;
    };
    struct Found {
        std::vector<Place> places;
        bool said = false;  // a diagnostic says why the module cannot be had
    };

    // Where modules lie that are called `name.below`, or `below` where the name is "".
    struct Source {
        std::string name, folder;
    };

    PackageImports(SourceSet& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}

    // The folder of the package of files in that folder; nullopt: none. Reads nothing.
    std::optional<std::string> package_of(const std::string& folder);

    // Where `module` may be for a file in the folder. Packages are looked at when they are first asked for.
    Found places(const std::string& folder, const std::string& module);

    // What `places` looks through for a file in the folder: its own package's modules, and those of packages by name.
    std::vector<Source> sources_of(const std::string& folder);

  private:
    // The package itself and what it depends on. Nothing where the package cannot be read.
    std::optional<std::vector<const Manifest*>> reached(const std::string& package);

    struct Opened {
        std::optional<PackageSet> packages;  // nothing: something is wrong, and was said
    };

    const Opened& open(const std::string& root);

    SourceSet& sources_;
    Diagnostics& diagnostics_;
    std::map<std::string, std::optional<std::string>> package_of_;
    std::map<std::string, Opened> opened_;  // by the root's folder
};

}  // namespace anml

// Packages: a folder with an `anml.toml`, which names the package and what it depends on, and the `anml.lock` beside
// it, which says what exactly was fetched of that. docs/packages.md describes both files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace anml {

inline constexpr std::string_view kManifestFile = "anml.toml", kLockFile = "anml.lock";
inline constexpr std::string_view kOwnFolder = ".anml";  // what `anmlc` writes for itself: fetched packages, pages

struct Dependency {
    enum class Kind : std::uint8_t { path, git, archive };
    Kind kind = Kind::path;
    std::string name;
    std::string where;  // path or address, as it is written
    std::string at;     // of git: "tag v1", "branch main", "rev 1234..."; "": what the address offers first
    std::uint32_t begin = 0, end = 0;              // bytes of the name in the manifest
    std::uint32_t value_begin = 0, value_end = 0;  // and of what it is set to
};

struct Manifest {
    std::string folder;  // as it was named, "" for the current one
    std::string text;    // of its anml.toml
    std::string name, version, license, description;
    std::uint32_t name_begin = 0, name_end = 0;  // bytes of the package's name
    std::vector<Dependency> dependencies;        // in the order of the text

    std::string path() const;  // of its anml.toml, for messages
};

std::string toml_string(std::string_view text);  // in quotes

std::string in_folder(const std::string& folder, std::string_view name);

// A word of letters, digits and `_` that `import` can name, and not `std`.
bool is_package_name(std::string_view name);

// The folder of the package that a file in `folder` belongs to: the nearest one upwards with an anml.toml, as it is
// reached from there. nullopt: it belongs to none.
std::optional<std::string> find_package(const std::string& folder);

// Nothing, and diagnostics at their places, where it cannot be read or is wrong.
std::optional<Manifest> read_manifest(const std::string& folder, Diagnostics& diagnostics);
// The same of a text that would stand there.
std::optional<Manifest> parse_manifest(const std::string& folder, std::string text, Diagnostics& diagnostics);

// The place of a dependency's name in its manifest.
Span place_of(const Manifest& manifest, const Dependency& dependency, Diagnostics& diagnostics);

// What was fetched.
struct Locked {
    std::string name, version;
    std::string source;  // source_key of the dependency
    std::string commit;  // of git
    std::string sha256;  // tree_hash of its folder
};
struct Lock {
    std::vector<Locked> packages;  // by name

    const Locked* find(std::string_view name) const;
};
// Of the package in the folder; empty where there is no anml.lock.
std::optional<Lock> read_lock(const std::string& folder, Diagnostics& diagnostics);
std::string lock_text(const Lock& lock);

// SHA-256 of a folder's files by their names, sizes and bytes, in hexadecimal; symbolic links count with their targets,
// times and permissions do not, and neither does what lies in the folder's own `.anml`. `problem` says why it cannot be
// told.
std::string tree_hash(const std::string& folder, std::string& problem);
std::string sha256(std::string_view bytes);  // in hexadecimal

}  // namespace anml

// Reads and writes anml.lock.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "package/manifest.h"
#include "package/toml_reader.h"

namespace anml {

const Locked* Lock::find(std::string_view name) const
{
    const auto found = std::find_if(packages.begin(), packages.end(), [&](const Locked& l) { return l.name == name; });
    return found == packages.end() ? nullptr : &*found;
}

std::optional<Lock> read_lock(const std::string& folder, Diagnostics& diagnostics)
{
    Lock lock;
    const std::string path = in_folder(folder, kLockFile);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return lock;
    std::string text;
    if (const std::string problem = read_text(path, kLargestToml, Readable::files, text); !problem.empty()) {
        diagnostics.report(Diag::invalid_lock, {}, fmt::format("cannot read `{}`: {}", path, problem));
        return std::nullopt;
    }
    TomlReader toml(path, text, Diag::invalid_lock, diagnostics);
    const auto table = toml.parse();
    if (!table) return std::nullopt;
    if ((*table)["version"].value_or<std::int64_t>(0) != 1) {
        toml.report({0, 0}, "this is no anml.lock of version 1").help("delete it and say `anmlc add`");
        return std::nullopt;
    }
    const toml::node* packages = table->get("package");
    const toml::array* list = packages ? packages->as_array() : nullptr;
    if (packages && !list) {
        toml.report(toml.place(*packages), "`package` is a list: write `[[package]]`");
        return std::nullopt;
    }
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        const toml::table* one = (*list)[i].as_table();
        if (!one) {
            toml.report(toml.place((*list)[i]), "`package` is a list of tables: write `[[package]]`");
            return std::nullopt;
        }
        Locked& locked = lock.packages.emplace_back();
        for (const auto& [key, node] : *one) {
            std::string* to = key.str() == "name"      ? &locked.name
                              : key.str() == "version" ? &locked.version
                              : key.str() == "source"  ? &locked.source
                              : key.str() == "commit"  ? &locked.commit
                              : key.str() == "sha256"  ? &locked.sha256
                                                       : nullptr;
            if (to)
                *to = toml.text(key, node);
            else
                toml.unknown(key, {"name", "version", "source", "commit", "sha256"}, "a locked package");
        }
        if (!is_package_name(locked.name) || locked.source.empty() || locked.sha256.size() != 64)
            toml.report(toml.place(*one), "a locked package has a name, a source and the SHA-256 of its files");
    }
    if (!toml.good()) return std::nullopt;
    return lock;
}

std::string lock_text(const Lock& lock)
{
    std::string out =
        "# What `anmlc add` fetched: builds use exactly this. Keep it under version control; it is not edited by "
        "hand.\n"
        "version = 1\n";
    for (const Locked& one : lock.packages) {
        out += fmt::format("\n[[package]]\nname = {}\nversion = {}\nsource = {}\n", toml_string(one.name),
                           toml_string(one.version), toml_string(one.source));
        if (!one.commit.empty()) out += fmt::format("commit = {}\n", toml_string(one.commit));
        out += fmt::format("sha256 = {}\n", toml_string(one.sha256));
    }
    return out;
}

}  // namespace anml

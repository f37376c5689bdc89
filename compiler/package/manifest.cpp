// Reads anml.toml.
#include "package/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/files/read_file.h"
#include "common/ascii.h"
#include "package/toml_reader.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kNameHelp =
    "a name is a word of small letters, digits and `_`, as imports have it: `metro_ring`";

bool is_version(std::string_view text)
{
    int parts = 0;
    std::size_t at = 0;
    for (; at < text.size() && is_digit(text[at]); ++parts) {
        while (at < text.size() && is_digit(text[at])) ++at;
        if (at == text.size() || text[at] != '.') return parts == 2 && at == text.size();
        if (parts == 2) return false;
        ++at;
    }
    return false;
}

class ManifestReader {
  public:
    ManifestReader(Manifest& out, Diagnostics& diagnostics)
        : out_(out), toml_(out.path(), out.text, Diag::invalid_manifest, diagnostics)
    {
    }

    bool read()
    {
        const auto table = toml_.parse();
        if (!table) return false;
        for (const auto& [key, node] : *table) {
            if (key.str() != "package" && key.str() != "dependencies")
                toml_.unknown(key, {"package", "dependencies"}, "anml.toml");
            else if (!node.is_table())
                toml_.report(toml_.place(key), fmt::format("`{0}` is a table: write `[{0}]` on a line", key.str()));
            else if (key.str() == "package")
                package(*node.as_table());
            else
                dependencies(*node.as_table());
        }
        if (!table->contains("package")) {
            toml_.report({0, 0}, "there is no `[package]`")
                .help("a package has at least:\n[package]\nname = \"metro\"\nversion = \"0.1.0\"");
        }
        std::sort(out_.dependencies.begin(), out_.dependencies.end(),
                  [](const Dependency& a, const Dependency& b) { return a.begin < b.begin; });
        return toml_.good();
    }

  private:
    void package(const toml::table& table)
    {
        for (const auto& [key, node] : table) {
            if (key.str() == "name") {
                out_.name = toml_.text(key, node);
                std::tie(out_.name_begin, out_.name_end) = toml_.place(node);
                if (out_.name == "std")
                    toml_.report(toml_.place(node), "`std` is the name of the standard library")
                        .help("give the package another name: `import std.ether` is the library's");
                else if (!out_.name.empty() && !is_package_name(out_.name))
                    toml_.report(toml_.place(node), fmt::format("`{}` is no name of a package", out_.name))
                        .help(std::string(kNameHelp));
            } else if (key.str() == "version") {
                out_.version = toml_.text(key, node);
                if (!out_.version.empty() && !is_version(out_.version))
                    toml_.report(toml_.place(node), fmt::format("`{}` is no version", out_.version))
                        .help("a version is three numbers: `0.1.0`");
            } else if (key.str() == "license") {
                out_.license = toml_.text(key, node);
            } else if (key.str() == "description") {
                out_.description = toml_.text(key, node);
            } else {
                toml_.unknown(key, {"name", "version", "license", "description"}, "`[package]`");
            }
        }
        for (const std::string_view needed : {"name", "version"})
            if (!table.contains(needed))
                toml_.report(toml_.place(table), fmt::format("the package has no `{}`", needed));
    }

    void dependencies(const toml::table& table)
    {
        for (const auto& [key, node] : table) {
            Dependency dependency;
            dependency.name = key.str();
            std::tie(dependency.begin, dependency.end) = toml_.place(key);
            std::tie(dependency.value_begin, dependency.value_end) = toml_.place(node);
            if (!is_package_name(dependency.name))
                toml_.report(toml_.place(key), fmt::format("`{}` is no name of a package", dependency.name))
                    .help(std::string(kNameHelp));
            else if (const toml::table* said = node.as_table())
                dependency_of(key, *said, std::move(dependency));
            else
                toml_.report(toml_.place(node), fmt::format("it is not said where `{}` comes from", dependency.name))
                    .help(fmt::format("write `{0} = {{ path = \"../{0}\" }}`, or `git = ...` or `archive = ...` in the "
                                      "braces",
                                      dependency.name));
        }
    }

    void dependency_of(const toml::key& name, const toml::table& said, Dependency dependency)
    {
        int places = 0;
        for (const auto& [key, node] : said) {
            const std::string_view word = key.str();
            const bool place = word == "path" || word == "git" || word == "archive";
            const bool at = word == "tag" || word == "branch" || word == "rev";
            if (!place && !at) {
                toml_.unknown(key, {"path", "git", "archive", "tag", "branch", "rev"}, "a dependency");
                continue;
            }
            std::string value = toml_.text(key, node);
            if (value.empty() && node.is_string()) toml_.report(toml_.place(node), fmt::format("`{}` is empty", word));
            if (value.starts_with('-'))
                toml_.report(toml_.place(node), fmt::format("`{}` begins with `-`, as options do", word));
            if (place) {
                ++places;
                dependency.kind = word == "path"  ? Dependency::Kind::path
                                  : word == "git" ? Dependency::Kind::git
                                                  : Dependency::Kind::archive;
                dependency.where = std::move(value);
            } else if (!dependency.at.empty()) {
                toml_.report(toml_.place(key), "one of `tag`, `branch` and `rev` is enough");
            } else {
                if (word == "rev" && !is_commit(value))
                    toml_.report(toml_.place(node), fmt::format("`{}` is no commit", value))
                        .help("a commit has 40 digits; `anmlc add ADDRESS#REV` writes them");
                dependency.at = fmt::format("{} {}", word, value);
            }
        }
        if (places != 1) {
            toml_
                .report(toml_.place(name), places == 0
                                               ? fmt::format("it is not said where `{}` comes from", dependency.name)
                                               : fmt::format("`{}` comes from one place only", dependency.name))
                .help("a dependency has one of `path`, `git` and `archive`");
        } else if (!dependency.at.empty() && dependency.kind != Dependency::Kind::git) {
            toml_.report(toml_.place(name), "`tag`, `branch` and `rev` go with `git`");
        } else {
            out_.dependencies.push_back(std::move(dependency));
        }
    }

    static bool is_commit(std::string_view text)
    {
        const auto hex = [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
        return text.size() == 40 && std::all_of(text.begin(), text.end(), hex);
    }

    Manifest& out_;
    TomlReader toml_;
};

}  // namespace

std::string toml_string(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string in_folder(const std::string& folder, std::string_view name)
{
    if (folder.empty() || folder == ".") return std::string(name);
    return folder.ends_with('/') ? fmt::format("{}{}", folder, name) : fmt::format("{}/{}", folder, name);
}

std::string Manifest::path() const { return in_folder(folder, kManifestFile); }

bool is_package_name(std::string_view name)
{
    const bool small = std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    return !name.empty() && name.size() <= 64 && begins_word(name.front()) && small &&
           std::all_of(name.begin(), name.end(), in_word) && name != "std";
}

std::optional<std::string> find_package(const std::string& folder)
{
    std::error_code error;
    if (fs::is_regular_file(in_folder(folder, kManifestFile), error)) return folder;
    // Upwards as far as the path says, and then as the file system has it.
    const fs::path whole = fs::weakly_canonical(folder.empty() ? "." : folder, error);
    if (error) return std::nullopt;
    std::string above = folder.empty() || folder == "." ? ".." : in_folder(folder, "..");
    for (fs::path at = whole; at.has_relative_path(); at = at.parent_path(), above += "/..") {
        if (!fs::is_regular_file(at.parent_path() / kManifestFile, error)) continue;
        const fs::path plain = fs::path(above).lexically_normal();
        const bool same = fs::equivalent(plain, at.parent_path(), error) && !error;
        std::string found = same ? plain.string() : at.parent_path().string();
        if (found.size() > 1 && found.ends_with('/')) found.pop_back();
        return found == "." ? "" : found;
    }
    return std::nullopt;
}

std::optional<Manifest> parse_manifest(const std::string& folder, std::string text, Diagnostics& diagnostics)
{
    Manifest out;
    out.folder = folder == "." ? "" : folder;
    out.text = std::move(text);
    if (!ManifestReader(out, diagnostics).read()) return std::nullopt;
    return out;
}

std::optional<Manifest> read_manifest(const std::string& folder, Diagnostics& diagnostics)
{
    const std::string path = in_folder(folder, kManifestFile);
    std::string text;
    std::string problem = read_text(path, kLargestToml, Readable::files, text);
    if (problem.empty() && text.size() > kLargestToml) problem = "it is larger than 4 MiB";
    if (!problem.empty()) {
        diagnostics.report(Diag::invalid_manifest, {}, fmt::format("cannot read `{}`: {}", path, problem));
        return std::nullopt;
    }
    return parse_manifest(folder, std::move(text), diagnostics);
}

Span place_of(const Manifest& manifest, const Dependency& dependency, Diagnostics& diagnostics)
{
    return diagnostics.quote(manifest.path(), manifest.text, dependency.begin, dependency.end);
}

}  // namespace anml

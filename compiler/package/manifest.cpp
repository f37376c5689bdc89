// Reads anml.toml and anml.lock, by toml++.
#include "package/manifest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/ascii.h"
#include "base/read_file.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestManifest = std::size_t{4} << 20;

// Bytes [first, second).
using Bytes = std::pair<std::uint32_t, std::uint32_t>;

// TOML's columns count code points.
std::uint32_t offset_of(std::string_view text, const toml::source_position& at)
{
    std::size_t line = 0;
    for (toml::source_index i = 1; i < at.line && line < text.size(); ++i)
        line = std::min(text.find('\n', line), text.size() - 1) + 1;
    std::size_t offset = line;
    for (toml::source_index column = 1; column < at.column && offset < text.size() && text[offset] != '\n'; ++column) {
        ++offset;
        while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80) ++offset;
    }
    return static_cast<std::uint32_t>(offset);
}

Bytes bytes_of(std::string_view text, const toml::source_region& region)
{
    const std::uint32_t begin = offset_of(text, region.begin);
    return {begin, std::max(offset_of(text, region.end), begin)};
}

// A file of TOML, with what is wrong in it.
class TomlReader {
  public:
    TomlReader(std::string path, std::string_view text, Diag diag, Diagnostics& diagnostics)
        : path_(std::move(path)), text_(text), diag_(diag), diagnostics_(diagnostics)
    {
    }

    std::optional<toml::table> parse()
    {
        toml::parse_result parsed = toml::parse(text_, std::string_view(path_));
        if (parsed) return std::move(parsed).table();
        const toml::parse_error& error = parsed.error();
        auto [begin, end] = bytes_of(text_, error.source());
        // A mistake at the end of a line is shown there, and not as the empty beginning of the next one.
        while (begin > 0 && begin >= text_.size()) --begin;
        if (begin > 0 && text_[begin] == '\n' && text_[begin - 1] != '\n') --begin;
        std::string what(error.description());
        if (!what.empty() && what[0] >= 'A' && what[0] <= 'Z') what[0] = static_cast<char>(what[0] - 'A' + 'a');
        while (what.ends_with('.')) what.pop_back();
        report({begin, std::max(begin + 1, std::min(end, begin + 1))}, fmt::format("this is no TOML: {}", what));
        return std::nullopt;
    }

    Diagnostics::Builder report(Bytes at, std::string message)
    {
        good_ = false;
        const auto size = static_cast<std::uint32_t>(text_.size());
        return diagnostics_.report(
            diag_, diagnostics_.quote(path_, std::string(text_), std::min(at.first, size), std::min(at.second, size)),
            std::move(message));
    }

    Bytes place(const toml::node& node) const { return bytes_of(text_, node.source()); }
    Bytes place(const toml::key& key) const { return bytes_of(text_, key.source()); }
    bool good() const { return good_; }

    // The string of a key; "" and a message where it is none.
    std::string text(const toml::key& key, const toml::node& node)
    {
        if (const auto* string = node.as_string()) {
            const auto has_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
            const std::string& value = string->get();
            if (std::none_of(value.begin(), value.end(), has_control)) return value;
            report(place(node), fmt::format("`{}` is no single line of text", key.str()));
            return "";
        }
        report(place(node), fmt::format("`{}` is a text in quotes", key.str()));
        return "";
    }

    void unknown(const toml::key& key, const std::vector<std::string_view>& known, std::string_view what)
    {
        auto report = this->report(place(key), fmt::format("{} has no `{}`", what, key.str()));
        if (const auto near = similar_name(key.str(), known); !near.empty())
            report.help(fmt::format("there is `{}`", near));
        else
            report.note(fmt::format("it has {}", fmt::join(known, ", ")));
    }

  private:
    std::string path_;
    std::string_view text_;
    Diag diag_;
    Diagnostics& diagnostics_;
    bool good_ = true;
};

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
                if (!out_.name.empty() && !is_package_name(out_.name))
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
            if (!table.contains(needed)) toml_.report(toml_.place(table), fmt::format("the package has no `{}`", needed));
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
            toml_.report(toml_.place(name), places == 0 ? fmt::format("it is not said where `{}` comes from",
                                                                      dependency.name)
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
    std::string problem = read_text(path, kLargestManifest, Readable::files, text);
    if (problem.empty() && text.size() > kLargestManifest) problem = "it is larger than 4 MiB";
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
    if (!fs::exists(path, error)) return lock;
    std::string text;
    if (const std::string problem = read_text(path, kLargestManifest, Readable::files, text); !problem.empty()) {
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
        "# What `anmlc add` fetched: builds use exactly this. Keep it under version control; it is not edited by hand.\n"
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

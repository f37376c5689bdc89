#include "package/add.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

#include "commandline/signal_hold.h"
#include "commandline/whole_file.h"
#include "package/edit_manifest.h"
#include "package/get.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kArchives[] = {".tar",    ".tar.gz", ".tgz",     ".tar.bz2", ".tbz2",
                                          ".tar.xz", ".txz",    ".tar.zst", ".zip"};

bool names_archive(std::string_view word)
{
    return std::any_of(std::begin(kArchives), std::end(kArchives), [&](auto suffix) { return word.ends_with(suffix); });
}

// What a word of the command line says, as far as that can be told by looking at it. `any` in `at`: a tag, a branch or
// a commit.
Dependency read_word(const std::string& word)
{
    Dependency out;
    std::error_code error;
    const std::size_t hash = word.find('#');
    const bool whole = fs::exists(word, error);
    out.where = whole ? word : word.substr(0, hash);
    if (!whole && hash != word.npos) out.at = "any " + word.substr(hash + 1);
    const bool package = is_local(out.where) && fs::is_regular_file(in_folder(out.where, kManifestFile), error);
    if (names_archive(out.where) && out.at.empty())
        out.kind = Dependency::Kind::archive;
    else if (!out.at.empty() || !is_local(out.where) || out.where.starts_with("file:"))
        out.kind = Dependency::Kind::git;
    else if (!package && (out.where.ends_with(".git") || fs::exists(in_folder(out.where, "HEAD"), error)))
        out.kind = Dependency::Kind::git;
    return out;
}

// The word that adds a dependency once more as it is; "": no word says that.
std::string word_of(const Manifest& by, const Dependency& dependency)
{
    std::string word = address_of(by, dependency);
    if (!dependency.at.empty())
        word += "#" + dependency.at.substr(dependency.at.find(' ') + 1);
    else if (dependency.kind == Dependency::Kind::git && read_word(word).kind == Dependency::Kind::path)
        word = in_folder(word, ".git");  // the folder alone would be used where it is
    const Dependency read = read_word(word);
    return read.kind == dependency.kind && read.at.empty() == dependency.at.empty() ? word : "";
}

// A path as it stands in the manifest: from the package's folder, unless it was given from the root.
std::string from_package(const std::string& root, const std::string& path)
{
    if (!is_local(path) || path.starts_with("file:") || fs::path(path).is_absolute()) return path;
    std::error_code error;
    const fs::path there = fs::weakly_canonical(path, error),
                   here = fs::weakly_canonical(root.empty() ? "." : root, error);
    std::string out = there.lexically_relative(here).string();
    while (out.size() > 1 && out.ends_with('/')) out.pop_back();
    return out;
}

class Adder {
  public:
    Adder(const AddRequest& request, std::vector<std::string>& done, Diagnostics& diagnostics)
        : request_(request), done_(done), diagnostics_(diagnostics)
    {
    }

    bool run()
    {
        auto manifest = read_manifest(request_.root, diagnostics_);
        if (!manifest) return false;
        // What is removed and replaced there is the package's own; a link may come along with one that was cloned.
        for (const std::string& own : {in_folder(request_.root, kOwnFolder), store_folder(request_.root)}) {
            std::error_code ignored;
            if (!fs::is_symlink(fs::symlink_status(own, ignored))) continue;
            diagnostics_.report(
                Diag::cannot_write_output, {},
                fmt::format("`{}` is a link: what is fetched is kept in the package's own folder", own));
            return false;
        }
        const std::string before = manifest->text;
        if (!request_.word.empty() && !add_word(*manifest)) return false;
        const auto lock = read_lock(request_.root, diagnostics_);
        if (!lock) return false;
        const Obtain obtain = [&](const Manifest& by, const Dependency& dependency, const std::string& folder) {
            return this->obtain(*lock, by, dependency, folder);
        };
        const auto packages = resolve_packages(request_.root, &*manifest, obtain, diagnostics_);
        return packages && keep(*manifest, before, *lock, *packages);
    }

  private:
    struct New {
        Locked locked;
        std::string folder;  // in the staging folder; "": it is where it belongs
    };

    bool fail(Span place, std::string message, const std::string& why)
    {
        auto report = diagnostics_.report(Diag::cannot_fetch, place, std::move(message));
        if (!why.empty()) report.note(why);
        return false;
    }

    std::string room()
    {
        const std::string folder = fmt::format("{}/{}", request_.staging, ++rooms_);
        std::error_code ignored;
        fs::create_directories(folder, ignored);
        return folder;
    }

    // Writes the word into the manifest; what is fetched for it is not fetched again.
    bool add_word(Manifest& manifest)
    {
        Dependency dependency = read_word(request_.word);
        std::string folder = dependency.where, problem;
        std::optional<Gotten> gotten;
        std::error_code error;
        if (dependency.where.starts_with('-')) return fail({}, fmt::format("`{}` is no address", request_.word), "");
        if (dependency.kind == Dependency::Kind::path) {
            if (!fs::exists(folder, error)) {
                diagnostics_.report(Diag::cannot_fetch, {}, fmt::format("there is no `{}`", folder))
                    .help(
                        "packages are added by where they are: a folder as `../metro`, an archive, or an address "
                        "of git with `#TAG` behind it");
                return false;
            }
        } else {
            gotten = dependency.kind == Dependency::Kind::git
                         ? get_git(dependency.where, dependency.at, room(), problem)
                         : get_archive(dependency.where, room(), problem);
            if (!gotten) return fail({}, fmt::format("cannot fetch `{}`", request_.word), problem);
            folder = gotten->folder;
            dependency.at = gotten->at;
        }
        if (!fs::is_regular_file(in_folder(folder, kManifestFile), error))
            return fail({}, fmt::format("`{}` is no package: it has no anml.toml", request_.word), "");
        const auto added = read_manifest(folder, diagnostics_);
        if (!added) return false;
        dependency.name = added->name;
        dependency.where = from_package(request_.root, dependency.where);
        if (added->name == manifest.name)
            return fail({}, fmt::format("`{}` is called as this package is, `{}`", request_.word, added->name), "");
        const auto text = with_dependency(manifest, dependency);
        if (!text)
            return fail({}, fmt::format("`{}` has its dependencies in a form that is not edited here", manifest.path()),
                        fmt::format("write into it: [dependencies] {}", dependency_line(dependency)));
        const std::string folder_of_manifest = manifest.folder;
        manifest = *parse_manifest(folder_of_manifest, *text, diagnostics_);
        done_.push_back(fmt::format("{} has {} {}", manifest.path(), dependency.name, added->version));
        if (gotten) given_[source_key(request_.root, manifest, dependency)] = std::move(*gotten);
        return true;
    }

    std::optional<std::string> obtain(const Lock& lock, const Manifest& by, const Dependency& dependency,
                                      const std::string& folder)
    {
        New made;
        made.locked.name = dependency.name;
        made.locked.source = source_key(request_.root, by, dependency);
        const Locked* before = lock.find(dependency.name);
        if (before && before->source != made.locked.source) before = nullptr;
        std::string problem;
        std::error_code error;
        const auto given = given_.find(made.locked.source);
        std::optional<Gotten> gotten;
        if (given != given_.end()) {  // asked for by name: it may be another one than before
            gotten = given->second;
            before = nullptr;
        } else if (before && fs::is_directory(folder, error) && tree_hash(folder, problem) == before->sha256) {
            made.locked = *before;
            new_.push_back(std::move(made));
            return folder;
        } else {
            const std::string address = address_of(by, dependency);
            const std::string at = before && !before->commit.empty() ? "rev " + before->commit : dependency.at;
            problem.clear();
            gotten = dependency.kind == Dependency::Kind::git ? get_git(address, at, room(), problem)
                                                              : get_archive(address, room(), problem);
            if (!gotten) {
                fail(place_of(by, dependency, diagnostics_), fmt::format("cannot fetch `{}`", dependency.name),
                     problem);
                return std::nullopt;
            }
        }
        made.folder = gotten->folder;
        // What `anmlc` has written where the package was made; it counts in no hash.
        if (const std::string own = in_folder(made.folder, kOwnFolder);
            fs::is_directory(fs::symlink_status(own, error)))
            fs::remove_all(own, error);
        made.locked.commit = gotten->commit;
        made.locked.sha256 = tree_hash(gotten->folder, problem);
        if (made.locked.sha256.empty()) {
            fail(place_of(by, dependency, diagnostics_), fmt::format("cannot fetch `{}`", dependency.name), problem);
            return std::nullopt;
        }
        if (before && made.locked.sha256 != before->sha256) {
            // The word is for this package's own dependencies: it would make others its own.
            const bool own = by.path() == in_folder(request_.root, kManifestFile);
            const std::string word = own ? word_of(by, dependency) : "";
            diagnostics_
                .report(Diag::changed_dependency, place_of(by, dependency, diagnostics_),
                        fmt::format("what stands at the address of `{}` is not what anml.lock says", dependency.name))
                .note(fmt::format("SHA-256 {}, and anml.lock has {}", made.locked.sha256, before->sha256))
                .help(!word.empty() ? fmt::format("if that is meant: `anmlc add {}`", word)
                                    : fmt::format("if that is meant, remove `{}` from anml.lock, and then `anmlc add`",
                                                  dependency.name));
            return std::nullopt;
        }
        new_.push_back(made);
        return made.folder;
    }

    // All is there: now it takes its place.
    bool keep(const Manifest& manifest, const std::string& before, const Lock& old, const PackageSet& packages)
    {
        const commandline::SignalHold hold;
        const std::string store = store_folder(request_.root);
        Lock lock;
        for (New& one : new_) {
            for (const PackageMember& member : packages.members)
                if (member.manifest.name == one.locked.name) one.locked.version = member.manifest.version;
            if (!one.folder.empty() && !put(one, store)) return false;
            lock.packages.push_back(one.locked);
        }
        std::sort(lock.packages.begin(), lock.packages.end(),
                  [](const auto& a, const auto& b) { return a.name < b.name; });
        for (const Locked& gone : old.packages)
            if (!lock.find(gone.name)) {
                std::error_code ignored;
                fs::remove_all(in_folder(store, gone.name), ignored);
                done_.push_back(fmt::format("nobody needs {} any more", gone.name));
            }
        const std::string path = in_folder(request_.root, kLockFile);
        std::error_code error;
        const bool needed = !lock.packages.empty() || fs::exists(path, error);
        if (needed && !write(path, lock_text(lock))) return false;
        return manifest.text == before || write(manifest.path(), manifest.text);
    }

    bool write(const std::string& path, const std::string& text)
    {
        if (commandline::write_whole(path, text)) return true;
        diagnostics_.report(Diag::cannot_write_output, {},
                            fmt::format("cannot write `{}`: {}", path, std::strerror(errno)));
        return false;
    }

    bool put(const New& one, const std::string& store)
    {
        std::error_code error;
        const std::string to = in_folder(store, one.locked.name);
        fs::create_directories(store, error);
        const std::string ignored = in_folder(request_.root, ".anml/.gitignore");
        if (!fs::exists(ignored, error) && !write(ignored, "*\n")) return false;
        fs::remove_all(to, error);
        fs::rename(one.folder, to, error);
        if (error) {  // on another file system
            error.clear();
            fs::copy(one.folder, to, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
        }
        if (error) {
            diagnostics_.report(Diag::cannot_write_output, {},
                                fmt::format("cannot write `{}`: {}", to, error.message()));
            return false;
        }
        done_.push_back(fmt::format("fetched {} {}{}{}", one.locked.name, one.locked.version,
                                    one.locked.commit.empty() ? "" : " at ", one.locked.commit.substr(0, 12)));
        return true;
    }

    const AddRequest& request_;
    std::vector<std::string>& done_;
    Diagnostics& diagnostics_;
    std::map<std::string, Gotten> given_;  // by source
    std::vector<New> new_;
    int rooms_ = 0;
};

}  // namespace

bool add_packages(const AddRequest& request, std::vector<std::string>& done, Diagnostics& diagnostics)
{
    return Adder(request, done, diagnostics).run();
}

}  // namespace anml

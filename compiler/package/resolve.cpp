#include "package/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPackages = 1000;
constexpr std::string_view kFetch = "`anmlc add` in the package's folder fetches what anml.toml names";

std::string whole(const std::string& path)
{
    std::error_code error;
    const fs::path known = fs::weakly_canonical(path.empty() ? "." : path, error);
    std::string text = error ? path : known.string();
    if (text.size() > 1 && text.ends_with('/')) text.pop_back();
    return text;
}

bool lies_in(const std::string& path, const std::string& folder)
{
    const std::string inner = whole(path), outer = whole(folder);
    return inner == outer || inner.starts_with(outer + "/");
}

class Resolver {
  public:
    Resolver(const std::string& root, const Obtain& obtain, Diagnostics& diagnostics)
        : root_(root), obtain_(obtain), diagnostics_(diagnostics)
    {
    }

    std::optional<PackageSet> run(const Manifest* given)
    {
        auto manifest = given ? std::optional(*given) : read_manifest(root_, diagnostics_);
        if (!manifest) return std::nullopt;
        known_[manifest->name] = {};
        set_.members.push_back({std::move(*manifest), false, {}});
        if (!needs_of(0)) return std::nullopt;
        return std::move(set_);
    }

  private:
    struct Known {
        std::size_t member = 0;
        std::string source;
        std::size_t by = 0, number = 0;  // who named it first, and which of its dependencies that is
    };

    // A text is quoted only where something is said of it.
    Span place(const Manifest& manifest, const Dependency& dependency)
    {
        return place_of(manifest, dependency, diagnostics_);
    }

    // All of them are looked at, so that one run says everything that is missing.
    bool needs_of(std::size_t member)
    {
        const Manifest manifest = set_.members[member].manifest;  // the list grows meanwhile
        way_.push_back(member);
        bool good = true;
        for (const Dependency& dependency : manifest.dependencies) {
            const std::string source = source_key(root_, manifest, dependency);
            if (const auto failed = failed_.find(dependency.name);
                failed != failed_.end() && failed->second.source == source)
            {
                diagnostics_.amend(failed->second.said)
                    .also(place(manifest, dependency), fmt::format("`{}` needs it, too", manifest.name));
                good = false;
                continue;
            }
            const std::size_t before = diagnostics_.list().size();
            const auto needed = need(member, manifest, dependency);
            if (!needed && !known_.contains(dependency.name) && diagnostics_.list().size() > before)
                failed_[dependency.name] = {source, before};
            if (needed)
                set_.members[member].needs.push_back(*needed);
            else
                good = false;
        }
        way_.pop_back();
        return good;
    }

    std::optional<std::size_t> need(std::size_t by, const Manifest& manifest, const Dependency& dependency)
    {
        const auto here = [&] { return place(manifest, dependency); };
        const std::string source = source_key(root_, manifest, dependency);
        if (const auto found = known_.find(dependency.name); found != known_.end()) {
            const Known& known = found->second;
            if (std::find(way_.begin(), way_.end(), known.member) != way_.end()) return cycle(known.member, here());
            if (known.source == source) return known.member;
            const Manifest& first = set_.members[known.by].manifest;
            diagnostics_
                .report(Diag::dependency_conflict, here(), fmt::format("`{}` comes from two places", dependency.name))
                .label(source)
                .also(place(first, first.dependencies[known.number]), known.source)
                .help("a name means one package in a build: let both say the same place and version");
            return std::nullopt;
        }
        if (set_.members.size() >= kMostPackages) {
            diagnostics_.report(Diag::dependency_conflict, here(),
                                fmt::format("there are more than {} packages", kMostPackages));
            return std::nullopt;
        }
        const bool local = dependency.kind == Dependency::Kind::path;
        const bool fetched = set_.members[by].fetched;
        if (fetched && !stays_inside(by, manifest, dependency)) return std::nullopt;
        std::string folder = local ? address_of(manifest, dependency) : in_folder(store_folder(root_), dependency.name);
        std::error_code error;
        if (local && !fs::is_regular_file(in_folder(folder, kManifestFile), error)) {
            diagnostics_
                .report(Diag::invalid_manifest, here(), fmt::format("`{}` is no package: it has no anml.toml", folder))
                .help("`anmlc new` makes a package");
            return std::nullopt;
        }
        if (!local) {
            auto obtained = obtain_(manifest, dependency, folder);
            if (!obtained) return std::nullopt;
            folder = std::move(*obtained);
        }
        auto read = read_manifest(folder, diagnostics_);
        if (!read) return std::nullopt;
        if (read->name != dependency.name) {
            diagnostics_
                .report(Diag::invalid_manifest, here(),
                        fmt::format("the package there is called `{}`, not `{}`", read->name, dependency.name))
                .also(diagnostics_.quote(read->path(), read->text, read->name_begin, read->name_end), "here")
                .help(fmt::format("write `{} = ...`", read->name));
            return std::nullopt;
        }
        const std::size_t member = set_.members.size();
        known_[dependency.name] = {member, source, by,
                                   static_cast<std::size_t>(&dependency - manifest.dependencies.data())};
        set_.members.push_back({std::move(*read), fetched || !local, {}});
        if (!needs_of(member)) return std::nullopt;
        return member;
    }

    // What was fetched names nothing of this machine but what came with it.
    bool stays_inside(std::size_t by, const Manifest& manifest, const Dependency& dependency)
    {
        if (dependency.kind != Dependency::Kind::path && !is_local(dependency.where)) return true;
        std::size_t outer = by;  // what was fetched itself, and brought this one along
        for (const std::size_t member : way_)
            if (set_.members[member].fetched) {
                outer = member;
                break;
            }
        if (dependency.kind == Dependency::Kind::path &&
            lies_in(address_of(manifest, dependency), set_.members[outer].manifest.folder))
            return true;
        diagnostics_
            .report(Diag::invalid_manifest, place(manifest, dependency),
                    fmt::format("`{}` was fetched, and may not name a place on this machine", manifest.name))
            .label(dependency.where);
        return false;
    }

    std::optional<std::size_t> cycle(std::size_t first, Span place)
    {
        std::string names;
        for (std::size_t i = 0, begun = 0; i < way_.size(); ++i) {
            if (way_[i] == first) begun = 1;
            if (begun) names += fmt::format("`{}` needs ", set_.members[way_[i]].manifest.name);
        }
        diagnostics_.report(
            Diag::dependency_cycle, place,
            fmt::format("packages need each other in a circle: {}`{}`", names, set_.members[first].manifest.name));
        return std::nullopt;
    }

    std::string root_;
    const Obtain& obtain_;
    Diagnostics& diagnostics_;
    PackageSet set_;
    std::map<std::string, Known> known_;
    struct Failed {
        std::string source;
        std::size_t said = 0;  // of the diagnostics
    };
    std::map<std::string, Failed> failed_;  // those that are not there, or not as they should be
    std::vector<std::size_t> way_;          // members from the root to the one that is looked at
};

}  // namespace

const PackageMember* PackageSet::in(const std::string& folder) const
{
    const std::string wanted = whole(folder);
    for (const PackageMember& member : members)
        if (whole(member.manifest.folder) == wanted) return &member;
    return nullptr;
}

std::string store_folder(const std::string& root) { return in_folder(root, ".anml/deps"); }

std::optional<std::string> fetched_for(const std::string& folder)
{
    const std::string path = whole(folder);
    const std::size_t at = path.find("/.anml/deps/");
    if (at == path.npos) return std::nullopt;
    return at == 0 ? "/" : path.substr(0, at);
}

bool is_local(std::string_view address)
{
    if (address.starts_with("file:")) return true;
    if (address.find("://") != address.npos) return false;
    // As git has it: `host:path` is another machine, if no slash stands before the colon.
    const std::size_t colon = address.find(':'), slash = address.find('/');
    return colon == address.npos || slash < colon;
}

std::string address_of(const Manifest& manifest, const Dependency& dependency)
{
    if (dependency.kind != Dependency::Kind::path &&
        (!is_local(dependency.where) || dependency.where.starts_with("file:")))
        return dependency.where;
    const fs::path path(dependency.where);
    if (path.is_absolute()) return dependency.where;
    std::string plain = (fs::path(manifest.folder) / path).lexically_normal().string();
    if (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
    return plain;
}

std::string source_key(const std::string& root, const Manifest& manifest, const Dependency& dependency)
{
    std::string where = address_of(manifest, dependency);
    const bool written = fs::path(dependency.where).is_absolute() || dependency.where.starts_with("file:");
    if (dependency.kind == Dependency::Kind::path)
        where = fs::path(whole(where)).lexically_relative(whole(root)).string();
    else if (is_local(dependency.where) && !written)
        where = fs::path(whole(where)).lexically_relative(whole(root)).string();
    constexpr std::string_view kKinds[] = {"path", "git", "archive"};
    return fmt::format("{} {}{}{}", kKinds[static_cast<std::size_t>(dependency.kind)], where,
                       dependency.at.empty() ? "" : " ", dependency.at);
}

std::optional<PackageSet> resolve_packages(const std::string& root, const Manifest* manifest, const Obtain& obtain,
                                           Diagnostics& diagnostics)
{
    return Resolver(root, obtain, diagnostics).run(manifest);
}

std::optional<PackageSet> present_packages(const std::string& root, Diagnostics& diagnostics)
{
    std::optional<Lock> lock;
    bool read = false;
    const auto present = [&](const Manifest& by, const Dependency& dependency,
                             const std::string& folder) -> std::optional<std::string> {
        if (!read) lock = read_lock(root, diagnostics), read = true;
        if (!lock) return std::nullopt;
        const auto fail = [&](Diag diag, std::string message) {
            diagnostics.report(diag, place_of(by, dependency, diagnostics), std::move(message))
                .label(fmt::format("`{}` needs it", by.name))
                .help(std::string(kFetch));
            return std::nullopt;
        };
        const Locked* locked = lock->find(dependency.name);
        if (!locked) return fail(Diag::missing_dependency, fmt::format("`{}` has not been fetched", dependency.name));
        if (locked->source != source_key(root, by, dependency))
            return fail(Diag::missing_dependency,
                        fmt::format("`{}` was fetched from another place: {}", dependency.name, locked->source));
        std::error_code error;
        if (!fs::is_directory(folder, error))
            return fail(Diag::missing_dependency,
                        fmt::format("`{}` is not here: there is no `{}`", dependency.name, folder));
        std::string problem;
        const std::string hash = tree_hash(folder, problem);
        if (!problem.empty())
            return fail(Diag::changed_dependency, fmt::format("cannot read `{}`: {}", dependency.name, problem));
        if (hash != locked->sha256)
            return fail(
                Diag::changed_dependency,
                fmt::format("`{}` was changed since it was fetched: its files are not those of anml.lock", folder));
        return folder;
    };
    return resolve_packages(root, nullptr, present, diagnostics);
}

}  // namespace anml

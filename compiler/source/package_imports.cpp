#include "source/package_imports.h"

#include <algorithm>

namespace anml {

namespace {

// `metro.rings.inner` below `src`: "src/rings/inner".
std::string below(const std::string& source, std::string_view module)
{
    std::string path(module);
    std::replace(path.begin(), path.end(), '.', '/');
    return in_folder(source, path);
}

// What `metro` and `metro.rings` mean where `metro` is the package in the folder.
void add_named(const Manifest& package, std::string_view module, std::vector<PackageImports::Place>& places)
{
    const std::string source = in_folder(package.folder, "src");
    const std::size_t dot = module.find('.');
    if (dot != module.npos)
        places.push_back({below(source, module.substr(dot + 1)), std::string(module)});
    else
        places.insert(places.end(), {{below(source, module), std::string(module)}, {source, std::string(module)}});
}

}  // namespace

std::optional<std::string> PackageImports::package_of(const std::string& folder)
{
    const auto known = package_of_.find(folder);
    if (known != package_of_.end()) return known->second;
    return package_of_[folder] = find_package(folder);
}

const PackageImports::Opened& PackageImports::open(const std::string& root)
{
    if (const auto known = opened_.find(root); known != opened_.end()) return known->second;
    Opened& opened = opened_[root];
    opened.packages = present_packages(root, diagnostics_);
    if (!opened.packages) return opened;
    for (const PackageMember& member : opened.packages->members)
        sources_.package_files.push_back(member.manifest.path());
    const auto& members = opened.packages->members;
    if (std::any_of(members.begin(), members.end(), [](const PackageMember& m) { return m.fetched; }))
        sources_.package_files.push_back(in_folder(root, kLockFile));
    return opened;
}

std::optional<std::vector<const Manifest*>> PackageImports::reached(const std::string& package)
{
    // A package that needs others has them in the package that is built, which is that of the main file.
    const std::string& main = sources_.file(sources_.main).path;
    const std::size_t slash = main.rfind('/');
    const auto main_package = package_of(slash == main.npos ? "" : main.substr(0, std::max<std::size_t>(slash, 1)));
    std::string root = main_package.value_or(package);
    if (const auto outer = fetched_for(root)) root = *outer;
    const PackageMember* self = nullptr;
    const Opened* opened = &open(root);
    if (opened->packages) self = opened->packages->in(package);
    if (opened->packages && !self) {  // it is reached by -I, or lies beside
        opened = &open(package);
        if (opened->packages) self = opened->packages->in(package);
    }
    if (!self) return std::nullopt;
    std::vector<const Manifest*> all{&self->manifest};
    for (const std::size_t needed : self->needs) all.push_back(&opened->packages->members[needed].manifest);
    return all;
}

PackageImports::Found PackageImports::places(const std::string& folder, const std::string& module)
{
    Found found;
    const auto package = package_of(folder);
    if (!package) return found;
    const auto all = reached(*package);
    if (!all) {
        // Where the package itself cannot be read nobody knows what the name means.
        found.said = true;
        return found;
    }
    found.places.push_back({below(in_folder(all->front()->folder, "src"), module), module});
    const std::string_view first = std::string_view(module).substr(0, module.find('.'));
    for (const Manifest* named : *all)
        if (first == named->name) add_named(*named, module, found.places);
    return found;
}

std::vector<PackageImports::Source> PackageImports::sources_of(const std::string& folder)
{
    std::vector<Source> found;
    const auto package = package_of(folder);
    const auto all = package ? reached(*package) : std::nullopt;
    if (!all) return found;
    found.push_back({"", in_folder(all->front()->folder, "src")});
    for (const Manifest* named : *all) found.push_back({named->name, in_folder(named->folder, "src")});
    return found;
}

}  // namespace anml

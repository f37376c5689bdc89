// Finds modules as imports do.
#include "driver/doc/documented.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "driver/input_files.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

// The files of a module of the standard library; all of them for "std".
std::vector<Documented> library(std::string_view name)
{
    std::vector<Documented> found;
    for (const EmbeddedModule& module : embedded_modules()) {
        if (name != "std" && module.module != name) continue;
        if (found.empty() || found.back().module != module.module)
            found.push_back({std::string(module.module), {}, "", "", ""});
        found.back().library.push_back(&module);
    }
    return found;
}

// Every file in a folder and below it: `sites/lan.anml` is `sites.lan`.
std::vector<Documented> files_in(const std::string& folder, const std::string& module, Diagnostics& diagnostics)
{
    std::vector<Documented> found;
    for (InputFile& file : input_files({folder}, diagnostics)) {
        std::string name = module;
        const fs::path below = fs::path(file.path).lexically_relative(fs::path(folder) / "").replace_extension("");
        for (const fs::path& part : below) name += (name.empty() ? "" : ".") + part.string();
        found.push_back({std::move(name), {}, std::move(file.path), std::move(file.folder), ""});
    }
    return found;
}

// Of a folder that is named as such: "" for `.`, whose files are imported by their names alone.
std::string module_of(const fs::path& folder)
{
    fs::path plain = (folder / "").lexically_normal().parent_path();
    const std::string name = plain.filename().string();
    return name == "." || name == ".." ? "" : name;
}

// Of a dotted name.
std::vector<Documented> dotted(const SourceOptions& options, const std::string& name, Diagnostics& diagnostics)
{
    if (auto found = library(name); !found.empty()) return found;
    std::string relative = name;
    std::replace(relative.begin(), relative.end(), '.', '/');
    std::vector<std::string> folders{""};
    folders.insert(folders.end(), options.include_dirs.begin(), options.include_dirs.end());
    for (const std::string& folder : folders) {
        const std::string path = folder.empty() ? relative : fmt::format("{}/{}", folder, relative);
        std::error_code ignored;
        if (fs::exists(path + ".anml", ignored)) return {{name, {}, path + ".anml", folder.empty() ? "." : folder, ""}};
        if (fs::is_directory(path, ignored)) return files_in(path, name, diagnostics);
    }
    return {};
}

void report_unknown(const std::string& name, Diagnostics& diagnostics)
{
    auto report = diagnostics.report(Diag::unknown_import, {}, fmt::format("there is no module `{}`", name));
    std::vector<std::string_view> known{"std"};
    for (const EmbeddedModule& module : embedded_modules())
        if (known.back() != module.module) known.push_back(module.module);
    std::string_view near = similar_name(name, known);
    for (const std::string_view module : known)  // `std.webserver`
        if (near.empty() && module.find('.') != module.npos && name.starts_with(module)) near = module;
    if (!near.empty())
        report.help(fmt::format("there is `{}`", near));
    else
        report.note(fmt::format("the standard library has {}", fmt::join(known, ", ")));
}

}  // namespace

std::vector<Documented> documented(const SourceOptions& options, const std::string& word, Diagnostics& diagnostics)
{
    std::error_code ignored;
    const bool is_path = word == "-" || word.find('/') != word.npos || word.ends_with(".anml") || word.starts_with('.');
    if (is_path && !fs::is_directory(word, ignored)) return {{word, {}, word, "", ""}};
    if (is_path) return files_in(word, module_of(word), diagnostics);
    const std::size_t before = diagnostics.errors();
    auto found = dotted(options, word, diagnostics);
    const std::size_t dot = word.rfind('.');
    if (found.empty() && diagnostics.errors() == before && dot != word.npos) {
        found = dotted(options, word.substr(0, dot), diagnostics);
        if (word.substr(0, dot) == "std") found.clear();  // it has modules, no declarations
        for (Documented& one : found) one.declaration = word.substr(dot + 1);
    }
    if (found.empty() && diagnostics.errors() == before) report_unknown(word, diagnostics);
    return found;
}

SourceOptions with_folders(const SourceOptions& options, const Documented& module)
{
    SourceOptions out = options;
    out.input = module.path;
    if (module.folder.empty()) return out;
    // Modules are named from there, or from beside it.
    out.include_dirs.push_back(module.folder);
    out.include_dirs.push_back((fs::path(module.folder) / "").parent_path().parent_path().string());
    return out;
}

void report_undeclared(const std::string& module, const std::string& name, const std::vector<std::string>& known,
                       Diagnostics& diagnostics)
{
    auto report =
        diagnostics.report(Diag::unknown_name, {}, fmt::format("the module `{}` declares no `{}`", module, name));
    const std::vector<std::string_view> names(known.begin(), known.end());
    if (std::string_view near = similar_name(name, names); !near.empty())
        report.help(fmt::format("it declares `{}`", near));
    else if (!known.empty())
        report.note(fmt::format("it declares {}", fmt::join(known, ", ")));
}

}  // namespace anml

// Reads the main file and the closure of its imports.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/files/read_file.h"
#include "base/foreign_words.h"
#include "common/utf8.h"
#include "source/embedded_modules.h"
#include "source/imports.h"
#include "source/package_imports.h"
#include "source/source_set.h"
#include "source/unsaved_texts.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 0xfffffff0u;  // offsets are 32 bits wide

// Length of the valid UTF-8 sequence at the text's start, 0 if there is none (overlong forms and surrogates included).
std::size_t utf8_length(std::string_view text)
{
    auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
    auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
    unsigned first = byte(0), second = byte(1);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        bool ok = tail(1) && tail(2) && !(first == 0xE0 && second < 0xA0) && !(first == 0xED && second >= 0xA0);
        return ok ? 3 : 0;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        bool ok =
            tail(1) && tail(2) && tail(3) && !(first == 0xF0 && second < 0x90) && !(first == 0xF4 && second >= 0x90);
        return ok ? 4 : 0;
    }
    return 0;
}

class Loader {
  public:
    Loader(const SourceOptions& options, SourceSet& sources, Diagnostics& diagnostics,
           const UnsavedTexts* unsaved = nullptr)
        : options_(options),
          sources_(sources),
          diagnostics_(diagnostics),
          unsaved_(unsaved),
          packages_(sources, diagnostics)
    {
    }

    void run()
    {
        load_main();
        load_closure();
    }

    void run(std::string text)
    {
        folder_ = fs::path(options_.input).parent_path();
        note(options_.input, add(options_.input, std::move(text), ""));
        load_closure();
    }

    void load_closure()
    {
        if (!sources_.files.empty()) {
            load_embedded("std.prelude");
            for (; next_ < sources_.files.size(); ++next_) load_imports(FileId(next_));
        }
    }

    void load_main()
    {
        const bool standard_input = options_.input == "-";
        if (!standard_input) folder_ = fs::path(options_.input).parent_path();
        const auto file = load(options_.input, standard_input ? "<stdin>" : options_.input, "", Readable::anything, {});
        if (file && !standard_input) note(options_.input, *file);
    }

  private:
    using Place = PackageImports::Place;

    // What was looked at for a module.
    struct Search {
        std::vector<std::string> tried;
        std::string itself;            // the file that imports, where the name leads to it: there may be another one
        std::string empty;             // a folder of that name without .anml files, "": none
        std::optional<Import> import;  // nothing: it is not there, or cannot be read
    };

    void load_imports(FileId id)
    {
        for (const ImportLine& line : scan_imports(sources_.file(id).text)) {
            const auto& known = sources_.file(id).imports;
            const auto same = [&](const Import& import) { return import.name == line.module; };
            if (std::any_of(known.begin(), known.end(), same)) continue;
            if (auto import = load_module(id, line))
                sources_.files[id.value].imports.push_back(std::move(*import));
            else
                sources_.files[id.value].missing.push_back(line.module);
        }
    }

    std::optional<Import> load_module(FileId importer, const ImportLine& line)
    {
        const std::string& module = line.module;
        const Span from{importer, line.begin, line.end};
        if (module == "std" || module.starts_with("std.")) {
            if (const auto file = load_embedded(module)) return Import{module, *file, 0};
            if (unknown_.insert(module).second) report_unknown(module, from, {}, "", false);
            return std::nullopt;
        }
        Search search;
        const SourceFile& file = sources_.file(importer);
        const std::string path = file.path;
        const std::string folder = path.starts_with("<") ? folder_.string() : fs::path(path).parent_path().string();
        const auto package = packages_.package_of(folder), main = packages_.package_of(folder_.string());
        const bool own = !package || !main || key(*package) == key(*main);  // else it has its own dependencies only
        std::vector<Place> beside;
        if (!path.starts_with("<"))
            beside.push_back(place(folder, file.module.substr(0, file.module.rfind('.') + 1), module));
        if (own) beside.push_back(place(folder_, "", module));
        if (look(importer, module, beside, from, search)) return search.import;
        const PackageImports::Found found = packages_.places(folder, module);
        if (found.said || look(importer, module, found.places, from, search)) return search.import;
        std::vector<Place> named;
        if (own)
            for (const std::string& include : options_.include_dirs) named.push_back(place(include, "", module));
        if (look(importer, module, named, from, search)) return search.import;
        if (!search.empty.empty()) {
            if (unknown_.insert(search.empty).second)
                diagnostics_.report(Diag::unknown_import, from,
                                    fmt::format("the folder `{}` has no .anml file", search.empty));
            return std::nullopt;
        }
        if (unknown_.insert(fmt::format("{}", fmt::join(search.tried, "\n"))).second)
            report_unknown(module, from, search.tried, search.itself, package.has_value());
        return std::nullopt;
    }

    // `a.b` in a folder; `prefix` stands before the names of those that are there.
    static Place place(const fs::path& folder, std::string_view prefix, const std::string& module)
    {
        fs::path relative;
        for (std::size_t begin = 0, dot; begin <= module.size(); begin = dot + 1) {
            dot = std::min(module.find('.', begin), module.size());
            relative /= module.substr(begin, dot - begin);
        }
        return {(folder / relative).string(), fmt::format("{}{}", prefix, module)};
    }

    // The first that is there; each place is looked at once.
    bool look(FileId importer, const std::string& module, const std::vector<Place>& places, Span from, Search& search)
    {
        for (const Place& place : places) {
            const std::string path = place.base + ".anml";
            if (std::any_of(search.tried.begin(), search.tried.end(),
                            [&](const std::string& tried) { return key(tried) == key(path); }))
                continue;
            std::error_code ignored;
            if (fs::exists(path, ignored) || unsaved(path)) {
                if (!fs::equivalent(path, sources_.file(importer).path, ignored)) {
                    const auto file = load_once(path, place.name, from);
                    if (file) search.import = Import{module, *file, 0};
                    return true;
                }
                search.itself = path;  // nobody imports that
            }
            if (fs::is_directory(place.base, ignored) && modules_in(place.base).empty()) {
                if (search.empty.empty()) search.empty = place.base;  // another one may be meant
            } else if (fs::is_directory(place.base, ignored)) {
                search.import = Import{module, {}, load_folder(place.base, place.name, from)};
                return true;
            }
            if (path != search.itself) search.tried.push_back(path);
        }
        return false;
    }

    std::optional<FileId> load_embedded(const std::string& module)
    {
        if (const auto known = embedded_.find(module); known != embedded_.end()) return known->second;
        for (const EmbeddedModule& embedded : embedded_modules()) {
            if (embedded.module != module) continue;
            std::string_view path = embedded.path;
            if (path.starts_with("std/")) path.remove_prefix(4);
            const FileId file = add(fmt::format("<std>/{}", path), std::string(embedded.text), module);
            return embedded_.emplace(module, file).first->second;
        }
        return std::nullopt;
    }

    static std::string key(const fs::path& path) { return path_key(path.string()); }

    const std::string* unsaved(const std::string& path) const
    {
        if (!unsaved_) return nullptr;
        const auto found = unsaved_->find(key(path));
        return found == unsaved_->end() ? nullptr : &found->second;
    }

    void note(const fs::path& path, FileId file) { loaded_[key(path)] = file; }

    std::optional<FileId> load_once(const std::string& path, const std::string& module, Span from)
    {
        if (const auto known = loaded_.find(key(path)); known != loaded_.end()) return known->second;
        const auto file = load(path, path, module, Readable::files, from);
        loaded_[key(path)] = file;  // nothing: said already
        return file;
    }

    // By name.
    static std::vector<fs::path> modules_in(const fs::path& folder)
    {
        std::vector<fs::path> paths;
        std::error_code code;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
            if (entry.path().extension() == ".anml") paths.push_back(entry.path());
        std::sort(paths.begin(), paths.end());
        return paths;
    }

    // Every file in the folder, by name; there is one.
    std::size_t load_folder(const fs::path& folder, const std::string& module, Span from)
    {
        if (const auto known = folders_.find(key(folder)); known != folders_.end()) return known->second;
        const std::vector<fs::path> paths = modules_in(folder);
        SourceFolder made{module, {}};
        for (const fs::path& path : paths)
            if (const auto file = load_once(path.string(), fmt::format("{}.{}", module, path.stem().string()), from))
                made.files.push_back(*file);
        sources_.folders.push_back(std::move(made));
        return folders_[key(folder)] = sources_.folders.size() - 1;
    }

    // `itself`: the file that imports, where the name leads to it.
    void report_unknown(const std::string& module, Span from, const std::vector<std::string>& tried,
                        const std::string& itself, bool in_package)
    {
        auto report = diagnostics_.report(Diag::unknown_import, from, fmt::format("there is no module `{}`", module));
        std::vector<std::string_view> known;
        for (const EmbeddedModule& embedded : embedded_modules()) known.push_back(embedded.module);
        if (std::find(known.begin(), known.end(), "std." + module) != known.end()) {
            report.help(fmt::format("the standard library has `std.{}`", module)).fix(from, "std." + module);
        } else if (const auto ours = foreign_module(module.substr(module.rfind('.') + 1));
                   !ours.empty() && (module.starts_with("std.") || module.find('.') == module.npos))
        {
            report.help(fmt::format("the standard library has `std.{}`", ours)).fix(from, fmt::format("std.{}", ours));
        } else if (module.ends_with(".anml")) {
            const std::string alone = module.substr(0, module.size() - 5);
            report.help(fmt::format("a module is named without the suffix of its file: `{}`", alone)).fix(from, alone);
        } else if (std::string_view similar = similar_name(module, known); !similar.empty()) {
            report.help(fmt::format("a module with a similar name exists: `{}`", similar))
                .fix(from, std::string(similar));
        } else if (tried.empty() && itself.empty()) {
            report.note(fmt::format("the standard library has {}", fmt::join(known, ", ")));
        }
        if (in_package) report.help("if it is of another package, `anmlc add` has this one use it");
        if (!itself.empty())
            report.note(fmt::format("`{}` is this file, which knows its own declarations without an import", itself));
        if (!tried.empty()) {
            report.note(
                fmt::format("looked for {}, and for folders of these names without .anml", fmt::join(tried, ", ")));
        }
    }

    std::optional<FileId> load(const std::string& path, const std::string& shown, const std::string& module,
                               Readable readable, Span from)
    {
        if (const std::string* open = unsaved(path)) return add(shown, *open, module);
        std::string text;
        if (const std::string problem = read_text(path, kLargestFile, readable, text); !problem.empty()) {
            diagnostics_.report(Diag::file_not_found, from, fmt::format("cannot read `{}`: {}", shown, problem));
            return std::nullopt;
        }
        return add(shown, std::move(text), module);
    }

    FileId add(std::string path, std::string text, std::string module)
    {
        if (text.size() > kLargestFile) {
            diagnostics_.report(Diag::file_not_found, {}, fmt::format("`{}` is larger than 4 GiB", path));
            text.clear();
        }
        const std::size_t begin = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
        text.erase(0, begin);
        FileId id = sources_.add(std::move(path), std::move(text), std::move(module));
        sources_.files[id.value].text_begin = static_cast<std::uint32_t>(begin);
        sources_.files[id.value].generator_lines = scan_generator_lines(sources_.file(id).text);
        check_bytes(id);
        return id;
    }

    // The first byte of a file that is no text; later ones have the same cause.
    void check_bytes(FileId id)
    {
        std::string_view text = sources_.file(id).text;
        if (sources_.file(id).ascii && text.find('\0') == text.npos) return;
        for (std::size_t i = 0; i < text.size();) {
            std::size_t length = utf8_length(text.substr(i));
            if (length == 0 || text[i] == '\0') {
                unsigned byte = static_cast<unsigned char>(text[i]);
                Span span{id, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1)};
                auto report =
                    diagnostics_.report(Diag::not_text, span,
                                        byte == 0 ? "the file contains a NUL byte"
                                                  : fmt::format("byte 0x{:02X} is not valid UTF-8 here", byte));
                report.help(byte == 0 ? "source files are UTF-8 text; is this the right file?"
                                      : "save the file as UTF-8");
                return;
            }
            i += length;
        }
    }

    const SourceOptions& options_;
    SourceSet& sources_;
    Diagnostics& diagnostics_;
    const UnsavedTexts* unsaved_;
    PackageImports packages_;
    fs::path folder_;
    std::map<std::string, FileId> embedded_;               // by module
    std::map<std::string, std::optional<FileId>> loaded_;  // by path, nothing where it could not be read
    std::map<std::string, std::size_t> folders_;           // by path, of sources_.folders
    std::set<std::string> unknown_;                        // reported
    std::size_t next_ = 0;
};

}  // namespace

std::string path_key(const std::string& path)
{
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(path.empty() ? "." : path, error);
    return error ? path : whole.string();
}

bool load_sources(const SourceOptions& options, SourceSet& sources, Diagnostics& diagnostics)
{
    return load_sources(options, nullptr, sources, diagnostics);
}

bool load_sources(const SourceOptions& options, const UnsavedTexts* unsaved, SourceSet& sources,
                  Diagnostics& diagnostics)
{
    std::size_t before = diagnostics.errors();
    sources.include_dirs = options.include_dirs;
    Loader(options, sources, diagnostics, unsaved).run();
    adopt_quotes(diagnostics, sources);
    return diagnostics.errors() == before;
}

bool load_text(const std::string& path, std::string text, SourceSet& sources, Diagnostics& diagnostics)
{
    const std::size_t before = diagnostics.errors();
    const SourceOptions options{path, {}};
    Loader(options, sources, diagnostics).run(std::move(text));
    adopt_quotes(diagnostics, sources);
    return diagnostics.errors() == before;
}

bool load_file(const std::string& input, SourceSet& sources, Diagnostics& diagnostics)
{
    std::size_t before = diagnostics.errors();
    SourceOptions options{input, {}};
    Loader(options, sources, diagnostics).load_main();
    return diagnostics.errors() == before;
}

std::optional<SourceSet> load_sources(const SourceOptions& options, Diagnostics& diagnostics)
{
    SourceSet sources;
    if (!load_sources(options, sources, diagnostics)) return std::nullopt;
    return sources;
}

}  // namespace anml

// Reads the main file and the closure of its imports.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/read_file.h"
#include "source/embedded_modules.h"
#include "source/imports.h"
#include "source/source_set.h"

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
    Loader(const SourceOptions& options, SourceSet& sources, Diagnostics& diagnostics)
        : options_(options), sources_(sources), diagnostics_(diagnostics)
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
        add(options_.input, std::move(text), "");
        load_closure();
    }

    void load_closure()
    {
        if (!sources_.files.empty()) {
            load_module("std.prelude", {});
            for (; next_ < sources_.files.size(); ++next_) load_imports(FileId(next_));
        }
    }

    void load_main()
    {
        const bool standard_input = options_.input == "-";
        if (!standard_input) folder_ = fs::path(options_.input).parent_path();
        load(options_.input, standard_input ? "<stdin>" : options_.input, "", Readable::anything, {});
    }

  private:
    void load_imports(FileId id)
    {
        for (const ImportLine& line : scan_imports(sources_.file(id).text)) {
            load_module(line.module, {id, line.begin, line.end});
        }
    }

    void load_module(const std::string& module, Span from)
    {
        if (!loaded_.insert(module).second) return;
        for (const EmbeddedModule& embedded : embedded_modules()) {
            if (embedded.module != module) continue;
            std::string_view path = embedded.path;
            if (path.starts_with("std/")) path.remove_prefix(4);
            add(fmt::format("<std>/{}", path), std::string(embedded.text), module);
            return;
        }
        if (module == "std" || module.starts_with("std.")) return report_unknown(module, from, {});

        fs::path relative;
        for (std::size_t begin = 0, dot; begin <= module.size(); begin = dot + 1) {
            dot = std::min(module.find('.', begin), module.size());
            relative /= module.substr(begin, dot - begin);
        }
        std::vector<std::string> tried;
        std::vector<fs::path> folders{folder_};
        folders.insert(folders.end(), options_.include_dirs.begin(), options_.include_dirs.end());
        for (const fs::path& folder : folders) {
            std::string path = (folder / relative).string() + ".anml";
            std::error_code ignored;
            if (fs::exists(path, ignored)) return load(path, path, module, Readable::files, from);
            if (fs::is_directory(folder / relative, ignored)) return load_folder(folder / relative, module, from);
            tried.push_back(std::move(path));
        }
        report_unknown(module, from, tried);
    }

    // Every file in the folder, by name.
    void load_folder(const fs::path& folder, const std::string& module, Span from)
    {
        std::vector<fs::path> paths;
        std::error_code code;
        for (const fs::directory_entry& entry : fs::directory_iterator(folder, code))
            if (entry.path().extension() == ".anml") paths.push_back(entry.path());
        if (paths.empty()) {
            diagnostics_.report(Diag::unknown_import, from,
                                fmt::format("the folder `{}` has no .anml file", folder.string()));
            return;
        }
        std::sort(paths.begin(), paths.end());
        sources_.folders.push_back(module);
        for (const fs::path& path : paths) {
            const std::string name = fmt::format("{}.{}", module, path.stem().string());
            if (loaded_.insert(name).second) load(path.string(), path.string(), name, Readable::files, from);
        }
    }

    void report_unknown(const std::string& module, Span from, const std::vector<std::string>& tried)
    {
        auto report = diagnostics_.report(Diag::unknown_import, from, fmt::format("there is no module `{}`", module));
        std::vector<std::string_view> known;
        for (const EmbeddedModule& embedded : embedded_modules()) known.push_back(embedded.module);
        if (std::find(known.begin(), known.end(), "std." + module) != known.end()) {
            report.help(fmt::format("the standard library has `std.{}`", module)).fix(from, "std." + module);
        } else if (std::string_view similar = similar_name(module, known); !similar.empty()) {
            report.help(fmt::format("a module with a similar name exists: `{}`", similar))
                .fix(from, std::string(similar));
        } else if (tried.empty()) {
            report.note(fmt::format("the standard library has {}", fmt::join(known, ", ")));
        }
        if (!tried.empty()) {
            report.note(
                fmt::format("looked for {}, and for folders of these names without .anml", fmt::join(tried, ", ")));
        }
    }

    void load(const std::string& path, const std::string& shown, const std::string& module, Readable readable,
              Span from)
    {
        std::string text;
        if (const std::string problem = read_text(path, kLargestFile, readable, text); !problem.empty()) {
            diagnostics_.report(Diag::file_not_found, from, fmt::format("cannot read `{}`: {}", shown, problem));
        } else {
            add(shown, std::move(text), module);
        }
    }

    void add(std::string path, std::string text, std::string module)
    {
        if (text.size() > kLargestFile) {
            diagnostics_.report(Diag::file_not_found, {}, fmt::format("`{}` is larger than 4 GiB", path));
            text.clear();
        }
        if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
        FileId id = sources_.add(std::move(path), std::move(text), std::move(module));
        sources_.files[id.value].generator_lines = scan_generator_lines(sources_.file(id).text);
        check_bytes(id);
    }

    // The first byte of a file that is no text; later ones have the same cause.
    void check_bytes(FileId id)
    {
        std::string_view text = sources_.file(id).text;
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
    fs::path folder_;
    std::set<std::string> loaded_;
    std::size_t next_ = 0;
};

}  // namespace

bool load_sources(const SourceOptions& options, SourceSet& sources, Diagnostics& diagnostics)
{
    std::size_t before = diagnostics.errors();
    sources.include_dirs = options.include_dirs;
    Loader(options, sources, diagnostics).run();
    return diagnostics.errors() == before;
}

bool load_text(const std::string& path, std::string text, SourceSet& sources, Diagnostics& diagnostics)
{
    const std::size_t before = diagnostics.errors();
    const SourceOptions options{path, {}};
    Loader(options, sources, diagnostics).run(std::move(text));
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

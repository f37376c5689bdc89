// anmlc doc [MODULE|FILE]...: documentation from `///` comments, or with --source the text itself.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "doc/module_doc.h"
#include "driver/commands.h"
#include "driver/report.h"
#include "source/embedded_modules.h"

namespace anml {

namespace {

// The files of a module of the standard library; all of them for "std".
std::vector<const EmbeddedModule*> library(std::string_view name)
{
    std::vector<const EmbeddedModule*> found;
    for (const EmbeddedModule& module : embedded_modules())
        if (name == "std" || module.module == name) found.push_back(&module);
    return found;
}

// The file of another module: beside us, or in a folder given with -I. As it is where it looks like a path.
std::string file_of(const Options& options, const std::string& name)
{
    if (name == "-" || name.find('/') != name.npos || name.ends_with(".anml")) return name;
    std::string relative = name;
    for (char& c : relative) c = c == '.' ? '/' : c;
    std::vector<std::string> folders{"."};
    folders.insert(folders.end(), options.sources.include_dirs.begin(), options.sources.include_dirs.end());
    for (const std::string& folder : folders) {
        std::error_code ignored;
        std::string path = fmt::format("{}{}{}.anml", folder == "." ? "" : folder, folder == "." ? "" : "/", relative);
        if (std::filesystem::exists(path, ignored)) return path;
    }
    return "";
}

void report_unknown(const std::string& name, Diagnostics& diagnostics)
{
    auto report = diagnostics.report(Diag::unknown_import, {}, fmt::format("there is no module `{}`", name));
    std::vector<std::string_view> known{"std"};
    for (const EmbeddedModule& module : embedded_modules())
        if (known.back() != module.module) known.push_back(module.module);
    if (std::string_view near = similar_name(name, known); !near.empty())
        report.help(fmt::format("there is `{}`", near));
    else
        report.note(fmt::format("the standard library has {}", fmt::join(known, ", ")));
}

class Printer {
  public:
    explicit Printer(const Options& options) : options_(options) {}

    // All files of one module. False after an error.
    bool add(const std::string& module, SourceSet& sources, Diagnostics& diagnostics)
    {
        if (options_.source_text) {
            for (const SourceFile& file : sources.files) {
                if (sources.files.size() > 1 || !out_.empty()) out_ += fmt::format("// {}\n", file.path);
                out_ += file.text;
            }
            return true;
        }
        const auto tree = parse(sources, diagnostics).if_whole();
        if (!tree) return false;
        ModuleDoc doc{module, "", {}};
        for (FileId file{0}; file.value < sources.files.size(); ++file.value) add_file_doc(sources, *tree, file, doc);
        if (!options_.markdown && !out_.empty()) out_ += "\n";
        out_ += options_.markdown ? markdown(doc) : plain_text(doc);
        return true;
    }

    const std::string& text() const { return out_; }

  private:
    const Options& options_;
    std::string out_;
};

}  // namespace

int cmd_doc(const Options& options)
{
    std::vector<std::string> wanted = options.files;
    if (wanted.empty()) wanted.push_back("std");
    Printer printer(options);
    Reporter reporter(options);
    bool good = true;
    for (const std::string& name : wanted) {
        const auto files = library(name);
        for (std::size_t i = 0; i < files.size();) {
            Compilation one;
            const std::string module(files[i]->module);
            for (; i < files.size() && files[i]->module == module; ++i)
                one.sources.add(std::string(files[i]->path), std::string(files[i]->text), module);
            good = printer.add(module, one.sources, one.diagnostics) && good;
            reporter.add(one);
        }
        if (!files.empty()) continue;
        Compilation one;
        const std::string path = file_of(options, name);
        if (path.empty()) report_unknown(name, one.diagnostics);
        good = !path.empty() && load_file(path, one.sources, one.diagnostics) &&
               printer.add(name, one.sources, one.diagnostics) && good;
        reporter.add(one);
    }
    reporter.end();
    std::fwrite(printer.text().data(), 1, printer.text().size(), stdout);
    return good ? 0 : kExitErrors;
}

}  // namespace anml

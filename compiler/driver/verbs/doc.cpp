// anmlc doc [MODULE|FILE|FOLDER]...: documentation from `///` comments, or with --source the text itself.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "doc/module_doc.h"
#include "driver/commands.h"
#include "driver/dependencies.h"
#include "driver/doc/component_picture.h"
#include "driver/doc/documented.h"
#include "driver/doc/package_doc.h"
#include "driver/doc/read_module_doc.h"
#include "driver/report.h"
#include "driver/write_file.h"
#include "package/manifest.h"

namespace anml {

namespace {

class Printer {
  public:
    explicit Printer(const Options& options) : options_(options) {}

    // False after an error.
    bool add(const Documented& wanted, Compilation& one, std::vector<std::string>& declared)
    {
        for (const EmbeddedModule* file : wanted.library)
            one.sources.add(std::string(file->path), std::string(file->text), wanted.module);
        if (wanted.library.empty() && !load_file(wanted.path, one.sources, one.diagnostics)) return false;
        if (options_.source_text) {
            for (const SourceFile& file : one.sources.files) {
                if (several_) out_ += fmt::format("// {}\n", file.path);
                out_ += file.text;
            }
            return true;
        }
        auto read = read_module_doc(options_, wanted, one);
        if (!read) return false;
        ModuleDoc& doc = *read;
        for (const DeclarationDoc& declaration : doc.declarations) declared.push_back(declaration.name);
        if (!wanted.declaration.empty()) {
            doc.text.clear();
            std::erase_if(doc.declarations, [&](const auto& d) { return d.name != wanted.declaration; });
            if (doc.declarations.empty()) return true;
        }
        if (options_.doc == DocFormat::html) {
            if (wanted.path != "-")
                for (DeclarationDoc& declaration : doc.declarations) {
                    Compilation unsaid;
                    draw_component(options_, wanted, declaration, unsaid);
                }
            modules_.push_back(std::move(doc));
            return true;
        }
        if (options_.doc == DocFormat::text && !out_.empty()) out_ += "\n";
        out_ += options_.doc == DocFormat::markdown ? markdown(doc) : plain_text(doc);
        return true;
    }

    void several() { several_ = true; }  // files, whose texts are told apart
    std::string text() const { return modules_.empty() ? out_ : page(modules_); }

  private:
    const Options& options_;
    bool several_ = false;
    std::string out_;
    std::vector<ModuleDoc> modules_;  // of a page
};

}  // namespace

namespace {

// The package that is meant: one that is named, or, where nothing is, the one here.
std::optional<std::string> package_of(const Options& options)
{
    if (options.source_text || options.doc_chosen) return std::nullopt;
    if (options.files.empty()) return find_package("");
    const std::string& word = options.files.front();
    std::error_code error;
    const bool path = word.find('/') != word.npos || word.starts_with('.');
    const bool whole =
        options.files.size() == 1 && path && std::filesystem::is_regular_file(in_folder(word, kManifestFile), error);
    return whole ? std::optional(word) : std::nullopt;
}

// Pages in a folder of their own.
int write_package(const Options& options, const std::string& root)
{
    Compilation compilation;
    Diagnostics& diagnostics = compilation.diagnostics;
    const std::string folder = options.output.empty() ? in_folder(root, ".anml/doc") : options.output;
    Reporter reporter(options);
    const auto package = document_package(options, root, reporter, diagnostics);
    bool good = package.has_value();
    if (good) {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (error) {
            good = false;
            diagnostics.report(Diag::cannot_write_output, {},
                               fmt::format("cannot make `{}`: {}", folder, error.message()));
        } else if (options.output.empty()) {
            good = write_file(in_folder(root, ".anml/.gitignore"), "*\n", diagnostics);
        }
        if (good)
            for (const DocPage& page : package_pages(*package))
                good = write_file(in_folder(folder, page.file), page.text, diagnostics) && good;
    }
    adopt_quotes(diagnostics, compilation.sources);
    reporter.add(compilation);
    reporter.end();
    if (good) std::printf("%s\n", in_folder(folder, "index.html").c_str());
    return good ? 0 : kExitErrors;
}

}  // namespace

int cmd_doc(const Options& options)
{
    if (const auto root = package_of(options)) return write_package(options, *root);
    std::vector<std::string> words = options.files;
    if (words.empty()) words.push_back("std");
    Printer printer(options);
    Reporter reporter(options);
    bool good = true;
    for (const std::string& word : words) {
        Compilation search;
        const std::vector<Documented> all = documented(options, word, search.diagnostics);
        if (all.size() > 1 || words.size() > 1) printer.several();
        std::vector<std::string> declared;
        bool read = true;
        for (const Documented& wanted : all) {
            Compilation one;
            read = printer.add(wanted, one, declared) && read;
            read = keeps_inputs(options.output, one) && read;
            reporter.add(one);
        }
        // A folder's files are one module for those who import it.
        const std::string& only = all.empty() ? std::string() : all.front().declaration;
        if (!only.empty() && read && std::find(declared.begin(), declared.end(), only) == declared.end())
            report_undeclared(word.substr(0, word.rfind('.')), only, declared, search.diagnostics);
        reporter.add(search);
        good = good && read && !search.diagnostics.has_errors();
    }
    const std::string text = printer.text();
    if (options.output.empty() || options.output == "-") {
        std::fwrite(text.data(), 1, text.size(), stdout);
    } else if (good) {
        Compilation output;
        good = write_file(options.output, text, output.diagnostics);
        reporter.add(output);
    }
    reporter.end();
    return good ? 0 : kExitErrors;
}

}  // namespace anml

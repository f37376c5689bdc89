// anmlc doc [MODULE|FILE|FOLDER]...: documentation from `///` comments, or with --source the text itself.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "doc/module_doc.h"
#include "driver/dependencies.h"
#include "driver/doc/component_picture.h"
#include "driver/doc/documented.h"
#include "driver/doc/package_doc.h"
#include "driver/doc/read_module_doc.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/verb.h"
#include "driver/write_file.h"
#include "package/manifest.h"

namespace anml {

namespace {

enum class Form : std::uint8_t { text, markdown, html, source };

class Printer {
  public:
    Printer(const SourceOptions& sources, Form form) : sources_(sources), form_(form) {}

    // False after an error.
    bool add(const Documented& wanted, Compilation& one, std::vector<std::string>& declared)
    {
        for (const EmbeddedModule* file : wanted.library)
            one.sources.add(std::string(file->path), std::string(file->text), wanted.module);
        if (wanted.library.empty() && !load_file(wanted.path, one.sources, one.diagnostics)) return false;
        if (form_ == Form::source) {
            for (const SourceFile& file : one.sources.files) {
                if (several_) out_ += fmt::format("// {}\n", file.path);
                out_ += file.text;
            }
            return true;
        }
        auto read = read_module_doc(sources_, wanted, one);
        if (!read) return false;
        ModuleDoc& doc = *read;
        for (const DeclarationDoc& declaration : doc.declarations) declared.push_back(declaration.name);
        if (!wanted.declaration.empty()) {
            doc.text.clear();
            std::erase_if(doc.declarations, [&](const auto& d) { return d.name != wanted.declaration; });
            if (doc.declarations.empty()) return true;
        }
        if (form_ == Form::html) {
            if (wanted.path != "-")
                for (DeclarationDoc& declaration : doc.declarations) {
                    Compilation unsaid;
                    draw_component(sources_, wanted, declaration, unsaid);
                }
            modules_.push_back(std::move(doc));
            return true;
        }
        if (form_ == Form::text && !out_.empty()) out_ += "\n";
        out_ += form_ == Form::markdown ? markdown(doc) : plain_text(doc);
        return true;
    }

    void several() { several_ = true; }  // files, whose texts are told apart
    std::string text() const { return modules_.empty() ? out_ : page(modules_); }

  private:
    const SourceOptions& sources_;
    const Form form_;
    bool several_ = false;
    std::string out_;
    std::vector<ModuleDoc> modules_;  // of a page
};

class DocVerb : public Verb {
  public:
    DocVerb() : Verb("doc", "Print documentation from /// comments, the standard library's too") {}

    void add_options(CLI::App& app) override
    {
        app.add_option("what", words_,
                       "Modules, such as std.web, one declaration, as std.topology.Star, files, or folders with all "
                       "their files; the default is the package here, or else std, the standard library")
            ->option_text("MODULE|FILE|FOLDER...");
        app.add_option("-o", output_,
                       "Write to PATH instead of standard output; of a package, to that folder (default: .anml/doc)")
            ->option_text("PATH");
        app.add_option(
               "--format", format_,
               "text, markdown or html: a page with pictures of components (default: by the output's name, else text)")
            ->check(CLI::IsMember({"text", "markdown", "html"}))
            ->option_text("FORMAT");
        app.add_flag("--source", source_, "Print the modules' text as it is instead");
        add_folders(app, options_.sources);
        messages_.add(app);
    }

    std::string understand() override
    {
        messages_.set(options_.messages);
        const std::string name = format_.empty() ? format_of(output_) : format_;
        form_ = name == "html" ? Form::html : name == "markdown" || name == "md" ? Form::markdown : Form::text;
        // A format was asked for, so it is no package's pages.
        one_text_ = source_ || !format_.empty() || form_ != Form::text || output_ == "-";
        if (source_) form_ = Form::source;
        return {};
    }

    int run(const CommandLine&) override
    {
        const auto root = package();
        return root ? write_package(*root) : write_modules();
    }

  private:
    std::optional<std::string> package() const;
    int write_package(const std::string& root) const;
    int write_modules() const;

    BuildOptions options_;
    MessageWords messages_;
    std::vector<std::string> words_;
    std::string output_, format_;
    bool source_ = false, one_text_ = false;
    Form form_ = Form::text;
};

// The package that is meant: one that is named, or, where nothing is, the one here.
std::optional<std::string> DocVerb::package() const
{
    if (one_text_) return std::nullopt;
    if (words_.empty()) return find_package("");
    const std::string& word = words_.front();
    std::error_code error;
    const bool path = word.find('/') != word.npos || word.starts_with('.');
    const bool whole =
        words_.size() == 1 && path && std::filesystem::is_regular_file(in_folder(word, kManifestFile), error);
    return whole ? std::optional(word) : std::nullopt;
}

// Pages in a folder of their own.
int DocVerb::write_package(const std::string& root) const
{
    Compilation compilation;
    Diagnostics& diagnostics = compilation.diagnostics;
    const std::string folder = output_.empty() ? in_folder(root, ".anml/doc") : output_;
    DiagnosticsPrinter printer(options_.messages);
    const auto package = document_package(options_, root, printer, diagnostics);
    bool good = package.has_value();
    if (good) {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        if (error) {
            good = false;
            diagnostics.report(Diag::cannot_write_output, {},
                               fmt::format("cannot make `{}`: {}", folder, error.message()));
        } else if (output_.empty()) {
            good = write_file(in_folder(root, ".anml/.gitignore"), "*\n", diagnostics);
        }
        if (good)
            for (const DocPage& page : package_pages(*package))
                good = write_file(in_folder(folder, page.file), page.text, diagnostics) && good;
    }
    adopt_quotes(diagnostics, compilation.sources);
    printer.add(compilation);
    printer.end();
    if (good) std::printf("%s\n", in_folder(folder, "index.html").c_str());
    return good ? 0 : kExitErrors;
}

int DocVerb::write_modules() const
{
    std::vector<std::string> words = words_;
    if (words.empty()) words.push_back("std");
    Printer printer(options_.sources, form_);
    DiagnosticsPrinter found(options_.messages);
    bool good = true;
    for (const std::string& word : words) {
        Compilation search;
        const std::vector<Documented> all = documented(options_.sources, word, search.diagnostics);
        if (all.size() > 1 || words.size() > 1) printer.several();
        std::vector<std::string> declared;
        bool read = true;
        for (const Documented& wanted : all) {
            Compilation one;
            read = printer.add(wanted, one, declared) && read;
            read = keeps_inputs(output_, one) && read;
            found.add(one);
        }
        // A folder's files are one module for those who import it.
        const std::string& only = all.empty() ? std::string() : all.front().declaration;
        if (!only.empty() && read && std::find(declared.begin(), declared.end(), only) == declared.end())
            report_undeclared(word.substr(0, word.rfind('.')), only, declared, search.diagnostics);
        found.add(search);
        good = good && read && !search.diagnostics.has_errors();
    }
    const std::string text = printer.text();
    if (output_.empty() || output_ == "-") {
        std::fwrite(text.data(), 1, text.size(), stdout);
    } else if (good) {
        Compilation output;
        good = write_file(output_, text, output.diagnostics);
        found.add(output);
    }
    found.end();
    return good ? 0 : kExitErrors;
}

}  // namespace

std::unique_ptr<Verb> verb_doc() { return std::make_unique<DocVerb>(); }

}  // namespace anml

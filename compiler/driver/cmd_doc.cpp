// anmlc doc [MODULE|FILE|FOLDER]...: documentation from `///` comments, or with --source the text itself.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "check/check.h"
#include "doc/module_doc.h"
#include "driver/commands.h"
#include "driver/component_picture.h"
#include "driver/dependencies.h"
#include "driver/documented.h"
#include "driver/report.h"
#include "driver/write_file.h"
#include "syntax/syntax_views.h"

namespace anml {

namespace {

// A file with all that it imports, for what its components inherit.
struct WithImports {
    SourceSet sources;
    std::optional<SyntaxTree> tree;  // none where something in it is wrong, which is no matter of documentation
    Bases bases;
};

bool something_extends(const SyntaxTree& tree)
{
    for (SyntaxId root : tree.roots)
        for (SyntaxId id : syntax::File(tree, root).declarations()) {
            const SyntaxKind kind = tree.kind(id);
            if (kind != SyntaxKind::component_decl && kind != SyntaxKind::model_decl) continue;
            if (syntax::ComponentDeclaration(tree, id).has_base()) return true;
        }
    return false;
}

WithImports with_imports(const Options& options, const Documented& wanted)
{
    WithImports out;
    Diagnostics unsaid;
    if (!load_sources(with_folders(options, wanted), out.sources, unsaid)) return out;
    out.tree = parse(out.sources, unsaid).if_whole();
    if (!out.tree) return out;
    const CheckedProgram program = check(out.sources, *out.tree, unsaid).output;
    for (const Component& component : program.components)
        if (component.base.valid()) out.bases.emplace_back(component.span, program.component(component.base).span);
    return out;
}

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
        const auto tree = parse(one.sources, one.diagnostics).if_whole();
        if (!tree) return false;
        ModuleDoc doc{wanted.module, "", {}};
        const bool alone = !wanted.library.empty() || wanted.path == "-" || !something_extends(*tree);
        const WithImports all = alone ? WithImports{} : with_imports(options_, wanted);
        if (all.tree)
            add_file_doc(all.sources, *all.tree, all.sources.main, all.bases, doc);
        else
            for (FileId file{0}; file.value < one.sources.files.size(); ++file.value)
                add_file_doc(one.sources, *tree, file, {}, doc);
        for (const DeclarationDoc& declaration : doc.declarations) declared.push_back(declaration.name);
        if (!wanted.declaration.empty()) {
            doc.text.clear();
            std::erase_if(doc.declarations, [&](const auto& d) { return d.name != wanted.declaration; });
            if (doc.declarations.empty()) return true;
        }
        if (options_.doc == DocFormat::html) {
            if (wanted.path != "-")
                for (DeclarationDoc& declaration : doc.declarations) draw_component(options_, wanted, declaration);
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

int cmd_doc(const Options& options)
{
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
            read = spares_inputs(options.output, one) && read;
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

// anmlc fmt FILE...: files in the one style, in place; --check and --diff only say what would change.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/input_files.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/verb.h"
#include "driver/write_file.h"
#include "format/format.h"
#include "format/line_diff.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

std::string formatted(const SourceSet& sources, const SyntaxTree& tree)
{
    std::string text = format_file(sources, tree, sources.main);
    SourceSet again;
    again.add(sources.file(sources.main).path, text, "");
    Diagnostics unexpected;
    const auto other = parse(again, unexpected).if_whole();
    std::string different = other ? compare_programs(sources, tree, again, *other) : "it no longer parses";
    if (!different.empty()) throw InternalError(fmt::format("formatting would change the program: {}", different));
    return text;
}

// The file that c.sources was loaded with, in the forms that the language has now, formatted.
std::optional<std::string> formatted(Compilation& c)
{
    const auto tree = parse(c.sources, c.diagnostics).if_whole();
    if (!tree) return std::nullopt;
    std::optional<std::string> renewed = with_new_forms(c.sources, *tree, c.sources.main);
    if (!renewed) return formatted(c.sources, *tree);
    SourceSet sources;
    sources.main = sources.add(c.sources.file(c.sources.main).path, std::move(*renewed), "");
    Diagnostics unexpected;
    const auto now = parse(sources, unexpected).if_whole();
    if (!now) throw InternalError("with new forms the program no longer parses");
    return formatted(sources, *now);
}

class FmtVerb : public Verb {
  public:
    FmtVerb() : Verb("fmt", "Put files into the one style, in place") {}

    void add_options(CLI::App& app) override
    {
        add_files(app, files_, "Files, folders (every .anml below), or - for standard input to output");
        app.add_flag("--check", check_, "Change nothing: name the files that would change; then status 1");
        app.add_flag("--diff", diff_, "Change nothing: show what would change");
        words_.add(app);
    }

    int run(const CommandLine&) override
    {
        MessageOptions messages;
        words_.set(messages);
        Compilation folders;
        const std::vector<InputFile> files = input_files(files_, folders.diagnostics);
        DiagnosticsPrinter printer(messages);
        printer.add(folders);
        int status = folders.diagnostics.has_errors() ? kExitErrors : 0;
        for (const InputFile& file : files) {
            Compilation one;
            status = std::max(status, format_one(file.path, one));
            printer.add(one);
        }
        printer.end();
        return status;
    }

  private:
    // 0 or the exit status that this file leads to.
    int format_one(const std::string& path, Compilation& c) const
    {
        if (!load_file(path, c.sources, c.diagnostics)) return kExitErrors;
        std::optional<std::string> text = formatted(c);
        if (!text) return kExitErrors;
        const SourceFile& file = c.sources.file(c.sources.main);
        bool changes = *text != file.text;
        if (diff_ && changes) std::fputs(unified_diff(file.path, file.text, *text).c_str(), stdout);
        if (check_) {
            if (changes && !diff_) std::puts(file.path.c_str());
            return changes ? kExitErrors : 0;
        }
        if (diff_) return 0;
        if (path == "-") return std::fwrite(text->data(), 1, text->size(), stdout), 0;  // main looks after it
        if (!changes) return 0;
        std::error_code error;
        fs::path target = fs::canonical(path, error);  // behind a symbolic link
        return write_file(error ? path : target.string(), *text, c.diagnostics) ? 0 : kExitErrors;
    }

    std::vector<std::string> files_;
    MessageWords words_;
    bool check_ = false, diff_ = false;
};

}  // namespace

std::unique_ptr<Verb> verb_fmt() { return std::make_unique<FmtVerb>(); }

}  // namespace anml

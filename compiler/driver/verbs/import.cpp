// anmlc import FILE: a graph of another tool as the source of a model, on standard output or in a file.
#include <cstdio>

#include "check/check.h"
#include "driver/commands.h"
#include "driver/dependencies.h"
#include "driver/report.h"
#include "driver/write_file.h"
#include "elaborate/network.h"
#include "syntax/syntax_tree.h"

namespace anml {

namespace {

// Why the text is no program, "" if it is one. Files that it names count from the output's folder.
std::string first_error(const Options& options, const std::string& text)
{
    Diagnostics diagnostics;
    SourceSet sources;
    load_text(options.output == "-" ? "model.anml" : options.output, text, sources, diagnostics);
    const auto tree = diagnostics.has_errors() ? std::nullopt : parse(sources, diagnostics).if_whole();
    const auto program = tree ? check(sources, *tree, diagnostics).if_whole() : std::nullopt;
    if (program) elaborate(*program, {}, diagnostics);
    for (const Diagnostic& d : diagnostics.list())
        if (d.severity == Severity::error) return d.message;
    return "";
}

}  // namespace

int cmd_import(const Options& options)
{
    Compilation compilation;
    ImportOptions import = options.import;
    import.output = options.output;
    auto text = import_model(import, compilation.sources, compilation.diagnostics);
    if (text && takes_texts(compilation.sources, import)) {
        if (const std::string error = first_error(options, *text); !error.empty()) {
            // The graph is no longer the one that its texts were written for.
            compilation = {};
            import.texts = false;
            text = import_model(import, compilation.sources, compilation.diagnostics);
            compilation.diagnostics
                .report(Diag::dropped_element, {},
                        "the graph's routing, traffic, processes and settings of TCP are left out: they don't fit it")
                .note(error);
        }
    }
    bool good = text.has_value();
    if (good && options.output == "-") {
        good = std::fwrite(text->data(), 1, text->size(), stdout) == text->size();
        good = std::fflush(stdout) == 0 && good;
        if (!good) compilation.diagnostics.report(Diag::cannot_write_output, {}, "cannot write to standard output");
    } else if (good) {
        good = keeps_inputs(options.output, compilation) && write_file(options.output, *text, compilation.diagnostics);
    }
    print_report(options, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace anml

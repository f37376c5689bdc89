// anmlc import FILE: a graph of another tool as the source of a model, on standard output or in a file.
#include <cstdio>

#include "driver/commands.h"
#include "driver/report.h"
#include "driver/write_file.h"

namespace anml {

int cmd_import(const Options& options)
{
    Compilation compilation;
    ImportOptions import = options.import;
    import.output = options.output;
    const auto text = import_model(import, compilation.sources, compilation.diagnostics);
    bool good = text.has_value();
    if (good && options.output == "-") {
        good = std::fwrite(text->data(), 1, text->size(), stdout) == text->size();
        good = std::fflush(stdout) == 0 && good;
        if (!good) compilation.diagnostics.report(Diag::cannot_write_output, {}, "cannot write to standard output");
    } else if (good) {
        good = write_file(options.output, *text, compilation.diagnostics);
    }
    print_report(options, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace anml

// anmlc FILE: compiles, or prints the result of a stage.
#include <cstdio>

#include "driver/commands.h"
#include "driver/dependencies.h"
#include "driver/report.h"
#include "driver/write_file.h"

namespace anml {

int cmd_compile(const Options& options)
{
    Compilation compilation;
    bool good = compile(options, compilation);
    if (good && !compilation.text.empty()) {
        if (options.output == "-") {
            good = std::fwrite(compilation.text.data(), 1, compilation.text.size(), stdout) == compilation.text.size();
            good = std::fflush(stdout) == 0 && good;
            if (!good) compilation.diagnostics.report(Diag::cannot_write_output, {}, "cannot write to standard output");
        } else {
            good = keeps_inputs(options.output, compilation) &&
                   write_file(options.output, compilation.text, compilation.diagnostics);
        }
    }
    if (good && !options.dependencies.empty() && !options.commands_only)
        good = keeps_inputs(options.dependencies, compilation) &&
               write_file(options.dependencies, dependency_rule(options.output, compilation), compilation.diagnostics);
    print_report(options, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace anml

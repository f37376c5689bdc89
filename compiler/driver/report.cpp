// Diagnostics and their count, on standard error.
#include "driver/report.h"

#include <fmt/format.h>

#include <cstdio>

namespace anml {

void print_report(const Options& options, const Compilation& compilation)
{
    const Diagnostics& diagnostics = compilation.diagnostics;
    std::string text = render_diagnostics(diagnostics, compilation.sources, options.error_format, options.color);
    std::size_t errors = diagnostics.errors(), warnings = 0;
    for (const Diagnostic& d : diagnostics.list()) warnings += d.severity == Severity::warning;
    if (options.error_format == ErrorFormat::human && errors + warnings > 1) {
        auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
        text += errors && warnings ? count(errors, "error") + ", " + count(warnings, "warning")
                : errors           ? count(errors, "error")
                                   : count(warnings, "warning");
        text += '\n';
    }
    if (options.verbose) text += compilation.log;
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace anml

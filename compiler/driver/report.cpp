// Diagnostics and their count, on standard error.
#include "driver/report.h"

#include <fmt/format.h>

#include <cstdio>

namespace anml {

Reporter::Reporter(const Options& options) : options_(options), log_(ANML_VERSION) {}

void Reporter::end()
{
    if (options_.error_format != ErrorFormat::sarif) return;
    const std::string text = log_.text();
    std::fwrite(text.data(), 1, text.size(), stderr);
}

void print_report(const Options& options, const Compilation& compilation)
{
    Reporter reporter(options);
    reporter.add(compilation);
    reporter.end();
}

void Reporter::add(const Compilation& compilation)
{
    const Diagnostics& diagnostics = compilation.diagnostics;
    if (options_.error_format == ErrorFormat::sarif) return log_.add(diagnostics, compilation.sources);
    std::string text = render_diagnostics(diagnostics, compilation.sources, options_.error_format, options_.color);
    std::size_t errors = diagnostics.errors(), warnings = 0;
    for (const Diagnostic& d : diagnostics.list()) warnings += d.severity == Severity::warning;
    if (options_.error_format == ErrorFormat::human && errors + warnings > 1) {
        auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
        text += errors && warnings ? count(errors, "error") + ", " + count(warnings, "warning")
                : errors           ? count(errors, "error")
                                   : count(warnings, "warning");
        text += '\n';
    }
    if (options_.verbose) text += compilation.log;
    std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace anml

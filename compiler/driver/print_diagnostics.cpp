// Diagnostics and their count.
#include "driver/print_diagnostics.h"

#include <fmt/format.h>

#include <cstdio>

#include "driver/write_file.h"

namespace anml {

DiagnosticsPrinter::DiagnosticsPrinter(const MessageOptions& options) : options_(options), log_(ANML_VERSION) {}

void DiagnosticsPrinter::put(const std::string& text)
{
    if (options_.output && options_.output != "-")
        held_ += text;
    else
        std::fwrite(text.data(), 1, text.size(), options_.output ? stdout : stderr);
}

bool DiagnosticsPrinter::end()
{
    if (options_.format == ErrorFormat::sarif) put(log_.text());
    if (!options_.output || options_.output == "-") return true;
    Diagnostics failed;
    if (write_file(*options_.output, held_, failed)) return true;
    const std::string text = render_diagnostics(failed, SourceSet(), ErrorFormat::human, false);
    std::fwrite(text.data(), 1, text.size(), stderr);
    return false;
}

void print_diagnostics(const MessageOptions& options, const Compilation& compilation)
{
    DiagnosticsPrinter printer(options);
    printer.add(compilation);
    printer.end();
}

void DiagnosticsPrinter::add(const Compilation& compilation)
{
    const Diagnostics& diagnostics = compilation.diagnostics;
    if (options_.format == ErrorFormat::sarif) return log_.add(diagnostics, compilation.sources);
    std::string text = render_diagnostics(diagnostics, compilation.sources, options_.format, options_.color);
    std::size_t errors = diagnostics.errors(), warnings = 0;
    for (const Diagnostic& d : diagnostics.list()) warnings += d.severity == Severity::warning;
    if (options_.format == ErrorFormat::human && errors + warnings > 1) {
        auto count = [](std::size_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); };
        text += errors && warnings ? count(errors, "error") + ", " + count(warnings, "warning")
                : errors           ? count(errors, "error")
                                   : count(warnings, "warning");
        text += '\n';
    }
    put(text);
    if (options_.verbose) std::fwrite(compilation.log.data(), 1, compilation.log.size(), stderr);
}

}  // namespace anml

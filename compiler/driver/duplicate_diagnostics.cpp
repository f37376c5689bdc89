#include "driver/duplicate_diagnostics.h"

#include <filesystem>

namespace anml {

void DuplicateDiagnostics::drop(Compilation& c)
{
    c.diagnostics.drop_if([&](const Diagnostic& d) {
        const SourceFile& file = c.sources.file(d.span.valid() ? d.span.file : c.sources.main);
        std::error_code ignored;
        const std::string path = std::filesystem::weakly_canonical(file.path, ignored).string();
        return !said_.emplace(d.diag, path, d.span.valid() ? d.span.begin : 0, d.message).second;
    });
}

}  // namespace anml

// The rules, one after the other.
#include "lint/lint.h"

#include "lint/lint_context.h"
#include "lint/rules.h"

namespace anml {

void lint_text(const SourceSet& sources, const SyntaxTree& tree, const WarningOptions& warnings,
               Diagnostics& diagnostics)
{
    LintDiagnostics found(sources, tree);
#define ANML_TEXT_RULE(rule) \
    if (warnings.enabled(Diag::rule)) lint_##rule(found);
#define ANML_NETWORK_RULE(rule)
#include "lint/rules.def"
#undef ANML_TEXT_RULE
#undef ANML_NETWORK_RULE
    found.report(diagnostics);
}

void lint_network(const LintInput& input, const WarningOptions& warnings, Diagnostics& diagnostics)
{
    LintContext context(input);
#define ANML_TEXT_RULE(rule)
#define ANML_NETWORK_RULE(rule) \
    if (warnings.enabled(Diag::rule)) lint_##rule(context);
#include "lint/rules.def"
#undef ANML_TEXT_RULE
#undef ANML_NETWORK_RULE
    context.report(diagnostics);
}

}  // namespace anml

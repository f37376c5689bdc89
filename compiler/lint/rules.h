// The rules' functions.
#pragma once

#include "lint/lint_context.h"
#include "lint/lint_diagnostics.h"

namespace anml {

#define ANML_TEXT_RULE(rule) void lint_##rule(LintDiagnostics& found);
#define ANML_NETWORK_RULE(rule) void lint_##rule(LintContext& context);
#include "lint/rules.def"
#undef ANML_TEXT_RULE
#undef ANML_NETWORK_RULE

}  // namespace anml

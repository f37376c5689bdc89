// The rules' functions.
#pragma once

#include "lint/findings.h"
#include "lint/lint_context.h"

namespace anml {

#define ANML_TEXT_RULE(rule) void lint_##rule(LintFindings& findings);
#define ANML_NETWORK_RULE(rule) void lint_##rule(LintContext& context);
#include "lint/rules.def"
#undef ANML_TEXT_RULE
#undef ANML_NETWORK_RULE

}  // namespace anml

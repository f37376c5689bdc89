// The linter: what is no error in a model and still rarely meant, found on the network, its routes and its tasks.
//
// A rule is a diagnostic of severity warning and one function, in a file of its own named after it (rules.def). It says
// which figures it computed. Where tunables matter they stand at their defaults.
#pragma once

#include <span>

#include "analysis/routes/route_tables.h"
#include "analysis/tasks/task_graph.h"
#include "base/diagnostics.h"
#include "lint/warnings.h"
#include "syntax/syntax_tree.h"

namespace anml {

struct LintInput {
    const SourceSet& sources;
    const SyntaxTree& tree;
    const Network& network;
    const RouteTables& routes;
    const TaskGraph& tasks;
};

// Run every rule that `warnings` has not switched off.
void lint_text(const SourceSet& sources, const SyntaxTree& tree, const WarningOptions& warnings,
               Diagnostics& diagnostics);
void lint_network(const LintInput& input, const WarningOptions& warnings, Diagnostics& diagnostics);

}  // namespace anml

// The verbs: each returns the exit status.
#pragma once

#include "driver/options.h"

namespace anml {

int cmd_compile(const Options& options);  // and --emit, -c, -fsyntax-only
int cmd_check(const Options& options);
int cmd_graph(const Options& options);
int cmd_diff(const Options& options);
int cmd_fmt(const Options& options);
int cmd_run(const Options& options);
int cmd_doc(const Options& options);
int cmd_doctor(const Options& options);
int cmd_import(const Options& options);
int cmd_report(const Options& options);
int cmd_explain(const Options& options);
int cmd_experiment(const Options& options);
int cmd_rerun(const Options& options);
int cmd_lsp(const Options& options);
int cmd_new(const Options& options);
int cmd_add(const Options& options);
int cmd_test(const Options& options);

}  // namespace anml

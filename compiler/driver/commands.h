// The verbs: each returns the exit status.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "driver/options/options.h"

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
int cmd_up(const Options& options);
int cmd_wire(const Options& options);
int cmd_proxy(const Options& options);

// What is wrong with its values; "": nothing.
std::string wrong_wire(const WireOptions& wire);

// The emulator of options.sources, as a file that has no name any more: nothing is left behind, whatever ends it. -1: it
// says why.
int compile_emulator(const Options& options);
// Returns, with an exit status, only where that fails.
int become_emulator(const Options& options, int program, std::vector<std::string> arguments);

// A command line from its parsing to its exit status.
using CommandLine = std::function<int(int argc, char** argv)>;
int cmd_batch(const CommandLine& run);

}  // namespace anml

// The command line of anmlc: one table, from which both the parser and the help come.
#pragma once

#include <optional>
#include <string>

#include "analyze/analyze.h"
#include "codegen/codegen.h"
#include "elaborate/network.h"
#include "graph/graph.h"
#include "lint/warnings.h"
#include "partition/task_graph.h"
#include "source/render.h"
#include "source/source_set.h"

namespace anml {

enum class Verb : std::uint8_t { compile, check, lint, fmt, explain, analyze, graph };

// What compiling is to end with.
enum class Goal : std::uint8_t {
    executable,   // default
    object,       // -c
    syntax_only,  // -fsyntax-only: errors that need no model, and no output
    check,        // verb `check`: all stages up to the plan, and no output
    lint,         // verb `lint`: all stages up to the tasks, and the linter
    analyze,      // verb `analyze`: all stages up to the routes, and what they say
    graph,        // verb `graph`: the stages that the picture shows, and the picture
    ast,          // --emit=...
    checked,
    network,
    routes,
    tasks,
    plan,
    llvm
};

struct Options {
    Verb verb = Verb::compile;
    Goal goal = Goal::executable;
    SourceOptions sources;
    ElaborateOptions elaborate;
    PartitionOptions partition;
    AnalyzeOptions analyze;
    PictureOptions graph;
    OptLevel level = OptLevel::O2;
    std::string output;              // "": chosen by the goal; "-": standard output, for what is text
    std::string explain;             // name of a diagnostic
    std::vector<std::string> files;  // of fmt: files and folders, or "-"
    bool check_only = false;         // fmt --check
    bool diff = false;               // fmt --diff
    WarningOptions warnings;
    ErrorFormat error_format = ErrorFormat::human;
    bool color = false;
    bool verbose = false;
};

inline constexpr int kExitErrors = 1, kExitUsage = 2, kExitInternal = 70;

struct ParsedOptions {
    std::optional<Options> options;
    int exit_code = 0;  // where there are no options: what to exit with, after printing `text`
    std::string text;   // help or version, or what is wrong
};

ParsedOptions parse_options(int argc, const char* const* argv);

}  // namespace anml

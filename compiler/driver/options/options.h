// The command line of anmlc, understood. The table of options is option_table.cpp.
#pragma once

#include <optional>
#include <string>

#include "analysis/analyze/analyze.h"
#include "codegen/codegen.h"
#include "driver/show_network.h"
#include "elaborate/network.h"
#include "experiment/launch/launch_request.h"
#include "graph/graph.h"
#include "import/import.h"
#include "lint/warnings.h"
#include "partition/partition.h"
#include "report/report.h"
#include "source/render.h"
#include "source/source_set.h"
#include "source/unsaved_texts.h"

namespace anml {

enum class Verb : std::uint8_t {
    compile,
    check,
    lint,
    fmt,
    import,
    run,
    doc,
    doctor,
    explain,
    analyze,
    graph,
    diff,
    report,
    experiment,
    rerun,
    lsp,
    make,  // `new`
    add,
    test,
    up,
    wire,
    proxy,
    batch  // `--batch`
};

// What compiling is to end with.
enum class Goal : std::uint8_t {
    executable,   // default
    object,       // -c
    assembly,     // -S
    syntax_only,  // -fsyntax-only: errors that need no model, and no output
    check,        // verb `check`: all stages up to the plan, and no output
    lint,         // verb `lint`: all stages up to the tasks, and the linter
    analyze,      // verb `analyze`: all stages up to the routes, and what they say
    graph,        // verb `graph`: the stages that the picture shows, and the picture
    diff,         // verb `diff`: routes and what path queries are worth, shown to `seen`
    ast,          // --emit=...
    anml,
    checked,
    network,
    routes,
    tasks,
    plan,
    llvm
};

enum class DocFormat : std::uint8_t { text, markdown, html };

// Of the verb `diff`; what both networks have stands elsewhere in the options.
struct DiffOptions {
    struct Side {
        std::string input;  // file, or "-"
        std::string model;
        std::vector<std::pair<std::string, std::string>> defines;  // besides those of both
    };
    enum class Format : std::uint8_t { text, json, picture };  // the picture's is that of PictureOptions
    Side before, after;
    Format format = Format::text;
    bool all = false, quiet = false;
};

// Of the verbs `wire` and `proxy`: quantities as they were written, "": not.
struct WireOptions {
    std::string access, delay, jitter, loss, rate, up, down, queue;
    std::string listen, to;  // of `proxy`
    std::string api;         // of the emulator; "": none
    bool print = false;
};

struct Options {
    Verb verb = Verb::compile;
    Goal goal = Goal::executable;
    SourceOptions sources;
    const UnsavedTexts* unsaved = nullptr;  // of an editor; nullptr: there is none
    ElaborateOptions elaborate;
    PartitionOptions partition;
    AnalyzeOptions analyze;
    PictureOptions graph;
    ShownOptions shown;  // by the picture
    OptLevel level = OptLevel::O2;
    std::string output;          // "": chosen by the goal; "-": standard output, for what is text
    std::string dependencies;    // of -MD: where the makefile rule goes, "": nowhere
    bool commands_only = false;  // -###
    bool mpi = false;            // the emulator knows where the plugin is
    std::string explain;         // name of a diagnostic
    // Of fmt, check and lint files and folders, or "-"; of doc modules and files; of report results.
    std::vector<std::string> files;
    ReportFormat report = ReportFormat::markdown;  // the model that it draws is sources.input, "": none
    std::vector<std::string> words;                // of the command line, up to `--`
    std::vector<std::string> arguments;            // of run and up: the emulator's; of wire: the command
    std::string lab;                               // of up; "": beside the model
    DiffOptions difference;
    bool findings = false;    // of check and lint: --format, so that they go to `output`
    bool check_only = false;  // fmt --check
    bool diff = false;        // fmt --diff
    DocFormat doc = DocFormat::text;
    bool doc_chosen = false;   // doc: a format was asked for, so it is no package's pages
    bool source_text = false;  // doc --source
    bool json = false;         // doctor --json
    std::string experiment;    // name of one, "": the only one
    unsigned jobs = 0;         // of experiment, test: runs beside each other, 0: as many as processors
    bool fresh = false;        // experiment --fresh
    bool quiet = false;        // experiment --quiet
    bool sharing = true;       // experiment, without --no-sharing
    std::string page;          // experiment --report, "": report.html in its folder
    bool dry_run = false;      // experiment --dry-run
    LaunchRequest launch;      // experiment --launcher
    bool list = false;         // experiment --list, test --list
    std::string filter;        // test --filter
    double timeout = 60;       // test --timeout, s
    std::string junit;         // test --junit, "": nowhere
    std::string server;        // test --server, a shell's command; "": tests are simulated
    ImportOptions import;
    WireOptions wire;
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

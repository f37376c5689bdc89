// The table of options, and the decisions that need more than one of them.
#include "driver/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "driver/graph_options.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

const std::map<std::string, Goal> kEmit{
    {"ast", Goal::ast},     {"checked", Goal::checked}, {"network", Goal::network}, {"routes", Goal::routes},
    {"tasks", Goal::tasks}, {"plan", Goal::plan},       {"llvm", Goal::llvm}};
const std::map<std::string, ErrorFormat> kErrorFormats{
    {"human", ErrorFormat::human}, {"short", ErrorFormat::brief}, {"json", ErrorFormat::json}};

const std::map<std::string, Between> kBetween{
    {"hosts", Between::hosts}, {"routers", Between::routers}, {"all", Between::all}};
const std::map<std::string, AnalyzeOptions::Show> kShow{
    {"summary", AnalyzeOptions::Show::summary}, {"links", AnalyzeOptions::Show::links},
    {"pairs", AnalyzeOptions::Show::pairs},     {"cuts", AnalyzeOptions::Show::cuts},
    {"rtt", AnalyzeOptions::Show::rtt},         {"hops", AnalyzeOptions::Show::hops}};
const std::map<std::string, AnalyzeOptions::Format> kFormats{{"table", AnalyzeOptions::Format::table},
                                                             {"csv", AnalyzeOptions::Format::csv},
                                                             {"json", AnalyzeOptions::Format::json}};
// What the command line says, before it is understood.
struct Words {
    std::string show = "summary", format = "table", between = "hosts", demand = "uniform", total;
    std::uint32_t top = 10;
    std::string file, output, emit, level = "2", front_end, error_format = "human", color = "auto", model, explain;
    GraphWords graph;
    std::vector<std::string> includes, defines, files, warnings;
    std::uint32_t tasks = 0;
    bool object = false, verbose = false, check_only = false, diff = false;
};

void add_messages(CLI::App& app, Words& words)
{
    app.add_option("--error-format", words.error_format, "human (default), short or json: one object per line")
        ->check(CLI::IsMember({"human", "short", "json"}))
        ->option_text("FORMAT");
    app.add_option("--color", words.color, "auto (default), always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->option_text("WHEN");
}

void add_tasks(CLI::App& app, Words& words)
{
    app.add_option("--tasks", words.tasks,
                   "Divide the model into N tasks, fewer where no lookahead lies between (default: by its size)")
        ->check(CLI::Range(1u, kMostTasks))
        ->option_text("N");
}

void add_common(CLI::App& app, Words& words)
{
    app.add_option("-I", words.includes, "Look for imported modules in DIR too (repeatable)")
        ->allow_extra_args(false)
        ->option_text("DIR");
    app.add_option("-D", words.defines, "Set a parameter of the model: -D N=32, -D 'D=4 ms' (repeatable)")
        ->allow_extra_args(false)
        ->option_text("NAME=VALUE");
    app.add_option("--model", words.model, "The model to build, where the file has several")->option_text("NAME");
    add_messages(app, words);
    app.add_option("-W", words.warnings,
                   "-Wno-NAME: leave a warning out; -WNAME: show it after all; -Werror (repeatable)")
        ->allow_extra_args(false)
        ->option_text("[no-]NAME");
    app.add_flag("-v", words.verbose, "Say what is done and how long it takes, and show the link command");
}

void add_analysis(CLI::App& app, Words& words)
{
    app.add_option("-o", words.output, "Write to PATH instead of standard output")->option_text("PATH");
    app.add_option(
           "--show", words.show,
           "summary (default); links with their loads; pairs; cuts: single points of failure; rtt, hops: matrices")
        ->check(CLI::IsMember({"summary", "links", "pairs", "cuts", "rtt", "hops"}))
        ->option_text("WHAT");
    app.add_option("--format", words.format, "table (default), csv or json")
        ->check(CLI::IsMember({"table", "csv", "json"}))
        ->option_text("FORMAT");
    app.add_option("--between", words.between,
                   "Whose pairs: hosts (default; with endpoints; routers where there are none), routers or all")
        ->check(CLI::IsMember({"hosts", "routers", "all"}))
        ->option_text("NODES");
    app.add_option("--demand", words.demand,
                   "uniform (default): every pair the same; gravity: by the product of what their links carry; or a "
                   "file of lines `from,to,rate`")
        ->option_text("DEMAND");
    app.add_option("--total", words.total, "Of all demands together, for uniform and gravity: --total '10 Gbps'")
        ->option_text("RATE");
    app.add_option("--top", words.top, "Rows of a table in the summary (default 10; 0: all)")->option_text("N");
}

// Empty, or what is wrong.
std::string set_analysis(const Words& words, Options& options)
{
    AnalyzeOptions& analyze = options.analyze;
    analyze.show = kShow.at(words.show);
    analyze.format = kFormats.at(words.format);
    analyze.between = kBetween.at(words.between);
    analyze.top = words.top;
    DemandOptions& demand = analyze.demand;
    demand.kind = words.demand == "uniform"   ? DemandKind::uniform
                  : words.demand == "gravity" ? DemandKind::gravity
                                              : DemandKind::file;
    if (demand.kind == DemandKind::file) demand.file = words.demand;
    if (words.total.empty()) return {};
    const auto total = parse_quantity(words.total);
    if (!total || total->dim != dimension::rate || total->value <= 0)
        return fmt::format("--total takes a rate above 0, such as '10 Gbps', found `{}`", words.total);
    if (demand.kind == DemandKind::file)
        return "the rates stand in the file of demands: --total goes with uniform and gravity";
    demand.total = total->value;
    return {};
}

bool want_color(const std::string& when)
{
    if (when != "auto") return when == "always";
    const char* terminal = std::getenv("TERM");
    return isatty(STDERR_FILENO) && !std::getenv("NO_COLOR") && terminal && std::string_view(terminal) != "dumb";
}

// Empty, or what is wrong.
std::string set_defines(const std::vector<std::string>& defines, Options& options)
{
    for (const std::string& define : defines) {
        std::size_t equals = define.find('=');
        if (equals == std::string::npos || equals == 0) {
            return fmt::format("-D takes NAME=VALUE, found `{}`", define);
        }
        options.elaborate.defines.emplace_back(define.substr(0, equals), define.substr(equals + 1));
    }
    return {};
}

std::string set_output(const Words& words, Options& options)
{
    options.output = words.output;
    bool file = options.goal == Goal::executable || options.goal == Goal::object;
    if (!file && options.output.empty()) options.output = "-";
    if (file && options.output == "-")
        return "an executable or object file is not written to standard output: give -o a name";
    if (file && options.output.empty()) {
        fs::path input = words.file;
        std::string stem = words.file == "-" ? "a" : input.stem().string();
        options.output = stem + (options.goal == Goal::object ? ".o" : words.file == "-" ? ".out" : "");
    }
    std::error_code ignored;
    if (options.output != "-" && words.file != "-" && fs::exists(options.output, ignored) &&
        fs::equivalent(options.output, words.file, ignored))
    {
        return fmt::format("the output `{}` would replace the input: give -o another name", options.output);
    }
    return {};
}

std::string understand(const Words& words, Options& options)
{
    options.sources = {words.file, words.includes};
    options.elaborate.model = words.model;
    options.partition.tasks = words.tasks;
    options.level = words.level == "0" ? OptLevel::O0 : OptLevel::O2;
    options.error_format = kErrorFormats.at(words.error_format);
    options.color = want_color(words.color);
    options.verbose = words.verbose;
    options.explain = words.explain;
    options.files = words.files;
    options.check_only = words.check_only;
    options.diff = words.diff;
    if (options.verb == Verb::fmt) return {};
    for (const std::string& word : words.warnings)
        if (std::string wrong = options.warnings.set(word); !wrong.empty()) return wrong;
    if (!words.explain.empty()) {
        options.verb = Verb::explain;
        return {};
    }
    if (words.file.empty()) return "which file? Give an .anml file, or `-` for standard input";
    if (words.object + !words.emit.empty() + !words.front_end.empty() > 1) {
        return "-c, --emit and -fsyntax-only exclude each other";
    }
    if (options.verb == Verb::check)
        options.goal = Goal::check;
    else if (options.verb == Verb::lint)
        options.goal = Goal::lint;
    else if (options.verb == Verb::analyze)
        options.goal = Goal::analyze;
    else if (options.verb == Verb::graph)
        options.goal = Goal::graph;
    else if (words.object)
        options.goal = Goal::object;
    else if (!words.front_end.empty())
        options.goal = Goal::syntax_only;
    else if (!words.emit.empty())
        options.goal = kEmit.at(words.emit);
    if (options.goal == Goal::syntax_only && !words.output.empty())
        return "-fsyntax-only writes no output, so -o has no meaning";
    if (options.goal == Goal::analyze)
        if (std::string wrong = set_analysis(words, options); !wrong.empty()) return wrong;
    if (std::string wrong = set_defines(words.defines, options); !wrong.empty()) return wrong;
    if (options.goal == Goal::graph)
        if (std::string wrong = set_graph(words.graph, words.output, options); !wrong.empty()) return wrong;
    return set_output(words, options);
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv)
{
    Words words;
    CLI::App app{"Compiles a model of a network into an emulator, a program of its own.", "anmlc"};
    app.set_version_flag("--version", "anmlc " ANML_VERSION);
    app.add_option("file", words.file, "The model, or - for standard input")->option_text("FILE.anml");
    app.add_option("-o", words.output, "Write to PATH (default: the file's name without .anml)")->option_text("PATH");
    app.add_option("-O", words.level, "-O0: compile fast, -O2 (default): fast emulators")
        ->check(CLI::IsMember({"0", "2"}))
        ->option_text("LEVEL");
    add_tasks(app, words);
    app.add_flag("-c", words.object, "Stop at the object file");
    app.add_option("--emit", words.emit,
                   "Print a stage's result instead: ast, checked, network, routes, tasks, plan, llvm")
        ->check(CLI::IsMember({"ast", "checked", "network", "routes", "tasks", "plan", "llvm"}))
        ->option_text("KIND");
    app.add_option("-f", words.front_end, "-fsyntax-only: check names, types and units of the text, write nothing")
        ->check(CLI::IsMember({"syntax-only"}))
        ->option_text("syntax-only");
    add_common(app, words);
    app.add_option("--explain", words.explain, "Explain a diagnostic by its name, such as unit-mismatch")
        ->option_text("NAME");

    CLI::App* check = app.add_subcommand("check", "Report every error, up to routes and requirements; write nothing");
    check->add_option("file", words.file, "The model, or - for standard input")->required()->option_text("FILE.anml");
    add_common(*check, words);
    CLI::App* lint = app.add_subcommand("lint", "Report what is no error and still rarely meant; write nothing");
    lint->add_option("file", words.file, "The model, or - for standard input")->required()->option_text("FILE.anml");
    add_tasks(*lint, words);
    add_common(*lint, words);
    CLI::App* analyze =
        app.add_subcommand("analyze", "Paths, bottlenecks, loads under a demand, single points of failure");
    analyze->add_option("file", words.file, "The model, or - for standard input")->required()->option_text("FILE.anml");
    add_analysis(*analyze, words);
    add_common(*analyze, words);
    CLI::App* graph = app.add_subcommand("graph", "Draw the network, or write it for other programs; nothing is run");
    graph->add_option("file", words.file, "The model, or - for standard input")->required()->option_text("FILE.anml");
    graph->add_option("-o", words.output, "Write to PATH, whose suffix chooses the format (default: standard output)")
        ->option_text("PATH");
    add_graph(*graph, words.graph);
    add_tasks(*graph, words);
    add_common(*graph, words);
    CLI::App* format = app.add_subcommand("fmt", "Put files into the one style, in place");
    format->add_option("file", words.files, "Files, folders (every .anml below), or - for standard input to output")
        ->required()
        ->option_text("FILE...");
    format->add_flag("--check", words.check_only, "Change nothing: name the files that would change; then status 1");
    format->add_flag("--diff", words.diff, "Change nothing: show what would change");
    add_messages(*format, words);
    CLI::App* explain = app.add_subcommand("explain", "Explain a diagnostic by its name");
    explain->add_option("name", words.explain, "Such as unit-mismatch")->required()->option_text("NAME");
    app.require_subcommand(0, 1);
    app.footer("Exit status: 0 fine, 1 errors in the model, 2 wrong usage, 70 a bug in anmlc.");

    ParsedOptions result;
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> verbs = app.get_subcommands();
        return {std::nullopt, 0, verbs.empty() ? app.help() : verbs.front()->help()};
    } catch (const CLI::CallForVersion&) {
        return {std::nullopt, 0, "anmlc " ANML_VERSION "\n"};
    } catch (const CLI::ParseError& error) {
        return {std::nullopt, kExitUsage, fmt::format("anmlc: {}\nanmlc --help lists the options\n", error.what())};
    }
    Options options;
    if (check->parsed()) options.verb = Verb::check;
    if (lint->parsed()) options.verb = Verb::lint;
    if (analyze->parsed()) options.verb = Verb::analyze;
    if (graph->parsed()) options.verb = Verb::graph;
    if (format->parsed()) options.verb = Verb::fmt;
    if (std::string wrong = understand(words, options); !wrong.empty()) {
        return {std::nullopt, kExitUsage, fmt::format("anmlc: {}\n", wrong)};
    }
    result.options = std::move(options);
    return result;
}

}  // namespace anml

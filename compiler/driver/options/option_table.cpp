// The table of options: what the parser, the help, the manual page and the shell completions come from.
#include "driver/options/option_table.h"

namespace anml {

namespace {

void add_file(CLI::App& app, Words& words)
{
    app.add_option("file", words.file, "The model, or - for standard input")->required()->option_text("FILE.anml");
}

void add_files(CLI::App& app, Words& words, const char* text)
{
    app.add_option("file", words.files, text)->required()->option_text("FILE...");
}

void add_messages(CLI::App& app, Words& words)
{
    app.add_option("--error-format", words.error_format,
                   "human (default), short: a line each, json: an object a line, github: annotations of GitHub "
                   "Actions, or sarif: "
                   "a SARIF 2.1.0 log")
        ->check(CLI::IsMember({"human", "short", "json", "github", "sarif"}))
        ->option_text("FORMAT");
    app.add_option("--color", words.color, "auto (default), always or never")
        ->check(CLI::IsMember({"auto", "always", "never"}))
        ->option_text("WHEN");
}

void add_tasks(CLI::App& app, Words& words)
{
    app.add_option("--tasks", words.tasks,
                   "Divide the model into N tasks, fewer where no lookahead lies between (default: by its size)")
        ->check(CLI::Range(1u, kMostTasksAsked))
        ->option_text("N");
}

void add_level(CLI::App& app, Words& words, const char* text)
{
    app.add_option("-O", words.level, text)->check(CLI::IsMember({"0", "2"}))->option_text("LEVEL");
}

void add_folders(CLI::App& app, Words& words)
{
    app.add_option("-I", words.includes, "Look for imported modules in DIR too (repeatable)")
        ->allow_extra_args(false)
        ->option_text("DIR");
}

void add_common(CLI::App& app, Words& words)
{
    add_folders(app, words);
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
    app.add_option("--format", words.analysis_format, "table (default), csv or json")
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
    app.add_option("--at", words.at, "At a moment of the timeline: --at 40s")->option_text("TIME");
    app.add_option("--top", words.top, "Rows of a table in the summary (default 10; 0: all)")->option_text("N");
}

void add_defines(CLI::App& app, const char* name, std::vector<std::string>& defines, const char* text)
{
    app.add_option(name, defines, text)->allow_extra_args(false)->option_text("NAME=VALUE");
}

void add_findings(CLI::App& app, Words& words)
{
    app.add_option("--format", words.findings_format,
                   "Write what is found to standard output, or to PATH of -o: text, json: an object a line, sarif: a "
                   "SARIF 2.1.0 log, or github: annotations of GitHub Actions")
        ->check(CLI::IsMember({"text", "json", "sarif", "github"}))
        ->option_text("FORMAT");
    app.add_option("-o", words.output, "Where --format writes")->option_text("PATH");
}

void add_difference(CLI::App& app, Words& words)
{
    app.add_option("before", words.file, "The model as it was, or - for standard input")
        ->required()
        ->option_text("BEFORE.anml");
    app.add_option("after", words.second, "As it is now, or - for standard input")
        ->required()
        ->option_text("AFTER.anml");
    app.add_option("-o", words.output, "Write to PATH, whose suffix chooses the format (default: standard output)")
        ->option_text("PATH");
    app.add_option("--format", words.diff_format,
                   "text (default), json, or a picture: html, svg or dot (default: by the output's name)")
        ->check(CLI::IsMember({"text", "json", "html", "svg", "dot"}))
        ->option_text("FORMAT");
    app.add_flag("--all", words.all, "Say everything, and not the first of what is much");
    app.add_flag("--quiet", words.quiet, "Say nothing: the exit status tells");
    add_folders(app, words);
    add_defines(app, "-D", words.defines, "Set a parameter of both models: -D N=32, -D 'D=4 ms' (repeatable)");
    add_defines(app, "--before-define", words.before_defines, "Set one of the first model (repeatable)");
    add_defines(app, "--after-define", words.after_defines, "Set one of the second model (repeatable)");
    app.add_option("--model", words.model, "The model to build of both files, where they have several")
        ->option_text("NAME");
    app.add_option("--before-model", words.before_model, "Of the first file")->option_text("NAME");
    app.add_option("--after-model", words.after_model, "Of the second file")->option_text("NAME");
    add_layout(app, words.graph);
    add_messages(app, words);
    app.footer("Exit status: 0 the networks are the same, 1 they differ, 2 there are errors, 70 a bug in anmlc.");
}

void add_import(CLI::App& app, Words& words)
{
    app.add_option("file", words.file, "The graph, trace or session, or - for standard input")
        ->required()
        ->option_text("FILE");
    app.add_option("-o", words.output, "Write to PATH (default: standard output)")->option_text("PATH");
    app.add_option("--from", words.from,
                   "What the file is (default: its name or its first bytes tell): " + graph_format_words())
        ->option_text("FORMAT");
    app.add_option("--model", words.model, "The model's name (default: made of the file's)")->option_text("NAME");
    app.add_option("--hosts", words.hosts, "Hosts at each router, 1 by default, which send to each other; 0: none")
        ->check(CLI::Range(0u, 10000u))
        ->option_text("N");
    app.add_option("--largest", words.largest, "Only the N nodes with the most links, and the links between them")
        ->check(CLI::Range(2u, 1000000u))
        ->option_text("N");
    app.add_option("--around", words.around, "Only what lies within --within links of this node")->option_text("NODE");
    app.add_option("--within", words.within, "How far --around reaches (default: 2)")
        ->check(CLI::Range(1u, 1000u))
        ->option_text("N");
    app.add_option("--rate", words.rate, "Of links whose rate the file does not say (default: 1 Gbps)")
        ->option_text("RATE");
    app.add_option("--delay", words.delay, "Of links whose delay and length it does not say (default: 1 ms)")
        ->option_text("TIME");
}

void add_report(CLI::App& app, Words& words)
{
    app.add_option("file", words.files,
                   "Results of runs, as --results of emulators writes them, or folders of experiments; the first is "
                   "compared with")
        ->required()
        ->option_text("FILE...");
    app.add_option("-o", words.output, "Write to PATH, whose suffix chooses the format (default: standard output)")
        ->option_text("PATH");
    app.add_option("--format", words.report_format,
                   "html, markdown, csv, json or junit (default: by the output's name; markdown to standard output)")
        ->check(CLI::IsMember({"html", "markdown", "csv", "json", "junit"}))
        ->option_text("FORMAT");
    app.add_option("--network", words.network,
                   "On a page, show the network of this model with what its links carried and lost")
        ->option_text("FILE.anml");
    add_common(app, words);
}

void add_experiment(CLI::App& app, Words& words)
{
    add_file(app, words);
    app.add_option("name", words.experiment, "The experiment, where the file has several")->option_text("NAME");
    app.add_option("-o", words.output,
                   "The folder of its runs (default: NAME.runs); those that are there are not run again")
        ->option_text("FOLDER");
    app.add_option(
           "--jobs", words.jobs,
           "Simulated runs beside each other (default: as many as there are processors; otherwise as Slurm or GNU "
           "parallel have it)")
        ->check(CLI::Range(1u, 1024u))
        ->option_text("N");
    app.add_option(
           "--launcher", words.launcher,
           "Who runs simulated runs: local (default), slurm: array jobs, parallel: GNU parallel, or plan: write "
           "down what is to be run, for any other engine")
        ->check(CLI::IsMember({"local", "slurm", "parallel", "plan"}))
        ->option_text("NAME");
    app.add_option("--launcher-args", words.launcher_arguments,
                   "Further arguments of sbatch or parallel, as for a shell: '-p short -t 30', '--sshlogin a,b'")
        ->option_text("WORDS");
    app.add_flag("--no-wait", words.no_wait,
                 "Submit to Slurm and return: the same command without it waits and gathers");
    app.add_flag("--copy-files", words.copy_files,
                 "The hosts of GNU parallel do not see the folder: emulators go there, results come back, by rsync");
    app.add_flag("--gather", words.gather, "Run nothing: say what those runs found that have ended");
    app.add_flag("--fresh", words.fresh, "Run again what has been run");
    app.add_flag("--no-sharing", words.no_sharing,
                 "Simulate each run from its beginning, also where others are the same up to a time");
    app.add_option("--report", words.page,
                   "Write the report to PATH, whose suffix chooses the format (default: report.html in the folder)")
        ->option_text("PATH");
    app.add_flag("--quiet", words.quiet, "Do not say how far it is");
    app.add_flag("--dry-run", words.dry_run, "Show the combinations and do nothing");
    app.add_flag("--list", words.list, "Name the file's experiments and do nothing");
    add_level(app, words, "-O0: compile fast, -O2 (default): fast emulators");
    add_common(app, words);
    app.footer(
        "Exit status: 0 fine, 1 errors, 2 wrong usage, 99 what is required is not met everywhere (a search: nowhere), "
        "130 interrupted: the same command goes on.");
}

// What a link of `wire` and `proxy` is like.
void add_wire(CLI::App& command, Words& words, std::string_view who)
{
    command.add_option("--delay", words.wire.delay, "Of each packet, one way: 40ms")->option_text("TIME");
    command.add_option("--jitter", words.wire.jitter, "Added to it, evenly from 0 to this; packets keep their order")
        ->option_text("TIME");
    command.add_option("--loss", words.wire.loss, "Of the packets, each way: 1%")->option_text("RATIO");
    command.add_option("--rate", words.wire.rate, "Each way: 20Mbps (default: 100 Gbps)")->option_text("RATE");
    command.add_option("--up", words.wire.up, fmt::format("From {}, in place of --rate", who))->option_text("RATE");
    command.add_option("--down", words.wire.down, fmt::format("To {}, in place of --rate", who))->option_text("RATE");
    command.add_option("--queue", words.wire.queue, "What waits before the link, each way (default: 512KB)")
        ->option_text("SIZE");
    command.add_option("--access", words.wire.access,
                       "A profile of std.access, such as lte; other options take the place of its values")
        ->option_text("NAME");
    command.add_option("--api", words.wire.api,
                       "Change the link `wire` there by HTTP while it runs; ANML_API_TOKEN is the token, or one is "
                       "made")
        ->option_text("ADDRESS:PORT");
    command.add_flag("--print", words.wire.print, "Print the model that would run");
}

void add_pages(CLI::App& app, Words& words)
{
    app.add_option("--print-completion", words.completion, "Print what makes a shell complete anmlc's options")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->option_text("SHELL");
    app.add_flag("--print-man", words.man, "Print the manual page: anmlc --print-man | man -l -");
}

}  // namespace

void add_options(CLI::App& app, Words& words, std::vector<std::pair<CLI::App*, Verb>>& verbs)
{
    app.set_version_flag("--version", "anmlc " ANML_VERSION);
    app.add_option("file", words.file, "The model, or - for standard input")->option_text("FILE.anml");
    app.add_option("-o", words.output, "Write to PATH (default: the file's name without .anml)")->option_text("PATH");
    add_level(app, words, "-O0: compile fast, -O2 (default): fast emulators");
    add_tasks(app, words);
    app.add_flag("--mpi", words.mpi,
                 "The emulator may be one of several processes that run the model together: it will know where the "
                 "plugin for MPI is (mpirun ./emulator simulate --mpi)");
    app.add_flag("-c", words.object, "Stop at the object file");
    app.add_flag("-S", words.assembly, "Stop at the assembly text");
    app.add_option("-M", words.dependencies,
                   "-MD: write a makefile rule of all files read beside the output, as OUTPUT.d; -MF PATH: there")
        ->allow_extra_args(false)
        ->option_text("D|F");
    app.add_flag("-#", words.commands_only, "-###: show the command that would link, and write nothing");
    app.add_option("--emit", words.emit,
                   "Print a stage's result instead: ast, checked, network, anml (the network as a program), routes, "
                   "tasks, plan, "
                   "llvm")
        ->check(CLI::IsMember({"ast", "checked", "network", "anml", "routes", "tasks", "plan", "llvm"}))
        ->option_text("KIND");
    app.add_option("-f", words.front_end, "-fsyntax-only: check names, types and units of the text, write nothing")
        ->check(CLI::IsMember({"syntax-only"}))
        ->option_text("syntax-only");
    add_common(app, words);
    app.add_option("--explain", words.explain, "Explain a diagnostic by its name, such as unit-mismatch")
        ->option_text("NAME");
    add_pages(app, words);
    app.add_flag("--batch", words.batch,
                 "Run command lines from standard input, a JSON object a line, and answer each with one");

    const auto verb = [&](const char* name, const char* text, Verb which) -> CLI::App& {
        CLI::App* command = app.add_subcommand(name, text);
        verbs.emplace_back(command, which);
        return *command;
    };
    constexpr const char* kSeveral = "Models and libraries, folders (every .anml below), or - for standard input";
    CLI::App& check = verb("check", "Report every error, up to routes and requirements; write nothing", Verb::check);
    add_files(check, words, kSeveral);
    add_findings(check, words);
    add_common(check, words);
    CLI::App& lint = verb("lint", "Report what is no error and still rarely meant; write nothing", Verb::lint);
    add_files(lint, words, kSeveral);
    add_findings(lint, words);
    add_tasks(lint, words);
    add_common(lint, words);
    CLI::App& analyze =
        verb("analyze", "Paths, bottlenecks, loads under a demand, single points of failure", Verb::analyze);
    add_file(analyze, words);
    add_analysis(analyze, words);
    add_common(analyze, words);
    CLI::App& graph = verb("graph", "Draw the network, or write it for other programs; nothing is run", Verb::graph);
    add_file(graph, words);
    graph.add_option("-o", words.output, "Write to PATH, whose suffix chooses the format (default: standard output)")
        ->option_text("PATH");
    add_graph(graph, words.graph);
    add_tasks(graph, words);
    add_common(graph, words);
    CLI::App& difference =
        verb("diff", "Say what changed between two networks: nodes, links, routes, requirements", Verb::diff);
    add_difference(difference, words);
    CLI::App& format = verb("fmt", "Put files into the one style, in place", Verb::fmt);
    add_files(format, words, "Files, folders (every .anml below), or - for standard input to output");
    format.add_flag("--check", words.check_only, "Change nothing: name the files that would change; then status 1");
    format.add_flag("--diff", words.diff, "Change nothing: show what would change");
    add_messages(format, words);
    CLI::App& import =
        verb("import", "Write a graph of another tool as the source of a model, or a recorded session as requests",
             Verb::import);
    add_import(import, words);
    add_messages(import, words);
    CLI::App& run = verb("run", "Compile to a temporary place and run the emulator", Verb::run);
    add_file(run, words);
    add_level(run, words, "-O0 (default): compile fast, -O2: a fast emulator");
    add_tasks(run, words);
    add_common(run, words);
    run.footer(
        "What follows -- are the emulator's arguments; without a command among them it is simulate:\n"
        "  anmlc run wan.anml -D N=2 -- --for 30s\n"
        "  anmlc run wan.anml -- live --sandbox -- nginx -p www\n"
        "Exit status: 1 and 2 as of anmlc where it does not compile, otherwise the emulator's.");
    CLI::App& up = verb("up", "Run a model live with a command at each endpoint that its lab names", Verb::up);
    add_file(up, words);
    up.add_option("--lab", words.lab, "Its lines are ENDPOINT: COMMAND (default: beside the model, MODEL.lab)")
        ->option_text("FILE");
    add_level(up, words, "-O0 (default): compile fast, -O2: a fast emulator");
    add_tasks(up, words);
    add_common(up, words);
    up.footer(
        "What follows -- are arguments of the emulator's live:\n"
        "  anmlc up shop.anml\n"
        "  anmlc up shop.anml -- --until tests --results run.json\n"
        "Exit status: 1 and 2 as of anmlc where it does not begin, otherwise the emulator's.");
    CLI::App& wire = verb("wire", "Run a command behind an emulated link", Verb::wire);
    add_wire(wire, words, "the command");
    add_messages(wire, words);
    wire.footer(
        "What follows -- is the command, by default $SHELL. `machine` is this machine to it, with the servers of TCP that\n"
        "listen on its loopback, and no other network is there:\n"
        "  anmlc wire --delay 40ms --loss 1% --rate 20Mbps -- bash\n"
        "  anmlc wire --access lte -- curl http://machine:8000/\n"
        "Exit status: 1 and 2 as of anmlc where it does not begin, otherwise the command's.");
    CLI::App& proxy = verb("proxy", "Put an emulated link before a server of this machine", Verb::proxy);
    proxy.add_option("listen", words.wire.listen, "Where clients come; of a PORT alone, 127.0.0.1")
        ->option_text("[ADDRESS:]PORT")
        ->required();
    proxy.add_option("--to", words.wire.to, "The server's port of TCP")->option_text("[localhost:]PORT")->required();
    add_wire(proxy, words, "clients");
    add_messages(proxy, words);
    proxy.footer(
        "Ctrl-C ends it:\n"
        "  anmlc proxy 5432 --to localhost:5433 --delay 80ms\n"
        "  anmlc proxy 0.0.0.0:8080 --to 8000 --access lte");
    CLI::App& doc = verb("doc", "Print documentation from /// comments, the standard library's too", Verb::doc);
    doc.add_option("what", words.files,
                   "Modules, such as std.web, one declaration, as std.topology.Star, files, or folders with all their "
                   "files; the default is the package here, or else std, the standard library")
        ->option_text("MODULE|FILE|FOLDER...");
    doc.add_option("-o", words.output,
                   "Write to PATH instead of standard output; of a package, to that folder (default: .anml/doc)")
        ->option_text("PATH");
    doc.add_option(
           "--format", words.doc_format,
           "text, markdown or html: a page with pictures of components (default: by the output's name, else text)")
        ->check(CLI::IsMember({"text", "markdown", "html"}))
        ->option_text("FORMAT");
    doc.add_flag("--source", words.doc_source, "Print the modules' text as it is instead");
    add_folders(doc, words);
    add_messages(doc, words);
    CLI::App& report =
        verb("report", "Show results of runs or experiments, or compare them: as a page, Markdown, CSV or JSON",
             Verb::report);
    add_report(report, words);
    CLI::App& experiment = verb(
        "experiment", "Run a model for all levels of an experiment's factors, or search for a limit", Verb::experiment);
    add_experiment(experiment, words);
    CLI::App& again = verb("rerun", "Run again what an experiment has run, and say what differs", Verb::rerun);
    again.add_option("folder", words.file, "Of the run: FOLDER/runs/NAME")->required()->option_text("FOLDER");
    CLI::App& doctor = verb("doctor", "Check what this machine lets compilers and emulators do", Verb::doctor);
    doctor.add_flag("--json", words.json, "As JSON");
    doctor.footer("Exit status: 0 everything is as it should be, 1 something is missing, and the line says what for.");
    CLI::App& lsp =
        verb("lsp", "Serve an editor on standard input and output (Language Server Protocol 3.17)", Verb::lsp);
    lsp.add_flag("--stdio", words.stdio, "Does nothing: standard input and output are what there is");
    add_folders(lsp, words);
    CLI::App& make = verb("new", "Make a package: a folder with a module, an example and tests", Verb::make);
    make.add_option("folder", words.files, "The folder, called as the package; . makes one of this folder")
        ->required()
        ->expected(1)
        ->option_text("FOLDER");
    add_messages(make, words);
    CLI::App& add = verb("add", "Have the package use another one, and fetch what it needs", Verb::add);
    add.add_option(
           "package", words.files,
           "A folder, an archive or its address, or an address of git, with #TAG, #BRANCH or #COMMIT behind it; "
           "without one, what anml.toml and anml.lock name is fetched")
        ->option_text("PACKAGE...");
    add_messages(add, words);
    add.footer("No other verb downloads anything.");
    CLI::App& test = verb("test", "Run a package's tests: models that have to keep what they require", Verb::test);
    test.add_option("file", words.files, "Files and folders of tests, or packages (default: this package)")
        ->option_text("FILE...");
    test.add_option("--jobs", words.jobs, "Tests beside each other (default: as many as there are processors)")
        ->check(CLI::Range(1u, 1024u))
        ->option_text("N");
    test.add_option("--filter", words.filter, "Only tests with this text in their names")->option_text("TEXT");
    test.add_option("--timeout", words.timeout, "How long a test may take, with compiling (default: 60s)")
        ->option_text("TIME");
    test.add_option("--server", words.server,
                    "Run the tests live: a shell's COMMAND is the server, in the sandbox of each model's\n"
                    "only endpoint")
        ->option_text("COMMAND");
    test.add_option("--junit", words.junit, "Write what came of them to PATH, too, as JUnit's XML")
        ->option_text("PATH");
    test.add_flag("--list", words.list, "Name the tests and do nothing");
    add_folders(test, words);
    add_messages(test, words);
    test.footer("Exit status: 0 all passed, 1 one failed or there is none, 2 wrong usage.");
    CLI::App& explain = verb("explain", "Explain a diagnostic by its name", Verb::explain);
    explain.add_option("name", words.explain, "Such as unit-mismatch")->required()->option_text("NAME");
    app.require_subcommand(0, 1);
    app.footer(
        "@FILE stands for the words in FILE. Exit status: 0 fine, 1 errors in the model, 2 wrong usage, 70 a bug in "
        "anmlc.");
}

}  // namespace anml

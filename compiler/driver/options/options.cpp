// What the words of the command line mean: the decisions that need more than one of them.
#include "driver/options/options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>

#include "commandline/mistakes.h"
#include "driver/commands.h"
#include "driver/options/command_words.h"
#include "driver/options/option_pages.h"
#include "driver/options/option_table.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

const std::map<std::string, Goal> kEmit{
    {"ast", Goal::ast},       {"anml", Goal::anml},   {"checked", Goal::checked}, {"network", Goal::network},
    {"routes", Goal::routes}, {"tasks", Goal::tasks}, {"plan", Goal::plan},       {"llvm", Goal::llvm}};
const std::map<std::string, ErrorFormat> kErrorFormats{{"human", ErrorFormat::human},
                                                       {"short", ErrorFormat::brief},
                                                       {"json", ErrorFormat::json},
                                                       {"github", ErrorFormat::github},
                                                       {"sarif", ErrorFormat::sarif}};

const std::map<std::string, Between> kBetween{
    {"hosts", Between::hosts}, {"routers", Between::routers}, {"all", Between::all}};
const std::map<std::string, AnalyzeOptions::Show> kShow{
    {"summary", AnalyzeOptions::Show::summary}, {"links", AnalyzeOptions::Show::links},
    {"pairs", AnalyzeOptions::Show::pairs},     {"cuts", AnalyzeOptions::Show::cuts},
    {"rtt", AnalyzeOptions::Show::rtt},         {"hops", AnalyzeOptions::Show::hops}};
const std::map<std::string, AnalyzeOptions::Format> kFormats{{"table", AnalyzeOptions::Format::table},
                                                             {"csv", AnalyzeOptions::Format::csv},
                                                             {"json", AnalyzeOptions::Format::json}};

// Each: empty, or what is wrong.
std::string set_launch(const Words& words, LaunchRequest& launch)
{
    static const std::map<std::string, Launching> kLaunchers{{"", Launching::local},
                                                             {"local", Launching::local},
                                                             {"slurm", Launching::slurm},
                                                             {"parallel", Launching::parallel},
                                                             {"plan", Launching::plan}};
    launch.by = kLaunchers.at(words.launcher);
    launch.arguments = words.launcher_arguments;
    launch.jobs = words.jobs;
    launch.wait = !words.no_wait;
    launch.copy_files = words.copy_files;
    launch.gather = words.gather;
    const bool slurm = launch.by == Launching::slurm, parallel = launch.by == Launching::parallel;
    if (launch.gather && (launch.by == Launching::plan || words.no_wait || words.fresh))
        return "--gather runs nothing, so --launcher=plan, --no-wait and --fresh have no meaning";
    if (!launch.arguments.empty() && !slurm && !parallel)
        return "--launcher-args go to sbatch or parallel: --launcher=slurm or --launcher=parallel";
    if (words.no_wait && !slurm) return "--no-wait is for jobs that go on by themselves: --launcher=slurm";
    if (launch.copy_files && !parallel) return "--copy-files is for --launcher=parallel";
    if (launch.copy_files && launch.arguments.empty())
        return "--copy-files: to which hosts? --launcher-args='--sshlogin a,b'";
    return "";
}

std::string set_time(const std::string& text, std::optional<double>& at)
{
    if (text.empty()) return {};
    const auto time = parse_quantity(text);
    if (!time || time->dim != dimension::time) return fmt::format("--at takes a time such as 40s, found `{}`", text);
    at = time->value;
    return {};
}

std::string set_demand(const std::string& word, const std::string& rate, DemandOptions& demand)
{
    demand.kind = word == "uniform" ? DemandKind::uniform : word == "gravity" ? DemandKind::gravity : DemandKind::file;
    if (demand.kind == DemandKind::file) demand.file = word;
    if (rate.empty()) return {};
    const auto total = parse_quantity(rate);
    if (!total || total->dim != dimension::rate || total->value <= 0)
        return fmt::format("--total takes a rate above 0, such as '10 Gbps', found `{}`", rate);
    if (demand.kind == DemandKind::file)
        return "the rates stand in the file of demands: --total goes with uniform and gravity";
    demand.total = total->value;
    return {};
}

std::string set_analysis(const Words& words, Options& options)
{
    AnalyzeOptions& analyze = options.analyze;
    analyze.show = kShow.at(words.show);
    analyze.format = kFormats.at(words.analysis_format);
    analyze.between = kBetween.at(words.between);
    analyze.top = words.top;
    if (std::string wrong = set_time(words.at, analyze.at); !wrong.empty()) return wrong;
    return set_demand(words.demand, words.total, analyze.demand);
}

bool is_model_name(std::string_view name)
{
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (name.empty() || !letter(name.front())) return false;
    for (char c : name)
        if (!letter(c) && (c < '0' || c > '9')) return false;
    return true;
}

bool want_color(const std::string& when, int stream)
{
    if (when != "auto") return when == "always";
    const char* terminal = std::getenv("TERM");
    return isatty(stream) && !std::getenv("NO_COLOR") && terminal && std::string_view(terminal) != "dumb";
}

using Defines = std::vector<std::pair<std::string, std::string>>;

// Empty, or what is wrong.
std::string set_defines(const std::vector<std::string>& defines, Defines& list, const char* option = "-D")
{
    for (const std::string& define : defines) {
        std::size_t equals = define.find('=');
        if (equals == std::string::npos || equals == 0) {
            return fmt::format("{} takes NAME=VALUE, found `{}`", option, define);
        }
        const std::string_view name = std::string_view(define).substr(0, equals);
        for (const auto& [given, value] : list)
            if (given == name)
                return fmt::format("{} gives `{}` twice: {} and {}", option, name, value, define.substr(equals + 1));
        list.emplace_back(define.substr(0, equals), define.substr(equals + 1));
    }
    return {};
}

std::string set_output(const Words& words, Options& options)
{
    const bool binary = options.goal == Goal::executable || options.goal == Goal::object;
    const bool file = binary || options.goal == Goal::assembly;
    if (!file && options.output.empty()) options.output = "-";
    if (binary && options.output == "-")
        return "an executable or object file is not written to standard output: give -o a name";
    if (file && options.output.empty()) {
        fs::path input = words.file;
        std::string stem = words.file == "-" ? "a" : input.stem().string();
        options.output = stem + (options.goal == Goal::object     ? ".o"
                                 : options.goal == Goal::assembly ? ".s"
                                 : words.file == "-"              ? ".out"
                                                                  : "");
    }
    std::error_code ignored;
    if (options.output != "-" && words.file != "-" && fs::exists(options.output, ignored) &&
        fs::equivalent(options.output, words.file, ignored))
    {
        return fmt::format("the output `{}` would replace the input: give -o another name", options.output);
    }
    return {};
}

// -MD and -MF PATH, as compilers of C have them. Empty, or what is wrong.
std::string set_dependencies(const std::vector<std::string>& words, Options& options)
{
    if (words.empty()) return {};
    const bool wanted = std::find(words.begin(), words.end(), "D") != words.end();
    for (const std::string& word : words)
        if (word.starts_with("F")) options.dependencies = word.substr(1);
    if (!wanted) return "-MF says where the rule of -MD goes: give both";
    if (options.output == "-" || options.goal == Goal::syntax_only)
        return "-MD makes a rule for a file, and here none is written";
    if (options.dependencies.empty()) options.dependencies = options.output + ".d";
    return {};
}

// Empty, or what is wrong.
std::string understand_import(const Words& words, Options& options)
{
    options.import.input = words.file;
    options.import.model = words.model;
    options.import.hosts = words.hosts;
    options.import.part.around = words.around;
    options.import.part.within = words.within;
    if (words.largest > 0) options.import.part.largest = words.largest;
    if (options.output.empty()) options.output = "-";
    if (!words.from.empty()) {
        options.import.format = find_graph_format(words.from);
        if (!options.import.format)
            return fmt::format("--from is one of {}, found `{}`", graph_format_words(), words.from);
    }
    if (!words.model.empty() && !is_model_name(words.model))
        return fmt::format("--model takes letters, digits and `_`, found `{}`", words.model);
    const auto set = [](const std::string& text, Dimension dim, double low, double high, double& out) {
        if (text.empty()) return true;
        const auto quantity = parse_quantity(text);
        if (!quantity || quantity->dim != dim || quantity->value < low || quantity->value > high) return false;
        out = quantity->value;
        return true;
    };
    if (!set(words.rate, dimension::rate, 1, 1e15, options.import.rate))
        return fmt::format("--rate takes a rate such as 10Gbps, found `{}`", words.rate);
    if (!set(words.delay, dimension::time, 0, 3.6e12, options.import.delay))
        return fmt::format("--delay takes a time such as 2ms, found `{}`", words.delay);
    return {};
}

// Empty, or what is wrong.
std::string understand_report(const Words& words, Options& options)
{
    std::string name = words.report_format;
    if (options.output.empty()) options.output = "-";
    if (name.empty() && options.output != "-") {
        name = fs::path(options.output).extension().string();
        if (!name.empty()) name.erase(0, 1);
    }
    if (name.empty() && options.output == "-") name = "markdown";
    const auto format = find_report_format(name);
    if (!format)
        return fmt::format(
            "no report is written as `{}`: --format or the output's name chooses html, markdown, csv, json or junit",
            name);
    options.report = *format;
    options.sources.input = words.network;
    if (words.network.empty() && !(words.defines.empty() && words.model.empty()))
        return "-D and --model are of the model that --network draws";
    if (!words.network.empty() && options.report != ReportFormat::html)
        return "--network draws on a page: -o report.html";
    options.goal = Goal::graph;
    options.graph.format = PictureFormat::svg;
    options.graph.color_by = ColorBy::load;
    return set_defines(words.defines, options.elaborate.defines);
}

// Empty, or what is wrong.
std::string understand_diff(const Words& words, Options& options)
{
    DiffOptions& difference = options.difference;
    if (words.file == "-" && words.second == "-") return "one of the models only can be on standard input";
    const auto model = [&](const std::string& own) { return own.empty() ? words.model : own; };
    difference.before = {words.file, model(words.before_model), {}};
    difference.after = {words.second, model(words.after_model), {}};
    difference.all = words.all;
    difference.quiet = words.quiet;
    options.goal = Goal::diff;
    if (options.output.empty()) options.output = "-";
    std::string format = words.diff_format;
    if (format.empty() && options.output != "-") {
        format = fs::path(options.output).extension().string();
        if (!format.empty()) format.erase(0, 1);
        if (format == "txt") format = "text";
    }
    if (format.empty()) format = "text";
    if (std::string wrong = set_graph(words.graph, "", options); !wrong.empty()) return wrong;
    if (format == "text" || format == "json") {
        difference.format = format == "json" ? DiffOptions::Format::json : DiffOptions::Format::text;
    } else {
        const auto picture = find_picture_format(format);
        if (picture != PictureFormat::html && picture != PictureFormat::svg && picture != PictureFormat::dot)
            return fmt::format(
                "no difference is written as `{}`: --format or the output's name chooses text, json, html, svg or dot",
                format);
        difference.format = DiffOptions::Format::picture;
        options.graph.format = *picture;
    }
    options.graph.color_by = ColorBy::change;
    options.color = options.output == "-" && want_color(words.color, STDOUT_FILENO);
    for (const auto& [defines, list, option] :
         {std::tuple(&words.defines, &options.elaborate.defines, "-D"),
          std::tuple(&words.before_defines, &difference.before.defines, "--before-define"),
          std::tuple(&words.after_defines, &difference.after.defines, "--after-define")})
        if (std::string wrong = set_defines(*defines, *list, option); !wrong.empty()) return wrong;
    return {};
}

// Where findings go. Empty, or what is wrong.
std::string set_findings(const Words& words, Options& options)
{
    if (words.findings_format.empty()) return words.output.empty() ? "" : "-o says where --format writes: give both";
    if (words.error_format != "human") return "--format and --error-format exclude each other";
    options.findings = true;
    options.error_format = kErrorFormats.at(words.findings_format == "text" ? "human" : words.findings_format);
    if (options.output.empty()) options.output = "-";
    options.color = options.output == "-" && want_color(words.color, STDOUT_FILENO);
    return {};
}

// Empty, or what is wrong.
std::string understand_check(const Words& words, Options& options)
{
    std::error_code ignored;
    const bool one = words.files.size() == 1 && !fs::is_directory(words.files.front(), ignored);
    if (!one && !(words.defines.empty() && words.model.empty())) return "-D and --model are of a model: give one file";
    if (std::string wrong = set_findings(words, options); !wrong.empty()) return wrong;
    return set_defines(words.defines, options.elaborate.defines);
}

// Empty, or what is wrong.
std::string understand_test(const Words& words, Options& options)
{
    options.jobs = words.jobs;
    options.list = words.list;
    options.filter = words.filter;
    options.junit = words.junit;
    options.server = words.server;
    if (words.timeout.empty()) return {};
    const auto time = parse_quantity(words.timeout);
    if (!time || time->dim != dimension::time || time->value <= 0)
        return fmt::format("--timeout takes a time such as 60s, found `{}`", words.timeout);
    options.timeout = time->value / 1e9;
    return {};
}

DocFormat doc_format(const Words& words)
{
    std::string name = words.doc_format;
    if (name.empty()) name = fs::path(words.output).extension().string();
    if (name == "html" || name == ".html") return DocFormat::html;
    return name == "markdown" || name == ".md" ? DocFormat::markdown : DocFormat::text;
}

std::string understand(const Words& words, Options& options)
{
    options.sources = {words.file, words.includes};
    options.elaborate.model = words.model;
    options.partition.tasks = words.tasks;
    const bool fast = words.level.empty() ? options.verb == Verb::run || options.verb == Verb::up : words.level == "0";
    options.level = fast ? OptLevel::O0 : OptLevel::O2;
    options.error_format = kErrorFormats.at(words.error_format);
    options.color = want_color(words.color, STDERR_FILENO);
    options.verbose = words.verbose;
    options.explain = words.explain;
    options.files = words.files;
    options.check_only = words.check_only;
    options.diff = words.diff;
    options.doc = doc_format(words);
    options.doc_chosen = !words.doc_format.empty() || options.doc != DocFormat::text || words.output == "-";
    options.source_text = words.doc_source;
    options.json = words.json;
    options.output = words.output;
    if (options.verb == Verb::fmt || options.verb == Verb::doc || options.verb == Verb::doctor ||
        options.verb == Verb::lsp || options.verb == Verb::make || options.verb == Verb::add)
        return {};
    options.wire = words.wire;
    if (options.verb == Verb::wire || options.verb == Verb::proxy) {
        options.level = OptLevel::O0;
        return wrong_wire(options.wire);
    }
    if (options.verb == Verb::test) return understand_test(words, options);
    if (options.verb == Verb::import) return understand_import(words, options);
    options.experiment = words.experiment;
    options.dry_run = words.dry_run;
    options.jobs = words.jobs;
    options.fresh = words.fresh;
    options.quiet = words.quiet;
    options.sharing = !words.no_sharing;
    options.page = words.page;
    if (!words.page.empty() && options.verb == Verb::experiment) {
        const auto format = find_report_format(fs::path(words.page).extension().string().erase(0, 1));
        if (!format)
            return fmt::format("--report {}: its suffix is none of .html, .md, .csv, .json and .xml", words.page);
        options.report = *format;
    }
    options.list = words.list;
    if (options.verb == Verb::experiment)
        if (std::string wrong = set_launch(words, options.launch); !wrong.empty()) return wrong;
    if (options.verb == Verb::rerun) return {};
    if (options.verb == Verb::diff) return understand_diff(words, options);
    for (const std::string& word : words.warnings)
        if (std::string wrong = options.warnings.set(word); !wrong.empty()) return wrong;
    if (options.verb == Verb::report) return understand_report(words, options);
    if (!words.explain.empty()) {
        options.verb = Verb::explain;
        return {};
    }
    if (options.verb == Verb::check || options.verb == Verb::lint) {
        options.goal = options.verb == Verb::check ? Goal::check : Goal::lint;
        return understand_check(words, options);
    }
    if (words.file.empty()) return "which file? Give an .anml file, or `-` for standard input";
    if (words.object + words.assembly + !words.emit.empty() + !words.front_end.empty() > 1) {
        return "-c, -S, --emit and -fsyntax-only exclude each other";
    }
    if (options.verb == Verb::analyze)
        options.goal = Goal::analyze;
    else if (options.verb == Verb::graph)
        options.goal = Goal::graph;
    else if (words.object)
        options.goal = Goal::object;
    else if (words.assembly)
        options.goal = Goal::assembly;
    else if (!words.front_end.empty())
        options.goal = Goal::syntax_only;
    else if (!words.emit.empty())
        options.goal = kEmit.at(words.emit);
    if (options.goal == Goal::syntax_only && !words.output.empty())
        return "-fsyntax-only writes no output, so -o has no meaning";
    if (options.goal == Goal::analyze)
        if (std::string wrong = set_analysis(words, options); !wrong.empty()) return wrong;
    if (std::string wrong = set_defines(words.defines, options.elaborate.defines); !wrong.empty()) return wrong;
    options.lab = words.lab;
    if (options.verb == Verb::up && words.file == "-" && words.lab.empty()) return "--lab names the lab of standard input";
    if (options.verb == Verb::run || options.verb == Verb::up) return {};
    if (options.verb == Verb::experiment) return words.file == "-" ? "an experiment is in a file" : "";
    if (options.goal == Goal::graph) {
        if (std::string wrong = set_graph(words.graph, words.output, options); !wrong.empty()) return wrong;
        if (std::string wrong = set_time(words.graph.at, options.shown.at); !wrong.empty()) return wrong;
        if (!words.graph.demand.empty() || !words.graph.total.empty()) {
            if (options.graph.color_by != ColorBy::load)
                return "--demand and --total say which load --color-by=load shows";
            const std::string demand = words.graph.demand.empty() ? "uniform" : words.graph.demand;
            std::string wrong = set_demand(demand, words.graph.total, options.shown.demand.emplace());
            if (!wrong.empty()) return wrong;
        }
    }
    if (std::string wrong = set_output(words, options); !wrong.empty()) return wrong;
    options.commands_only = words.commands_only;
    if (options.commands_only && options.goal != Goal::executable)
        return "-### shows how an executable is linked, and here none is";
    options.mpi = words.mpi;
    if (options.mpi && options.goal != Goal::executable)
        return "--mpi is about the executable, and here none is linked";
    return set_dependencies(words.dependencies, options);
}

// What a mistake on the command line was meant to be; "" where nobody knows.
std::string usual_mistake(int argc, const char* const* argv, const CLI::App& app)
{
    for (const char* const verb : {"run", "up"})
        if (app.get_subcommand(verb)->parsed())
            for (const std::string& word : app.remaining(true))
                if (word.starts_with("-"))
                    return fmt::format("{0} has no option `{1}`: what the emulator is told stands behind `--`, as in "
                                       "`anmlc {0} FILE -- {1}`",
                                       verb, word);
    for (int i = 1; i < argc; ++i)
        if (const std::string_view word = argv[i]; word == "--set" || word.starts_with("--set="))
            return "--set is an option of the compiled emulator, for tunables; anmlc takes -D NAME=VALUE";
    const std::string_view first = argc > 1 ? argv[1] : "";
    std::error_code ignored;
    if (first.empty() || first.starts_with("-") || first.ends_with(".anml") || fs::exists(first, ignored)) return {};
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    if (std::find(verbs.begin(), verbs.end(), first) != verbs.end()) return {};
    const auto similar = similar_name(first, {verbs.begin(), verbs.end()});
    return similar.empty() ? "" : fmt::format("there is no verb `{}`; there is `{}`", first, similar);
}

// A positional argument that is missing, as the usage calls it: "AFTER.anml is required: the model ...".
std::string missing_argument(const CLI::App& app)
{
    for (const CLI::App* verb : app.get_subcommands())
        for (const CLI::Option* option : verb->get_options())
            if (option->get_positional() && option->get_required() && option->count() == 0) {
                std::string what = option->get_description();
                if (what.size() > 1 && what[1] >= 'a' && what[1] <= 'z')
                    what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
                std::string name = option->get_option_text();
                if (name.ends_with("...")) name.resize(name.size() - 3);
                return fmt::format("{} is required: {}", name, what);
            }
    return {};
}

}  // namespace

ParsedOptions parse_options(int argc, const char* const* argv)
{
    // Behind `--` stand the arguments of the emulator that `run` runs.
    const char* const* end = std::find_if(argv, argv + argc, [](const char* word) { return !std::strcmp(word, "--"); });
    const bool separated = end != argv + argc;

    CommandWords expanded;
    if (std::string wrong = expand_words({argv, end}, expanded); !wrong.empty())
        return {std::nullopt, kExitUsage, fmt::format("anmlc: {}\n", wrong)};

    Words words;
    std::vector<std::pair<CLI::App*, Verb>> verbs;
    CLI::App app{"Compiles a model of a network into an emulator, a program of its own.", "anmlc"};
    add_options(app, words, verbs);
    ParsedOptions result;
    try {
        app.parse(static_cast<int>(expanded.words.size()), expanded.words.data());
    } catch (const CLI::CallForHelp&) {
        const std::vector<CLI::App*> chosen = app.get_subcommands();
        return {std::nullopt, 0, chosen.empty() ? app.help() : chosen.front()->help("anmlc")};
    } catch (const CLI::CallForVersion&) {
        return {std::nullopt, 0, "anmlc " ANML_VERSION "\n"};
    } catch (const CLI::ParseError& error) {
        std::string meant = usual_mistake(argc, argv, app);
        if (meant.empty() && error.get_name() == "RequiredError") meant = missing_argument(app);
        return {std::nullopt, kExitUsage,
                fmt::format("anmlc: {}\nanmlc --help lists the options\n",
                            meant.empty() ? commandline::plain_mistake(error.what()) : meant)};
    }
    if (words.man || !words.completion.empty()) return {std::nullopt, 0, option_page(app, words)};
    Options options;
    for (const auto& [command, verb] : verbs)
        if (command->parsed()) options.verb = verb;
    if (words.batch) {
        if (argc != 2) return {std::nullopt, kExitUsage, "anmlc: --batch stands alone: command lines follow on standard input\n"};
        options.verb = Verb::batch;
        return {options, 0, ""};
    }
    options.words.assign(argv, end);
    if (separated) options.arguments.assign(end + 1, argv + argc);
    const bool takes = options.verb == Verb::run || options.verb == Verb::up || options.verb == Verb::wire;
    std::string wrong = separated && !takes ? "`--` belongs to run, up and wire" : understand(words, options);
    if (!wrong.empty()) return {std::nullopt, kExitUsage, fmt::format("anmlc: {}\n", wrong)};
    result.options = std::move(options);
    return result;
}

}  // namespace anml

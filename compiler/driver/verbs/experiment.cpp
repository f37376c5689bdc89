// anmlc experiment FILE [NAME]: what the file's experiment asks of its model, run after run.
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "base/process.h"
#include "check/checked_program.h"
#include "commandline/streams.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/session.h"
#include "driver/verb.h"
#include "driver/write_file.h"
#include "experiment/experiment.h"
#include "report/experiments/findings.h"

namespace anml {

namespace {

int fail(const std::string& why)
{
    commandline::say(fmt::format("anmlc: {}\n", why));
    return kExitErrors;
}

class ExperimentVerb : public Verb {
  public:
    ExperimentVerb()
        : Verb("experiment", "Run a model for all levels of an experiment's factors, or search for a limit")
    {
    }

    void add_options(CLI::App& app) override;
    std::string understand() override;
    int run(const CommandLine&) override;

  private:
    std::string set_launch();
    std::string chosen(const CheckedProgram& program) const;
    std::vector<std::string> compiling(const std::string& name) const;
    bool read_network(ExperimentRequest& request, Compilation& c);
    int with_report(const ExperimentRequest& request, const ExperimentEnd& end) const;

    BuildOptions options_;
    ModelWords model_;
    LevelWord level_;
    std::string name_, output_, launcher_;  // name_ "": the only one
    std::string page_;                      // "": report.html in the folder
    ReportFormat page_format_ = ReportFormat::html;
    LaunchRequest launch_;
    bool no_wait_ = false, fresh_ = false, no_sharing_ = false, quiet_ = false, dry_run_ = false, list_ = false;
};

void ExperimentVerb::add_options(CLI::App& app)
{
    add_file(app, options_.sources.input);
    app.add_option("name", name_, "The experiment, where the file has several")->option_text("NAME");
    app.add_option("-o", output_,
                   "The folder of its runs (default: NAME.runs); those that are there are not run again")
        ->option_text("FOLDER");
    app.add_option(
           "--jobs", launch_.jobs,
           "Simulated runs beside each other (default: as many as there are processors; otherwise as Slurm or GNU "
           "parallel have it)")
        ->check(CLI::Range(1u, 1024u))
        ->option_text("N");
    app.add_option(
           "--launcher", launcher_,
           "Who runs simulated runs: local (default), slurm: array jobs, parallel: GNU parallel, or plan: write "
           "down what is to be run, for any other engine")
        ->check(CLI::IsMember({"local", "slurm", "parallel", "plan"}))
        ->option_text("NAME");
    app.add_option("--launcher-args", launch_.arguments,
                   "Further arguments of sbatch or parallel, as for a shell: '-p short -t 30', '--sshlogin a,b'")
        ->option_text("WORDS");
    app.add_flag("--no-wait", no_wait_,
                 "Submit to Slurm and return: the same command without it waits and gathers");
    app.add_flag("--copy-files", launch_.copy_files,
                 "The hosts of GNU parallel do not see the folder: emulators go there, results come back, by rsync");
    app.add_flag("--gather", launch_.gather, "Run nothing: say what those runs found that have ended");
    app.add_flag("--fresh", fresh_, "Run again what has been run");
    app.add_flag("--no-sharing", no_sharing_,
                 "Simulate each run from its beginning, also where others are the same up to a time");
    app.add_option("--report", page_,
                   "Write the report to PATH, whose suffix chooses the format (default: report.html in the folder)")
        ->option_text("PATH");
    app.add_flag("--quiet", quiet_, "Do not say how far it is");
    app.add_flag("--dry-run", dry_run_, "Show the combinations and do nothing");
    app.add_flag("--list", list_, "Name the file's experiments and do nothing");
    level_.add(app, "-O0: compile fast, -O2 (default): fast emulators");
    model_.add(app, options_);
    app.footer(
        "Exit status: 0 fine, 1 errors, 2 wrong usage, 99 what is required is not met everywhere (a search: nowhere), "
        "130 interrupted: the same command goes on.");
}

std::string ExperimentVerb::understand()
{
    if (!page_.empty()) {
        const auto format = find_report_format(format_of(page_));
        if (!format) return fmt::format("--report {}: its suffix is none of .html, .md, .csv, .json and .xml", page_);
        page_format_ = *format;
    }
    if (std::string wrong = set_launch(); !wrong.empty()) return wrong;
    if (std::string wrong = model_.set(options_); !wrong.empty()) return wrong;
    return options_.sources.input == "-" ? "an experiment is in a file" : "";
}

std::string ExperimentVerb::set_launch()
{
    static const std::map<std::string, Launching> kLaunchers{{"", Launching::local},
                                                             {"local", Launching::local},
                                                             {"slurm", Launching::slurm},
                                                             {"parallel", Launching::parallel},
                                                             {"plan", Launching::plan}};
    launch_.by = kLaunchers.at(launcher_);
    launch_.wait = !no_wait_;
    const bool slurm = launch_.by == Launching::slurm, parallel = launch_.by == Launching::parallel;
    if (launch_.gather && (launch_.by == Launching::plan || no_wait_ || fresh_))
        return "--gather runs nothing, so --launcher=plan, --no-wait and --fresh have no meaning";
    if (!launch_.arguments.empty() && !slurm && !parallel)
        return "--launcher-args go to sbatch or parallel: --launcher=slurm or --launcher=parallel";
    if (no_wait_ && !slurm) return "--no-wait is for jobs that go on by themselves: --launcher=slurm";
    if (launch_.copy_files && !parallel) return "--copy-files is for --launcher=parallel";
    if (launch_.copy_files && launch_.arguments.empty())
        return "--copy-files: to which hosts? --launcher-args='--sshlogin a,b'";
    return "";
}

// "": there is none of that name, and it has said so.
std::string ExperimentVerb::chosen(const CheckedProgram& program) const
{
    const std::string& input = options_.sources.input;
    std::string names;
    for (const ComponentId id : program.experiments) {
        const std::string& name = program.component(id).name;
        if (name == name_ || (name_.empty() && program.experiments.size() == 1)) return name;
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
    }
    if (names.empty())
        fail(fmt::format("`{}` declares no experiment: `experiment NAME : MODEL {{ ... }}`", input));
    else if (name_.empty())
        fail(fmt::format("which of its experiments? `{}` declares {}", input, names));
    else
        fail(fmt::format("there is no experiment `{}`; `{}` declares {}", name_, input, names));
    return "";
}

// What compiles it, but for what the experiment varies.
std::vector<std::string> ExperimentVerb::compiling(const std::string& name) const
{
    std::vector<std::string> words{executable_path(),
                                   options_.sources.input,
                                   "--model",
                                   name,
                                   level_.value(OptLevel::O2) == OptLevel::O0 ? "-O0" : "-O2",
                                   "--color",
                                   "never"};
    for (const std::string& folder : options_.sources.include_dirs) words.insert(words.end(), {"-I", folder});
    for (const auto& [parameter, value] : options_.elaborate.defines)
        words.insert(words.end(), {"-D", fmt::format("{}={}", parameter, value)});
    return words;
}

// The report of what has run, whatever came of it. Where it cannot be written the experiment has failed, too.
int ExperimentVerb::with_report(const ExperimentRequest& request, const ExperimentEnd& end) const
{
    if (!end.summarized) return end.status;
    Compilation compilation;
    const std::string path = page_.empty() ? request.folder + "/report.html" : page_;
    const auto findings = read_findings({request.folder}, compilation.diagnostics);
    const bool good = findings && write_file(path, write_findings(*findings, page_format_, path, ANML_VERSION),
                                             compilation.diagnostics);
    if (good)
        std::printf("  report: %s\n", path.c_str());
    else
        print_diagnostics(options_.messages, compilation);
    return good ? end.status : kExitErrors;
}

// What its network says of it.
bool ExperimentVerb::read_network(ExperimentRequest& request, Compilation& c)
{
    BuildOptions reading = options_;
    reading.elaborate.model = request.name;
    Session session(reading, c);
    const Network* network = session.network();
    const bool good = session.end(network != nullptr);
    print_diagnostics(options_.messages, c);
    if (!good) return false;
    request.info = *network->experiment;
    // Without a timeline runs that differ do so from the start.
    request.sharing = !no_sharing_ && !network->timeline.empty() && !request.info.live;
    for (const MeasureInfo& m : network->measures) {
        request.measures.push_back(measure_text(*network, m));
        request.dimensions.push_back(dimension_of_measure(m.kind, m.phase));
        request.sums.push_back(m.kind == abi::MeasureKind::completed);
    }
    const auto duration = network->values.as_constant(network->duration);
    if (request.info.live && duration) request.duration = *duration / 1e9;
    return true;
}

int ExperimentVerb::run(const CommandLine&)
{
    ExperimentRequest request;
    {
        BuildOptions reading = options_;
        reading.elaborate.defines.clear();
        Compilation text;
        Session session(reading, text);
        const CheckedProgram* program = session.program();
        if (!session.end(program != nullptr)) return print_diagnostics(options_.messages, text), kExitErrors;
        if (list_) {
            for (const ComponentId id : program->experiments) {
                const Component& one = program->component(id);
                std::printf("%s%s%s\n", one.name.c_str(), one.doc.empty() ? "" : "  ", one.doc.c_str());
            }
            return 0;
        }
        request.name = chosen(*program);
        if (request.name.empty()) return kExitErrors;
        for (const ComponentId id : program->experiments)
            if (program->component(id).name == request.name) request.about = program->component(id).doc;
    }
    Compilation network;
    if (!read_network(request, network)) return kExitErrors;
    for (FactorInfo& factor : request.info.factors) {
        for (const auto& [name, value] : options_.elaborate.defines)
            if (name == factor.name)
                return fail(fmt::format("-D {}: the experiment `{}` varies it", name, request.name));
        for (std::size_t i = 0; i < factor.levels.size(); ++i)
            if (factor.levels[i].empty()) factor.levels[i] = network.sources.text(factor.places[i]);
    }
    request.compiling = compiling(request.name);
    request.folder = output_.empty() ? request.name + ".runs" : output_;
    request.version = ANML_VERSION;
    request.jobs = launch_.jobs > 0 ? launch_.jobs : processors();
    request.fresh = fresh_;
    request.quiet = quiet_;
    request.dry_run = dry_run_;
    request.launch = launch_;
    if (request.info.live && request.launch.by != Launching::local)
        return fail(fmt::format("`{}` is live: its runs need this machine, one after the other, without --launcher",
                                request.name));
    for (const auto& [parameter, value] : options_.elaborate.defines)
        request.defines.push_back(fmt::format("{}={}", parameter, value));
    return with_report(request, run_experiment(request, network.sources));
}

}  // namespace

std::unique_ptr<Verb> verb_experiment() { return std::make_unique<ExperimentVerb>(); }

}  // namespace anml

// anmlc experiment FILE [NAME]: what the file's experiment asks of its model, run after run.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/process.h"
#include "check/checked_program.h"
#include "commandline/streams.h"
#include "driver/commands.h"
#include "driver/report.h"
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

// "": there is none of that name, and it has said so.
std::string chosen(const Options& options, const Compilation& compilation)
{
    std::string names;
    for (const auto& [name, doc] : compilation.experiments) {
        if (name == options.experiment || (options.experiment.empty() && compilation.experiments.size() == 1))
            return name;
        names += fmt::format("{}`{}`", names.empty() ? "" : ", ", name);
    }
    if (names.empty())
        fail(fmt::format("`{}` declares no experiment: `experiment NAME : MODEL {{ ... }}`", options.sources.input));
    else if (options.experiment.empty())
        fail(fmt::format("which of its experiments? `{}` declares {}", options.sources.input, names));
    else
        fail(fmt::format("there is no experiment `{}`; `{}` declares {}", options.experiment, options.sources.input,
                         names));
    return "";
}

// What compiles it, but for what the experiment varies.
std::vector<std::string> compiling(const Options& options, const std::string& name)
{
    std::vector<std::string> words{executable_path(),
                                   options.sources.input,
                                   "--model",
                                   name,
                                   options.level == OptLevel::O0 ? "-O0" : "-O2",
                                   "--color",
                                   "never"};
    for (const std::string& folder : options.sources.include_dirs) words.insert(words.end(), {"-I", folder});
    for (const auto& [parameter, value] : options.elaborate.defines)
        words.insert(words.end(), {"-D", fmt::format("{}={}", parameter, value)});
    return words;
}

// The report of what has run, whatever came of it. Where it cannot be written the experiment has failed, too.
int with_report(const Options& options, const ExperimentRequest& request, const ExperimentEnd& end)
{
    if (!end.summarized) return end.status;
    Compilation compilation;
    const std::string path = options.page.empty() ? request.folder + "/report.html" : options.page;
    const auto findings = read_findings({request.folder}, compilation.diagnostics);
    const ReportFormat format = options.page.empty() ? ReportFormat::html : options.report;
    const bool good =
        findings && write_file(path, write_findings(*findings, format, path, ANML_VERSION), compilation.diagnostics);
    if (good)
        std::printf("  report: %s\n", path.c_str());
    else
        print_report(options, compilation);
    return good ? end.status : kExitErrors;
}

}  // namespace

int cmd_experiment(const Options& options)
{
    Compilation text;
    Options reading = options;
    reading.goal = Goal::syntax_only;
    reading.elaborate.defines.clear();
    if (!compile(reading, text)) return print_report(options, text), kExitErrors;
    if (options.list) {
        for (const auto& [name, doc] : text.experiments)
            std::printf("%s%s%s\n", name.c_str(), doc.empty() ? "" : "  ", doc.c_str());
        return 0;
    }
    ExperimentRequest request;
    request.name = chosen(options, text);
    if (request.name.empty()) return kExitErrors;
    for (const auto& [name, doc] : text.experiments)
        if (name == request.name) request.about = doc;
    Compilation network;
    reading = options;
    reading.goal = Goal::network;
    reading.elaborate.model = request.name;
    // Without a timeline runs that differ do so from the start.
    network.seen = [&](const Network& seen, const RouteTables&, const std::vector<double>&) {
        request.sharing = options.sharing && !seen.timeline.empty();
    };
    const bool good = compile(reading, network);
    print_report(options, network);
    if (!good) return kExitErrors;
    request.info = *network.experiment;
    request.sharing = request.sharing && !request.info.live;
    for (FactorInfo& factor : request.info.factors) {
        for (const auto& [name, value] : options.elaborate.defines)
            if (name == factor.name)
                return fail(fmt::format("-D {}: the experiment `{}` varies it", name, request.name));
        for (std::size_t i = 0; i < factor.levels.size(); ++i)
            if (factor.levels[i].empty()) factor.levels[i] = network.sources.text(factor.places[i]);
    }
    for (const auto& [name, kind, phase] : network.measures) {
        request.measures.push_back(name);
        request.dimensions.push_back(dimension_of_measure(kind, phase));
        request.sums.push_back(kind == abi::MeasureKind::completed);
    }
    request.compiling = compiling(options, request.name);
    request.folder = options.output.empty() ? request.name + ".runs" : options.output;
    request.version = ANML_VERSION;
    request.jobs = options.jobs > 0 ? options.jobs : processors();
    request.fresh = options.fresh;
    request.quiet = options.quiet;
    if (request.info.live && network.duration) request.duration = *network.duration / 1e9;
    request.dry_run = options.dry_run;
    request.launch = options.launch;
    if (request.info.live && request.launch.by != Launching::local)
        return fail(fmt::format("`{}` is live: its runs need this machine, one after the other, without --launcher",
                                request.name));
    for (const auto& [parameter, value] : options.elaborate.defines)
        request.defines.push_back(fmt::format("{}={}", parameter, value));
    return with_report(options, request, run_experiment(request, network.sources));
}

int cmd_rerun(const Options& options) { return rerun(options.sources.input); }

}  // namespace anml

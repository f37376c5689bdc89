// anmlc report FILE...: results of runs as a page, or as tables for people and programs.
#include <algorithm>
#include <cstdio>

#include "driver/commands.h"
#include "driver/dependencies.h"
#include "driver/report.h"
#include "driver/write_file.h"
#include "report/experiments/findings.h"

namespace anml {

namespace {

// A picture of what the run's links carried, and another where they lost something. False after an error, which
// `drawn` has.
bool draw_links(const Options& options, const RunResults& run, std::vector<ReportPicture>& pictures, Compilation& drawn)
{
    MeasuredLoads carried{"Utilisation", 1, {}}, lost{"Loss", 0, {}};
    for (const LinkShare& link : link_shares(run)) {
        carried.links.emplace(link.link, link.utilisation);
        if (link.lost > 0) lost.links.emplace(link.link, link.lost);
    }
    for (const MeasuredLoads* loads : {&carried, &lost}) {
        if (loads == &lost && lost.links.empty()) continue;
        ReportPicture picture{run.name, loads->title, "", ""};
        for (const bool dark : {false, true}) {
            Options drawing = options;
            drawing.shown.measured = loads;
            drawing.graph.dark = dark;
            drawn = {};
            if (!compile(drawing, drawn)) return false;
            (dark ? picture.dark : picture.light) = std::move(drawn.text);
        }
        pictures.push_back(std::move(picture));
    }
    return true;
}

bool write_text(const Options& options, const std::string& text, Compilation& compilation)
{
    if (options.output != "-")
        return keeps_inputs(options.output, compilation) && write_file(options.output, text, compilation.diagnostics);
    const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (std::fflush(stdout) == 0 && good) return true;
    compilation.diagnostics.report(Diag::cannot_write_output, {}, "cannot write to standard output");
    return false;
}

// Folders of experiments; a file among them belongs to another report.
int report_findings(const Options& options)
{
    Compilation compilation;
    Reporter reporter(options);
    bool good = options.sources.input.empty();
    if (!good)
        compilation.diagnostics.report(Diag::unmatched_results, {},
                                       "--network draws what a run's links carried, and an experiment has many runs")
            .help("name the results of one: FOLDER/runs/NAME/results.json");
    std::optional<std::vector<Findings>> findings;
    if (good) findings = read_findings(options.files, compilation.diagnostics);
    good = findings &&
           write_text(options,
                      write_findings(*findings, options.report, options.output == "-" ? "" : options.output,
                                     ANML_VERSION),
                      compilation);
    reporter.add(compilation);
    reporter.end();
    return good ? 0 : kExitErrors;
}

}  // namespace

int cmd_report(const Options& options)
{
    if (std::any_of(options.files.begin(), options.files.end(), is_experiment_folder)) return report_findings(options);
    Compilation compilation, drawn;
    Reporter reporter(options);
    std::vector<std::string> files = options.files;
    for (std::string& file : files)
        if (is_run_folder(file)) file += "/results.json";
    const auto runs = read_results(files, compilation.sources, compilation.diagnostics);
    bool good = runs.has_value();
    std::vector<ReportPicture> pictures;
    if (good && !options.sources.input.empty()) {
        for (const RunResults& run : *runs) good = good && draw_links(options, run, pictures, drawn);
        good = good && (options.output == "-" || keeps_inputs(options.output, drawn));
        reporter.add(drawn);
    }
    good = good && write_text(options, write_report(*runs, options.report, pictures, ANML_VERSION), compilation);
    reporter.add(compilation);
    reporter.end();
    return good ? 0 : kExitErrors;
}

}  // namespace anml

// anmlc report FILE...: results of runs as a page, or as tables for people and programs.
#include <fmt/format.h>

#include <algorithm>

#include "driver/dependencies.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/show_network.h"
#include "driver/verb.h"
#include "report/experiments/findings.h"
#include "report/report.h"

namespace anml {

namespace {

// A picture of what the run's links carried, and another where they lost something. False after an error, which
// `drawn` has.
bool draw_links(const BuildOptions& options, const RunResults& run, std::vector<ReportPicture>& pictures,
                Compilation& drawn)
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
            PictureOptions look;
            look.format = PictureFormat::svg;
            look.color_by = ColorBy::load;
            look.dark = dark;
            ShownOptions shown;
            shown.measured = loads;
            drawn = {};
            Session session(options, drawn);
            auto text = draw_model(session, look, shown, "-");
            if (!session.end(text.has_value())) return false;
            (dark ? picture.dark : picture.light) = std::move(*text);
        }
        pictures.push_back(std::move(picture));
    }
    return true;
}

class ReportVerb : public Verb {
  public:
    ReportVerb()
        : Verb("report", "Show results of runs or experiments, or compare them: as a page, Markdown, CSV or JSON")
    {
    }

    void add_options(CLI::App& app) override
    {
        app.add_option("file", files_,
                       "Results of runs, as --results of emulators writes them, or folders of experiments; the first "
                       "is compared with")
            ->required()
            ->option_text("FILE...");
        app.add_option("-o", output_, "Write to PATH, whose suffix chooses the format (default: standard output)")
            ->option_text("PATH");
        app.add_option(
               "--format", format_word_,
               "html, markdown, csv, json or junit (default: by the output's name; markdown to standard output)")
            ->check(CLI::IsMember({"html", "markdown", "csv", "json", "junit"}))
            ->option_text("FORMAT");
        app.add_option("--network", options_.sources.input,
                       "On a page, show the network of this model with what its links carried and lost")
            ->option_text("FILE.anml");
        model_.add(app, options_);
    }

    std::string understand() override
    {
        if (output_.empty()) output_ = "-";
        std::string name = format_word_.empty() ? format_of(output_) : format_word_;
        if (name.empty() && output_ == "-") name = "markdown";
        const auto format = find_report_format(name);
        if (!format)
            return fmt::format("no report is written as `{}`: --format or the output's name chooses html, markdown, "
                               "csv, json or junit",
                               name);
        format_ = *format;
        if (std::string wrong = model_.set(options_); !wrong.empty()) return wrong;
        const bool drawn = !options_.sources.input.empty();
        if (!drawn && !(options_.elaborate.defines.empty() && options_.elaborate.model.empty()))
            return "-D and --model are of the model that --network draws";
        return drawn && format_ != ReportFormat::html ? "--network draws on a page: -o report.html" : "";
    }

    int run(const CommandLine&) override
    {
        Compilation compilation, drawn;
        DiagnosticsPrinter printer(options_.messages);
        const bool experiments = std::any_of(files_.begin(), files_.end(), is_experiment_folder);
        const bool good = experiments ? report_experiments(compilation) : report_runs(compilation, drawn, printer);
        printer.add(compilation);
        printer.end();
        return good ? 0 : kExitErrors;
    }

  private:
    bool report_runs(Compilation& compilation, Compilation& drawn, DiagnosticsPrinter& printer)
    {
        std::vector<std::string> files = files_;
        for (std::string& file : files)
            if (is_run_folder(file)) file += "/results.json";
        const auto runs = read_results(files, compilation.sources, compilation.diagnostics);
        bool good = runs.has_value();
        std::vector<ReportPicture> pictures;
        if (good && !options_.sources.input.empty()) {
            for (const RunResults& run : *runs) good = good && draw_links(options_, run, pictures, drawn);
            good = good && (output_ == "-" || keeps_inputs(output_, drawn));
            printer.add(drawn);
        }
        return good && write_text(output_, write_report(*runs, format_, pictures, ANML_VERSION), compilation);
    }

    // Of their folders; a file among them belongs to another report.
    bool report_experiments(Compilation& compilation)
    {
        if (!options_.sources.input.empty()) {
            compilation.diagnostics
                .report(Diag::unmatched_results, {},
                        "--network draws what a run's links carried, and an experiment has many runs")
                .help("name the results of one: FOLDER/runs/NAME/results.json");
            return false;
        }
        const auto findings = read_findings(files_, compilation.diagnostics);
        return findings && write_text(output_,
                                      write_findings(*findings, format_, output_ == "-" ? "" : output_, ANML_VERSION),
                                      compilation);
    }

    BuildOptions options_;  // of the model that is drawn
    ModelWords model_;
    std::vector<std::string> files_;
    std::string output_, format_word_;
    ReportFormat format_ = ReportFormat::markdown;
};

}  // namespace

std::unique_ptr<Verb> verb_report() { return std::make_unique<ReportVerb>(); }

}  // namespace anml

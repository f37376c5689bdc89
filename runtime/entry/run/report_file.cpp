#include "entry/run/report_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "commandline/streams.h"
#include "entry/run/run.h"
#include "entry/tools/output_file.h"
#include "reporting/report.h"

namespace anml::rt::entry {

namespace {

std::optional<ReportFormat> format_of(const std::string& file)
{
    const std::string suffix = std::filesystem::path(file).extension().string();
    return suffix.empty() ? std::nullopt : find_report_format(suffix.substr(1));
}

}  // namespace

std::string why_no_report(const std::string& file)
{
    if (format_of(file)) return "";
    return fmt::format("--report {}: a report ends with .html, .md, .csv, .json or .xml", file);
}

std::string report_text(const std::string& results, const std::string& file, const std::string& results_file)
{
    const std::string shown = results_file.empty() ? file : results_file;
    const RunResults run{std::filesystem::path(shown).stem().string(), shown, anml::Json::parse(results)};
    return write_report({run}, *format_of(file), {}, ANML_VERSION);
}

bool Run::write_results(const Statistics& statistics, const Figures& figures) const
{
    if (options_.results.empty() && options_.reports.empty()) return true;
    const std::string results = results_json(model_, info_, statistics, figures);
    std::string error;
    bool good = options_.results.empty() || write_file(options_.results, results, error);
    for (const std::string& report : options_.reports)
        good = good && write_file(report, report_text(results, report, options_.results), error);
    if (!good) commandline::say(fmt::format("error: {}\n", error));
    return good;
}

}  // namespace anml::rt::entry

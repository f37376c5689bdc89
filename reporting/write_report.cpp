// The formats of a report, and the two for programs: JSON as docs/report.schema.json has it, and CSV.
#include <fmt/format.h>

#include "common/csv.h"
#include "reporting/table.h"

namespace anml {

namespace {

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string_view better_name(Better better)
{
    static constexpr std::string_view kNames[] = {"neither", "lower", "higher"};
    return kNames[static_cast<int>(better)];
}

Json figure_json(const ReportFigure& figure)
{
    Json values = Json::array(), at_least = Json::array(), differences = Json::array();
    for (std::size_t run = 0; run < figure.values.size(); ++run) {
        values.push_back(or_null(figure.values[run]));
        at_least.push_back(or_null(figure.at_least[run]));
        differences.push_back(or_null(figure.difference(run)));
    }
    return {{"id", figure.id},
            {"name", figure.name},
            {"unit", unit_name(figure.unit)},
            {"better", better_name(figure.better)},
            {"values", values},
            {"at_least", at_least},
            {"differences", differences}};
}

std::string csv_number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

}  // namespace

std::string write_report_json(const std::vector<RunResults>& runs, const ReportTable& table)
{
    Json json = {{"report_version", 1}, {"runs", Json::array()}, {"groups", Json::array()}};
    for (const RunResults& run : runs) {
        const Json& r = run.data;
        json["runs"].push_back({{"name", run.name},
                                {"file", run.file},
                                {"model", r["model"]},
                                {"mode", r["mode"]},
                                {"started", r["started"]},
                                {"seed", r["seed"]},
                                {"verdict", r["verdict"]},
                                {"verdict_reasons", r["verdict_reasons"]},
                                {"thresholds", thresholds_of(run)},
                                {"digest", r["digest"]}});
    }
    for (const ReportGroup& group : table.groups) {
        Json figures = Json::array();
        for (const ReportFigure& figure : group.figures)
            if (figure.given()) figures.push_back(figure_json(figure));
        json["groups"].push_back({{"kind", group.kind}, {"name", group.unique_name()}, {"figures", figures}});
        if (!group.label.empty()) json["groups"].back()["label"] = group.label;
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string write_report_csv(const std::vector<RunResults>& runs, const ReportTable& table)
{
    std::string out = "kind,name,figure,unit";
    for (const RunResults& run : runs) out += "," + csv_field(run.name);
    for (std::size_t run = 1; run < runs.size(); ++run) out += "," + csv_field("difference of " + runs[run].name);
    out += "\r\n";
    for (const ReportGroup& group : table.groups) {
        for (const ReportFigure& figure : group.figures) {
            if (!figure.given()) continue;
            out += fmt::format("{},{},{},{}", group.kind, csv_field(group.unique_name()), csv_field(figure.id),
                               unit_name(figure.unit));
            for (const auto& value : figure.values) out += "," + csv_number(value);
            for (std::size_t run = 1; run < runs.size(); ++run) out += "," + csv_number(figure.difference(run));
            out += "\r\n";
        }
    }
    return out;
}

std::optional<ReportFormat> find_report_format(std::string_view name)
{
    if (name == "html" || name == "htm") return ReportFormat::html;
    if (name == "markdown" || name == "md") return ReportFormat::markdown;
    if (name == "csv") return ReportFormat::csv;
    if (name == "json") return ReportFormat::json;
    if (name == "junit" || name == "xml") return ReportFormat::junit;
    return std::nullopt;
}

std::string write_report(const std::vector<RunResults>& runs, ReportFormat format,
                         const std::vector<ReportPicture>& pictures, std::string_view version)
{
    const ReportTable table = make_table(runs);
    switch (format) {
        case ReportFormat::html:
            return write_report_page(runs, table, pictures, version);
        case ReportFormat::markdown:
            return write_report_markdown(runs, table);
        case ReportFormat::csv:
            return write_report_csv(runs, table);
        case ReportFormat::junit:
            return write_report_junit(runs);
        case ReportFormat::json:
            break;
    }
    return write_report_json(runs, table);
}

}  // namespace anml

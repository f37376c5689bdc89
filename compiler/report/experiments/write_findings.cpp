// Findings for programs, JSON (docs/findings.schema.json) and CSV, and the choice of the format.
#include <fmt/format.h>

#include <algorithm>

#include "common/csv.h"
#include "report/experiments/differences.h"
#include "report/experiments/writers.h"

namespace anml {

namespace {

std::string number_or_nothing(const Json& value) { return value.is_number() ? value.dump() : ""; }

}  // namespace

std::string write_findings_json(const std::vector<Findings>& findings, const Json& differences)
{
    Json json = {{"findings_version", 1}, {"experiments", Json::array()}, {"differences", differences}};
    for (const Findings& one : findings) json["experiments"].push_back(one.data);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A line for each measure at each combination, with a column for each factor that any of them has.
std::string write_findings_csv(const std::vector<Findings>& findings)
{
    std::vector<std::string> factors;
    for (const Findings& one : findings)
        for (const Json& factor : one.data["factors"])
            if (const auto name = factor["name"].get<std::string>();
                std::find(factors.begin(), factors.end(), name) == factors.end())
                factors.push_back(name);
    std::string out = "experiment";
    for (const std::string& factor : factors) out += "," + csv_field(factor);
    out += ",measure,unit,mean,half_width,batches,runs,failed,met\r\n";
    for (const Findings& one : findings)
        for (const Json& point : one.data["points"])
            for (const Json& measure : one.data["measures"]) {
                const auto& name = measure["name"].get_ref<const std::string&>();
                if (!point["measures"].contains(name)) continue;
                const Json& estimate = point["measures"][name];
                out += csv_field(one.name);
                for (const std::string& factor : factors) out += "," + csv_field(point["settings"].value(factor, ""));
                out += fmt::format(",{},{},{},{},{},{},{},{}\r\n", csv_field(name), measure["unit"].get<std::string>(),
                                   number_or_nothing(estimate["mean"]), number_or_nothing(estimate["half_width"]),
                                   number_or_nothing(estimate["batches"]), point["runs"].dump(), point["failed"].dump(),
                                   point["met"].dump());
            }
    return out;
}

std::string write_findings(const std::vector<Findings>& findings, ReportFormat format, const std::string& output,
                           std::string_view version)
{
    const Json differences = differences_of(findings);
    switch (format) {
        case ReportFormat::html:
            return write_findings_page(findings, differences, output, version);
        case ReportFormat::markdown:
            return write_findings_markdown(findings, differences);
        case ReportFormat::csv:
            return write_findings_csv(findings);
        case ReportFormat::junit:
            return write_findings_junit(findings);
        case ReportFormat::json:
            break;
    }
    return write_findings_json(findings, differences);
}

}  // namespace anml

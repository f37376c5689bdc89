// The page of findings: the template, themes and charts of reports, with sections of its own.
#include <algorithm>
#include <filesystem>

#include "report/experiments/embedded_files.h"
#include "report/experiments/texts.h"
#include "report/experiments/writers.h"
#include "reporting/embedded_files.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

// From the page to the experiment's folder, as a browser follows it; "" where nobody knows.
std::string way_to(const std::string& folder, const std::string& output)
{
    if (output.empty()) return "";
    std::error_code error;
    const fs::path page = fs::absolute(output, error).lexically_normal().parent_path();
    const fs::path way = fs::absolute(folder, error).lexically_normal().lexically_relative(page);
    std::string text;
    for (const char c : way.generic_string()) {
        static constexpr std::string_view kPlain = "-_.~/=,+";
        if (std::isalnum(static_cast<unsigned char>(c)) || kPlain.find(c) != std::string_view::npos)
            text += c;
        else
            text += {'%', "0123456789ABCDEF"[static_cast<unsigned char>(c) >> 4],
                     "0123456789ABCDEF"[static_cast<unsigned char>(c) & 15]};
    }
    return text.empty() ? "." : text;
}

Json page_experiment(const Findings& findings, const std::string& output)
{
    Json json = findings.data;
    json["answers"] = Json::array();
    for (const Answer& answer : answers_of(findings))
        json["answers"].push_back({{"kind", answer.kind}, {"text", answer.text}});
    for (Json& point : json["points"])
        for (auto& [name, estimate] : point["measures"].items()) {
            const std::string unit = unit_of_measure(findings.data, name);
            estimate["text"] = mean_text(estimate, unit);
            estimate["spread"] = spread_text(estimate, unit);
        }
    json["curves"] = findings.curves;
    json["way"] = way_to(findings.folder, output);
    return json;
}

}  // namespace

std::string write_findings_page(const std::vector<Findings>& findings, const Json& differences,
                                const std::string& output, std::string_view version)
{
    Json data = {{"experiments", Json::array()}, {"differences", differences}};
    for (const Findings& one : findings) data["experiments"].push_back(page_experiment(one, output));
    return fill_page(find_file(report_files(), "page"), [&](std::string_view name) -> std::string {
        if (name == "title") return for_text(findings.front().name);
        if (name == "version") return for_text(version);
        if (name == "data") return for_script(data.dump(-1, ' ', false, Json::error_handler_t::replace));
        if (name == "style")
            return std::string(find_file(report_files(), name)) + std::string(find_file(findings_files(), "style"));
        if (name == "tables") return std::string(find_file(findings_files(), name));
        if (name == "sections")
            return std::string(find_file(findings_files(), "factor-chart")) +
                   std::string(find_file(findings_files(), name));
        return std::string(find_file(report_files(), name));
    });
}

}  // namespace anml

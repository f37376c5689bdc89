// Chooses the view and its form.
#include <limits>

#include "analysis/analyze/views.h"

namespace anml {
namespace {

std::string show_table(const AnalysisTable& table, AnalyzeOptions::Format format)
{
    switch (format) {
        case AnalyzeOptions::Format::csv:
            return table.csv();
        case AnalyzeOptions::Format::json:
            return table.json().dump(2) + "\n";
        case AnalyzeOptions::Format::table:
            return table.text(std::numeric_limits<std::size_t>::max());
    }
    return {};
}

// Figures by name, nested ones as "hops.mean".
void flatten(const nlohmann::ordered_json& json, const std::string& prefix, AnalysisTable& table)
{
    for (const auto& [key, value] : json.items()) {
        if (value.is_object())
            flatten(value, prefix + key + ".", table);
        else
            table.rows.push_back({{prefix + key, {}}, {value, {}}});
    }
}

}  // namespace

std::string show_analysis(const NetworkAnalysis& a, const AnalyzeOptions& options)
{
    using Show = AnalyzeOptions::Show;
    switch (options.show) {
        case Show::links:
            return show_table(links_table(a), options.format);
        case Show::pairs:
            return show_table(pairs_table(a), options.format);
        case Show::cuts:
            return show_table(cuts_table(a), options.format);
        case Show::rtt:
        case Show::hops:
            return show_table(matrix_table(a, options.show == Show::rtt), options.format);
        case Show::summary:
            break;
    }
    if (options.format == AnalyzeOptions::Format::table)
        return summary_text(a, options.top == 0 ? std::numeric_limits<std::size_t>::max() : options.top);
    nlohmann::ordered_json json = summary_json(a);
    if (options.format == AnalyzeOptions::Format::csv) {
        AnalysisTable table{{{"figure", ""}, {"value", ""}}, {}};
        flatten(json, "", table);
        return table.csv();
    }
    json["busiest_links"] = links_table(a).json();
    json["single_points_of_failure"] = cuts_table(a).json();
    return json.dump(2) + "\n";
}

}  // namespace anml

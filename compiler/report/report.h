// anmlc report: from the results files of runs to what people compare and show.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "source/source_set.h"

namespace anml {

using Json = nlohmann::ordered_json;

// A results file, which fits its schema.
struct RunResults {
    std::string name;  // the file's, without folder and suffix; unique among those of a report
    std::string file;
    Json data;
};

// Each file is in `sources` then. Nothing, and a diagnostic at the place, if one of them holds no results.
std::optional<std::vector<RunResults>> read_results(const std::vector<std::string>& files, SourceSet& sources,
                                                    Diagnostics& diagnostics);

enum class ReportFormat : std::uint8_t { html, markdown, csv, json };
std::optional<ReportFormat> find_report_format(std::string_view name);  // "markdown", or as files end: "md"

// What links carried, drawn on the network: SVGs.
struct ReportPicture {
    std::string run, what;  // "slow", "Utilisation"
    std::string light, dark;
};

// A report of at least one run. `pictures`: for a page.
std::string write_report(const std::vector<RunResults>& runs, ReportFormat format,
                         const std::vector<ReportPicture>& pictures, std::string_view version);

// Of a run's links, as the results name them ("slow>"): the share of the time that they transmitted, or of the packets
// that they lost, in their queue or behind it.
struct LinkShare {
    std::string link;
    double utilisation = 0, lost = 0;
};
std::vector<LinkShare> link_shares(const RunResults& run);

}  // namespace anml

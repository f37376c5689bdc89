// Reports of runs: from results, as emulators write them, to what people compare and show. It knows no model and no
// text of one: `anmlc report` reads files, and an emulator has its own results.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anml {

using Json = nlohmann::ordered_json;

// Results of a run, which fit their schema.
struct RunResults {
    std::string name;  // the file's, without folder and suffix; unique among those of a report
    std::string file;
    Json data;
};

enum class ReportFormat : std::uint8_t { html, markdown, csv, json, junit };
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

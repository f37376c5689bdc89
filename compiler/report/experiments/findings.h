// What experiments found: folders as `anmlc experiment` leaves them, as a page, Markdown, CSV and JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "reporting/report.h"

namespace anml {

// Of an experiment: its summary.json (docs/experiment.schema.json), and what it says itself besides, what its runs'
// results say, by point and by run, and how it came about (docs/findings.schema.json).
struct Findings {
    std::string name;    // unique among those of a report
    std::string folder;  // as it was given
    Json data;
    Json curves;  // percentiles, of those runs that have some: {run, workload, points}
};

bool is_run_folder(const std::string& path);  // of one run of an experiment: its results are in it
bool is_experiment_folder(const std::string& path);
// Nothing, and a diagnostic, where a folder holds no experiment, or one of another version.
std::optional<std::vector<Findings>> read_findings(const std::vector<std::string>& folders, Diagnostics& diagnostics);

// Of at least one. `output`: where it goes, from which a page's links to the runs lead; "": nowhere that is known.
std::string write_findings(const std::vector<Findings>& findings, ReportFormat format, const std::string& output,
                           std::string_view version);

}  // namespace anml

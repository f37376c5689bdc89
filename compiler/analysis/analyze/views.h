// What an analysis can be looked at as.
#pragma once

#include "analysis/analyze/analyze.h"
#include "analysis/analyze/table.h"

namespace anml {

AnalysisTable links_table(const NetworkAnalysis& analysis);                    // busiest first
AnalysisTable pairs_table(const NetworkAnalysis& analysis);                    // from every terminal to every other
AnalysisTable cuts_table(const NetworkAnalysis& analysis);                     // the worst first
AnalysisTable matrix_table(const NetworkAnalysis& analysis, bool round_trip);  // else hops

nlohmann::ordered_json summary_json(const NetworkAnalysis& analysis);
std::string summary_text(const NetworkAnalysis& analysis, std::size_t top);

// A load as people read it: a rate, or a plain number where the demand has no unit.
std::string load_text(const NetworkAnalysis& analysis, double load);

}  // namespace anml

// The report that a run writes itself (--report): what `anmlc report` makes of its results.
#pragma once

#include <string>

namespace anml::rt::entry {

// "": its name says which format it has.
std::string why_no_report(const std::string& file);

// Of results as they are written, in `results_file` perhaps.
std::string report_text(const std::string& results, const std::string& file, const std::string& results_file);

}  // namespace anml::rt::entry

// Findings in words, as all formats for people have them.
#pragma once

#include <string>
#include <vector>

#include "report/experiments/findings.h"

namespace anml {

std::string value_text(double value, std::string_view unit);         // "12.3 ms"; of shares "0.4 %"
std::string mean_text(const Json& estimate, std::string_view unit);  // "12.3 ms", "–"
// "± 0.4 ms"; "2 repetitions" where their interval is wider than the mean, and so says nothing; "" where there is none.
std::string spread_text(const Json& estimate, std::string_view unit);
std::string estimate_text(const Json& estimate,
                          std::string_view unit);  // "12.3 ms ± 0.4 ms", "12.3 ms (2 repetitions)"
std::string difference_text(const Json& difference, std::string_view unit);
// "paired, 8 seeds", "Welch"; and how much of the variance common seeds left: "6 %", "130 %, no help".
std::string method_text(const Json& difference);
std::string variance_text(const Json& difference);
std::string settings_text(const Json& settings);  // "clients = 4, gap = 20 ms"
std::string unit_of_measure(const Json& data, const std::string& measure);

// The answer first: what a search found, where a sweep met what is required, and by how many runs that were not valid;
// then how all runs went.
struct Answer {
    std::string kind;  // "good", "warn", "bad", "calm"
    std::string text;
};
std::vector<Answer> answers_of(const Findings& findings);

}  // namespace anml

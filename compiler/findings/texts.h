// Findings in words, as all formats for people have them.
#pragma once

#include <string>
#include <vector>

#include "findings/findings.h"

namespace anml {

std::string value_text(double value, std::string_view unit);  // "12.3 ms"; of shares "0.4 %"
std::string estimate_text(const Json& estimate, std::string_view unit);  // "12.3 ms ± 0.4 ms", "–"
std::string difference_text(const Json& difference, std::string_view unit);
std::string settings_text(const Json& settings);  // "clients = 4, gap = 20 ms"
std::string unit_of_measure(const Json& data, const std::string& measure);

// The answer first: what a search found, where a sweep met what is required, how many runs kept up.
struct Answer {
    std::string kind;  // "good", "bad", "calm"
    std::string text;
};
std::vector<Answer> answers_of(const Findings& findings);

}  // namespace anml

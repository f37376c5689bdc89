// What the text and the page say of entries, in the same words.
#pragma once

#include <string>

#include "diff/difference.h"

namespace anml {

struct PartPhrases {
    const char *title, *one, *many;  // "Links", "link", "links"
};
PartPhrases phrases_of(Part part);
std::string counts_text(const NetworkDifference& difference, Part part);  // "2 added, 1 changed"

std::string facts_text(const DifferenceEntry& entry);    // of what is added or removed: "address 10.0.0.10"
bool has_one_value(const DifferenceEntry& entry);        // whose name says nothing: of parameters, verdicts, times
std::string change_text(const AttributeChange& change);  // "5 ms -> 8 ms", of long values what differs
// "delay: 5 ms -> 8 ms", of routes "to pc[*]: via core2 instead of core1"; of many destinations the first, or all.
std::string attribute_line(Part part, const AttributeChange& change, bool all);

}  // namespace anml

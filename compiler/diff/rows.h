// Which rows of nodes are the same in both networks: those with one name, and those that are certainly renamed.
#pragma once

#include <vector>

#include "diff/texts.h"

namespace anml {

// What is said of all elements of a row.
struct RowFacts {
    Attributes own;                                              // kind, task, position, subnets
    std::vector<std::pair<std::string, std::uint32_t>> records;  // "tcp", "middlebox", "server" ...: index or kNone
};
RowFacts row_facts(NetworkTexts& texts, std::uint32_t row);

// Of one direction of a link, by its row; [0] a to b. What both have stands in `link_attributes`.
Attributes direction_attributes(NetworkTexts& texts, const LinkArray& link, int direction);
Attributes link_attributes(NetworkTexts& texts, const LinkArray& link);

// By row of the first network its row of the second one, kNone: none. Renames rows of `before`, and notes their names
// in `old_names`, "" of those that keep theirs.
std::vector<std::uint32_t> match_rows(Network& before, const Network& after, ComparedTexts& texts,
                                      std::vector<std::string>& old_names);

}  // namespace anml

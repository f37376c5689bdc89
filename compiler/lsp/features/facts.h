// What the later stages say of places in the text: addresses and how many there are of a node, figures of a link, the
// values of `rtt(a, b)` and the like.
#pragma once

#include "lsp/documents/snapshot.h"
#include "lsp/tools.h"

namespace anml::lsp {

// Adds those of one network, which may be one of several that the file declares.
void find_facts(const Network& network, const std::vector<double>& answers, Facts& facts);

json facts_json(const Facts& facts);
Facts facts_of_json(const json& facts);

}  // namespace anml::lsp

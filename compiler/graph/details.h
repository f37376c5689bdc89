// What the exchange formats say of single nodes and links besides what pictures show, so that `anmlc import` makes the
// same network of it; see docs/graph.md.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "graph/picture.h"

namespace anml {

struct Detail {
    std::string key;
    std::variant<bool, double, std::string> value;
};
const char* detail_type(const Detail& detail);  // GraphML's
std::string detail_text(const Detail& detail);  // without quotes

std::vector<Detail> node_details(const Network& network, const PictureNode& node);
// Of edges that stand for links of one row. `directed`: the other direction is an edge of its own.
std::vector<Detail> edge_details(const Network& network, const PictureEdge& edge, bool directed);

}  // namespace anml

// Names as the text of an expanded model has them: those of parts of instances stand between backquotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/string_literal.h"
#include "elaborate/network.h"
#include "syntax/syntax_tree.h"

namespace anml {

std::string doc_comment(std::string_view doc);  // a `///` line for each of its lines

const NodeArray& row_of_node(const Network& network, std::uint32_t node);
std::string node_element(const NodeArray& row, std::uint32_t element);  // "pc[3]"; "gateway"
// "pc[*]", "pc[2]", "[gateway, pc[1 .. 3]]"
std::string node_selection(const Network& network, const std::vector<TargetRange>& ranges);
std::string declared_link_name(const std::string& name);  // "hop[2]" is the element of a name; others are quoted whole
std::string elements(bool is_array, std::uint32_t of, std::uint32_t first, std::uint32_t count);  // "[*]", "[1 .. 3]"

}  // namespace anml

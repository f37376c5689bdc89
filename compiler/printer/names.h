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
// "pc[3]"; "gateway"; `by_key`: `pc["anna"]`, which means the same where others of its array are gone.
std::string node_element(const NodeArray& row, std::uint32_t element, bool by_key = false);
// "pc[*]", "pc[2]", "[gateway, pc[1 .. 3]]"
std::string node_selection(const Network& network, const std::vector<TargetRange>& ranges, bool by_key = false);
// "hop[2]"; `apart`: where each is declared by itself, "`hop[2]`".
std::string link_element(const LinkArray& link, std::uint32_t element, bool apart);
std::string declared_link_name(const std::string& name);  // "hop[2]" is the element of a name; others are quoted whole
std::string elements(bool is_array, std::uint32_t of, std::uint32_t first, std::uint32_t count);  // "[*]", "[1 .. 3]"

}  // namespace anml

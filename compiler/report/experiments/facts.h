// How an experiment came about, so that somebody can repeat it; and how JSON that anybody may have written is read.
#pragma once

#include <string>
#include <vector>

#include "report/experiments/findings.h"

namespace anml {

const Json* at_path(const Json& json, const std::vector<std::string>& path);  // null: there is nothing
std::string text_at(const Json& json, const std::vector<std::string>& path);  // "": there is no text

// Of its summary, what the folder says besides, and what the results of one of its runs say of all.
Json make_facts(const std::string& folder, const Json& data, const Json& manifest, const Json& of_all);

}  // namespace anml

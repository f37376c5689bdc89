// YAML as JSON: maps, sequences and scalars, which are numbers, truths or nothing where they are plain (YAML 1.2, core
// schema). Aliases are copies.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace anml {

struct YamlProblem {
    std::string message;  // "": none
    std::size_t offset = 0;
};

// A document of at most 4 MiB and a million values, 64 levels deep; aliases count as what they copy.
YamlProblem read_yaml(std::string_view text, nlohmann::ordered_json& whole);

}  // namespace anml

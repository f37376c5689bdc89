// Whole files of other languages, by how they begin.
#pragma once

#include <optional>
#include <string_view>

namespace anml {

struct ForeignText {
    std::string_view name;  // "YAML"
    std::string_view help;
};

// Asked of a file that does not parse.
std::optional<ForeignText> foreign_text(std::string_view text);

}  // namespace anml

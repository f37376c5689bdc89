// Holds a document against a schema: the part of JSON Schema draft 7 that docs/results.schema.json uses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reporting/report.h"

namespace anml {

struct Mismatch {
    std::vector<std::string> path;  // names and indices
    std::string message;            // "`live.late` is a string, and should be an integer"
};

// The first one. What the schema does not name is let pass: a later version may have it.
std::optional<Mismatch> find_mismatch(const Json& document, const Json& schema);

// Where in a text that is JSON the value of that path lies; all of it where it has none.
struct JsonPlace {
    std::size_t begin = 0, end = 0;
};
JsonPlace find_place(std::string_view text, const std::vector<std::string>& path);

}  // namespace anml

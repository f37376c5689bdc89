// What the files that write results.json share.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace anml::rt::results {

using Json = nlohmann::ordered_json;

inline Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

inline void add_label(Json& json, std::string_view label)
{
    if (!label.empty()) json["label"] = label;
}

}  // namespace anml::rt::results

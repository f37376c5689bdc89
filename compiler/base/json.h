// JSON text for the stages' dumps.
#pragma once

#include <string>
#include <string_view>

namespace anml {

std::string json_string(std::string_view text);  // quoted and escaped
std::string json_number(double value);           // shortest form that reads back the same; not finite: null

}  // namespace anml

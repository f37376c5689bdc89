// "Did you mean" hints.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace anml::rt::entry {

// "; did you mean `D`?" if one of `known` is close to `name`, else "; there are `D`, `Q`" (shortened when many), else
// "".
std::string suggestion(std::string_view name, std::span<const std::string> known);

}  // namespace anml::rt::entry

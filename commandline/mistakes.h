// What CLI11 says of a command line's mistakes, in the words of this project.
#pragma once

#include <string>
#include <string_view>

namespace anml::commandline {

// "--seed: 1 required N missing" is "--seed needs a value", "--for: At Most 1 required but received 2" is "--for is
// given 2 times"; anything else stays as it is.
std::string plain_mistake(std::string_view said);

}  // namespace anml::commandline

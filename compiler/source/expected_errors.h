// What a text says of its own errors: `// expect: error(NAME)`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/source_set.h"

namespace anml {

// `// expect: error(NAME)`: of its line, or where it stands on a line of its own of the next line that is no comment.
struct ExpectedError {
    std::uint32_t line = 0;
    std::string name;
    std::uint32_t begin = 0, end = 0;  // bytes of the name
};
std::vector<ExpectedError> expected_errors(std::string_view text);
// `// expect: failure`: the requirement of that line is not met when its model has run. `name` is "failure".
std::vector<ExpectedError> expected_failures(std::string_view text);
// Comments that begin as these do and go on in another form: their bytes.
std::vector<std::pair<std::uint32_t, std::uint32_t>> unread_expectations(std::string_view text);
inline constexpr std::string_view kUnreadExpectation =
    "write `// expect: error(NAME)`, once for each error; NAME is what stands in brackets behind `error`; or "
    "`// expect: failure` of a requirement of what is measured";

// Holds the errors of a text that expects some against what it says. Those that it expects become notes, without
// fixes. With `complete`, when every stage that finds errors had its say, also reports those that it expects and has
// not, and expectations without a meaning. False, and nothing is done, where it expects none.
bool hold_against_expectations(const SourceSet& sources, bool complete, Diagnostics& diagnostics);

}  // namespace anml

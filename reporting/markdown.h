// Markdown of reports.
#pragma once

#include <string>
#include <string_view>

namespace anml {

// The text with nothing in it that is markup, in one line.
std::string plain_markdown(std::string_view text);

}  // namespace anml

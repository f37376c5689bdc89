// Answers of a live run as people read them.
#pragma once

#include <string>
#include <string_view>

namespace anml::rt::entry {

// Why the run refused; "": it did not.
std::string refusal_in(const std::string& line);

// Of a line of JSON that answers `verb`.
std::string table_of(std::string_view verb, const std::string& line);

}  // namespace anml::rt::entry

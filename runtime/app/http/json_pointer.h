// A value within a JSON text (RFC 8259), found by its pointer (RFC 6901) without a tree of the text: what stands before
// it is skipped. Texts come from servers: whatever they are, it ends, in a time that grows with their length.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anml::rt::app::http {

// A string without its escapes, in UTF-8, which are written to `room`; what else there is as it stands in the text.
// Nothing: there is no such value, or the text is no JSON up to there. Of a name that an object has more than once the
// first counts.
std::optional<std::string_view> json_value(std::string_view text, std::string_view pointer, std::string& room);

}  // namespace anml::rt::app::http

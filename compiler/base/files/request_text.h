// Parts of written requests as they go on the wire.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace anml::request_text {

using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;  // begin and end, in order

// Lines of a form go together (WHATWG URL, 5.1), those of parts end as they do in heads (RFC 2046, 4.1.1); empty ones
// at the end are the file's. What lies in `raw` stays what it is: other files have it.
std::string body_as_sent(std::string_view body, std::string_view type, const Ranges& raw);

// "", or why it is no host with or without a port (RFC 9110, 7.2).
std::string wrong_authority(std::string_view authority);

}  // namespace anml::request_text

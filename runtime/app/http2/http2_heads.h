// Heads of requests and responses: the texts that they are with HTTP/1.1, and the lists of fields of HTTP/2.
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace anml::rt::app::http2 {

// A field comes, of a head whose text begins at `begin`: what somebody reads is added. A request's text begins with its
// method, whichever field comes first; `lined`: its first line is whole.
void add_to_request(std::string& text, std::size_t begin, bool& lined, std::string_view name, std::string_view value);
// `all`: whatever its name.
void add_to_response(std::string& text, std::string_view name, std::string_view value, bool all);
void end_request(std::string& text, bool lined);

nghttp2_nv field(std::string_view name, std::string_view value);

// They refer to the head, and to `lower`.
struct HeadFields {
    std::vector<nghttp2_nv> all;
    std::string lower;
};
void list_request(HeadFields& fields, std::string_view head, std::string_view scheme);
void list_response(HeadFields& fields, std::string_view head);

}  // namespace anml::rt::app::http2

// The value of an attribute in an HTML text, of the first element of a name that has another attribute with a value:
// the hidden field of a form. Texts come from servers: whatever they are, it ends, in a time that grows with their
// length.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anml::rt::app::http {

struct HtmlAttribute {
    std::string_view element, wanted, attribute, value;  // names in lower case; of any element: "*"
};

// Character references are resolved, into `room` (the five of XML and numeric ones). Comments, and what stands in
// <script> and <style>, are no elements.
std::optional<std::string_view> html_value(std::string_view text, const HtmlAttribute& of, std::string& room);

}  // namespace anml::rt::app::http

// Text inside XML and HTML: SVG, GraphML and pages.
#pragma once

#include <string>
#include <string_view>

namespace anml {

// For elements and for attributes in double quotes.
inline std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '&')
            out += "&amp;";
        else if (c == '<')
            out += "&lt;";
        else if (c == '>')
            out += "&gt;";
        else if (c == '"')
            out += "&quot;";
        else
            out += c;
    }
    return out;
}

}  // namespace anml

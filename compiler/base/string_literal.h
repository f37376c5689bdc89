// Text in double quotes, as the language writes it.
#pragma once

#include <string>
#include <string_view>

namespace anml {

inline std::string string_literal(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else
            out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // has no escape
    }
    return out + '"';
}

}  // namespace anml

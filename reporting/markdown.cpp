#include "reporting/markdown.h"

namespace anml {

std::string plain_markdown(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            out += ' ';
            continue;
        }
        if (std::string_view("\\`*_{}[]<>#|~").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace anml

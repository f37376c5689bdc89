#include "common/embedded_file.h"

namespace anml {

std::string_view find_file(std::span<const EmbeddedFile> files, std::string_view name)
{
    for (const EmbeddedFile& file : files)
        if (file.name == name) return file.text;
    return {};
}

std::string fill_page(std::string_view page, const std::function<std::string(std::string_view name)>& part)
{
    std::string out;
    for (std::size_t at = 0;;) {
        const std::size_t begin = page.find("{{", at);
        out += page.substr(at, begin - at);
        if (begin == std::string_view::npos) return out;
        const std::size_t end = page.find("}}", begin);
        out += part(page.substr(begin + 2, end - begin - 2));
        at = end + 2;
    }
}

// No `<` is left: nothing in it ends the element, or begins a comment that would hide its end.
std::string for_script(std::string json)
{
    std::string out;
    for (const char c : json) {
        if (c == '<')
            out += "\\u003c";
        else
            out += c;
    }
    return out;
}

std::string for_text(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c == '<' || c == '&')
            out += c == '<' ? "&lt;" : "&amp;";
        else
            out += c;
    }
    return out;
}

}  // namespace anml

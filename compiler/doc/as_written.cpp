// One line of what was several, and remarks at the ends of lines.
#include "doc/as_written.h"

#include <algorithm>

namespace anml {

std::string one_line(std::string_view text)
{
    std::string out;
    bool gap = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.substr(i, 2) == "//") i = std::min(text.find('\n', i), text.size());
        if (i >= text.size() || text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r') {
            gap = !out.empty();
            continue;
        }
        if (gap && out.back() != '(' && text[i] != ')') out += ' ';
        if (text[i] == ')' && out.ends_with(',')) out.pop_back();
        gap = false;
        out += text[i];
    }
    return out;
}

std::string words_about(const SourceSet& sources, const SyntaxTree& tree, SyntaxId id)
{
    if (std::string text = doc_text(sources, tree, id); !text.empty()) return text;
    const Span span = tree.node(id).span;
    std::string_view rest = std::string_view(sources.file(span.file).text).substr(span.end);
    rest = rest.substr(0, rest.find('\n'));
    const std::size_t at = rest.find("//");
    if (at == rest.npos || rest.substr(0, at).find_first_not_of(" \t,") != rest.npos) return {};
    rest.remove_prefix(std::min(rest.find_first_not_of("/ ", at), rest.size()));
    return std::string(rest);
}

}  // namespace anml

// Comments by which a generator says which of its own lines made the text: `// line "gen.py" 12` up to the next one, or
// `// line end`. What does not look like that is a comment as any other.
#include <charconv>

#include "common/ascii.h"
#include "source/source_set.h"

namespace anml {

namespace {

constexpr std::string_view kMark = "// line ";

// Behind the mark: `"gen.py" 12` or `end`.
bool understand(std::string_view text, GeneratorLine& out)
{
    if (text == "end") return true;
    if (!text.starts_with('"')) return false;
    std::size_t i = 1;
    for (; i < text.size() && text[i] != '"'; ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        out.file += text[i];
    }
    if (i >= text.size() || out.file.empty()) return false;
    const std::string_view number = trimmed(text.substr(i + 1));
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), out.line);
    return parsed.ec == std::errc() && parsed.ptr == number.data() + number.size() && out.line > 0;
}

}  // namespace

std::vector<GeneratorLine> scan_generator_lines(std::string_view text)
{
    std::vector<GeneratorLine> result;
    std::size_t end = 0;
    for (std::size_t at = text.find(kMark); at != std::string_view::npos; at = text.find(kMark, end)) {
        const std::size_t begin = text.substr(0, at).rfind('\n') + 1;    // 0 where there is none
        end = std::min(text.find('\n', at), text.size());                // only the first of a line can be alone on it
        if (!trimmed(text.substr(begin, at - begin)).empty()) continue;  // behind something else
        GeneratorLine line;
        line.begin = static_cast<std::uint32_t>(end);
        if (understand(trimmed(text.substr(at + kMark.size(), end - at - kMark.size())), line))
            result.push_back(std::move(line));
    }
    return result;
}

}  // namespace anml

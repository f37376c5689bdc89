// Finds `// expect: error(NAME)` line by line; a text that holds these words in a string is no test of errors.
#include "testing/testing.h"

namespace anml {

namespace {

constexpr std::string_view kMark = "// expect: error(";

std::string_view without_blanks(std::string_view line)
{
    const std::size_t begin = line.find_first_not_of(" \t\r");
    return begin == line.npos ? std::string_view() : line.substr(begin);
}

}  // namespace

std::vector<ExpectedError> expected_errors(std::string_view text)
{
    std::vector<ExpectedError> out;
    std::size_t waiting = 0;  // the last so many are about a line below
    std::uint32_t number = 1;
    for (std::size_t begin = 0; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin), words = without_blanks(line);
        const bool comment = words.starts_with("//");
        if (!comment && !words.empty()) {
            for (; waiting > 0; --waiting) out[out.size() - waiting].line = number;
        }
        for (std::size_t at = 0; (at = line.find(kMark, at)) != line.npos;) {
            at += kMark.size();
            const std::size_t close = std::min(line.find(')', at), line.size());
            out.push_back({number, std::string(line.substr(at, close - at)), static_cast<std::uint32_t>(begin + at),
                           static_cast<std::uint32_t>(begin + close)});
            waiting += comment;
        }
        begin = end + 1;
    }
    return out;
}

}  // namespace anml

// Finds `// expect: error(NAME)` and `// expect: failure` line by line; a text that holds these words in a string is no
// test of errors.
#include "testing/testing.h"

namespace anml {

namespace {

constexpr std::string_view kMark = "// expect: error(", kFailure = "// expect: failure";

std::string_view without_blanks(std::string_view line)
{
    const std::size_t begin = line.find_first_not_of(" \t\r");
    return begin == line.npos ? std::string_view() : line.substr(begin);
}

// `//expect :`, too: blanks are easily forgotten.
bool is_expectation(std::string_view comment)
{
    constexpr std::string_view kWord = "expect";
    comment = without_blanks(comment.substr(2));
    return comment.starts_with(kWord) && without_blanks(comment.substr(kWord.size())).starts_with(':');
}

// Words may follow.
bool is_failure(std::string_view comment)
{
    return comment.starts_with(kFailure) &&
           (comment.size() == kFailure.size() ||
            std::string_view(" \t\r:,;").find(comment[kFailure.size()]) != std::string_view::npos);
}

// One name in its brackets, and no other one behind it that would be overlooked.
bool is_read(std::string_view comment)
{
    if (is_failure(comment)) return true;
    const std::size_t close = comment.find(')');
    if (!comment.starts_with(kMark) || close == comment.npos) return false;
    const std::string_view rest = comment.substr(close + 1);
    return rest.substr(0, rest.find("//")).find("error(") == rest.npos;
}

// The name that stands behind a mark, of which there may be several in a line; "failure" of the other one.
std::vector<ExpectedError> find_expectations(std::string_view text, std::string_view mark)
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
        for (std::size_t at = 0; (at = line.find(mark, at)) != line.npos;) {
            const bool failure = mark == kFailure;
            if (failure && !is_failure(line.substr(at))) {
                at += mark.size();
                continue;
            }
            const std::size_t first = failure ? at + mark.find("failure") : at + mark.size();
            at += mark.size();
            const std::size_t close = failure ? at : std::min(line.find(')', at), line.size());
            out.push_back({number, std::string(line.substr(first, close - first)),
                           static_cast<std::uint32_t>(begin + first), static_cast<std::uint32_t>(begin + close)});
            waiting += comment;
        }
        begin = end + 1;
    }
    return out;
}

}  // namespace

std::vector<ExpectedError> expected_errors(std::string_view text) { return find_expectations(text, kMark); }

std::vector<ExpectedError> expected_failures(std::string_view text) { return find_expectations(text, kFailure); }

std::vector<std::pair<std::uint32_t, std::uint32_t>> unread_expectations(std::string_view text)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
    for (std::size_t at = 0; (at = text.find("//", at)) != text.npos; at += 2) {
        std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view words = text.substr(at, end - at);
        if (!is_expectation(words) || is_read(words)) continue;
        while (text[end - 1] == ' ' || text[end - 1] == '\t' || text[end - 1] == '\r') --end;
        out.emplace_back(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end));
    }
    return out;
}

}  // namespace anml

// Finds `// expect: error(NAME)` and `// expect: failure` line by line; a text that holds these words in a string is no
// test of errors.
#include "source/expected_errors.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/ascii.h"

namespace anml {

namespace {

constexpr std::string_view kExpected = "// expect: error(", kFailure = "// expect: failure";

// `//expect :`, too: blanks are easily forgotten.
bool is_expectation(std::string_view comment)
{
    constexpr std::string_view kWord = "expect";
    comment = trimmed(comment.substr(2));
    return comment.starts_with(kWord) && trimmed(comment.substr(kWord.size())).starts_with(':');
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
    if (!comment.starts_with(kExpected) || close == comment.npos) return false;
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
        const std::string_view line = text.substr(begin, end - begin), words = trimmed(line);
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

std::vector<ExpectedError> expected_errors(std::string_view text) { return find_expectations(text, kExpected); }

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

bool hold_against_expectations(const SourceSet& sources, bool complete, Diagnostics& diagnostics)
{
    if (sources.files.empty()) return false;
    const std::string& text = sources.file(sources.main).text;
    const std::vector<ExpectedError> all = expected_errors(text);
    if (all.empty()) return false;

    std::vector<bool> met(all.size());
    diagnostics.excuse_if([&](const Diagnostic& d) {
        if (!d.span.valid() || d.span.file != sources.main) return false;
        const std::uint32_t line = sources.position(d.span.file, d.span.begin).line;
        const std::string_view name = diagnostic_name(d.diag);
        // The same error in several instances is one; two at a line are expected twice.
        std::size_t found = all.size();
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].line == line && all[i].name == name && (found == all.size() || (met[found] && !met[i])))
                found = i;
        if (found == all.size()) return false;
        met[found] = true;
        return true;
    });
    if (!complete) return true;

    const auto place = [&](std::uint32_t begin, std::uint32_t end) { return Span{sources.main, begin, end}; };
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (met[i]) continue;
        const ExpectedError& expected = all[i];
        const auto known = find_diagnostic(expected.name);
        const bool error = known && diagnostic_severity(*known) == Severity::error;
        auto report =
            diagnostics.report(Diag::unmet_expectation, place(expected.begin, expected.end),
                               error ? fmt::format("there is no error `{}` at line {}", expected.name, expected.line)
                                     : fmt::format("no error has the name `{}`", expected.name));
        if (error) continue;
        if (const auto near = similar_name(expected.name, diagnostic_names()); !near.empty())
            report.help(fmt::format("there is `{}`", near));
    }
    const std::string message = "this expectation has no meaning";
    for (const auto& [begin, end] : unread_expectations(text))
        diagnostics.report(Diag::unmet_expectation, place(begin, end), message).help(std::string(kUnreadExpectation));
    for (const ExpectedError& e : expected_failures(text))
        diagnostics.report(Diag::unmet_expectation, place(e.begin, e.end), message)
            .help("a file with expected errors is not run: put the model into a file of its own");
    return true;
}

}  // namespace anml

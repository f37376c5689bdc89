// Whether a test passed, and what is shown of it if it didn't.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/files/read_file.h"
#include "source/render.h"
#include "test/test_case.h"

namespace anml {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargestFile = std::size_t{64} << 20, kMostShown = 4000;
constexpr int kThresholdMissed = 99;

std::string end_of(const std::string& text)
{
    if (text.size() <= kMostShown) return text;
    const std::size_t line = text.find('\n', text.size() - kMostShown);
    return "...\n" + text.substr(line == text.npos ? text.size() - kMostShown : line + 1);
}

std::string first_line(const std::string& text, std::string_view with)
{
    std::size_t at = text.find(with);
    if (at == text.npos) at = 0;
    return text.substr(at, std::min(text.find('\n', at), text.size()) - at);
}

struct Place {
    std::string file;
    std::uint32_t line = 1, column = 1;
};

// "a.anml:8:11"
Place read_place(const std::string& text)
{
    Place out;
    const std::size_t column = text.rfind(':'),
                      line = column == text.npos || column == 0 ? text.npos : text.rfind(':', column - 1);
    if (line == text.npos) return {text, 1, 1};
    out.file = text.substr(0, line);
    std::from_chars(text.data() + line + 1, text.data() + column, out.line);
    std::from_chars(text.data() + column + 1, text.data() + text.size(), out.column);
    return out;
}

std::uint32_t offset_of(std::string_view text, const Place& place)
{
    std::size_t at = 0;
    for (std::uint32_t line = 1; line < place.line && at < text.size(); ++line)
        at = std::min(text.find('\n', at), text.size() - 1) + 1;
    for (std::uint32_t column = 1; column < place.column && at < text.size() && text[at] != '\n'; ++column) {
        ++at;
        while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    }
    return static_cast<std::uint32_t>(at);
}

class Shown {
  public:
    // The place in the file, with as many bytes as stand there of what is said to.
    Span quote(const Place& place, std::string_view expected)
    {
        std::string text;
        if (!read_text(place.file, kLargestFile, Readable::files, text).empty()) return {};
        const std::uint32_t begin = offset_of(text, place);
        const std::size_t line = std::min(text.find('\n', begin), text.size());
        const bool there = !expected.empty() && std::string_view(text).substr(begin).starts_with(expected);
        const std::uint32_t end = static_cast<std::uint32_t>(there ? begin + expected.size() : line);
        return diagnostics.quote(place.file, std::move(text), begin, std::max(end, begin));
    }

    std::string text(bool color)
    {
        SourceSet sources;
        adopt_quotes(diagnostics, sources);
        return render_diagnostics(diagnostics, sources, ErrorFormat::human, color);
    }

    Diagnostics diagnostics;
};

// What a run's results say of its requirements. Each that is expected to fail does so, in one instance at least, and no
// other one.
void judge_thresholds(const TestCase& test, bool color, TestOutcome& out)
{
    std::string bytes, source;
    if (!read_text(test.results, kLargestFile, Readable::files, bytes).empty()) return;
    const Json results = Json::parse(bytes, nullptr, false);
    if (!results.is_object() || (!results.contains("thresholds") && test.failures.empty())) return;
    const Json thresholds = results.value("thresholds", Json::array());
    Shown shown;
    const auto at = [&](const Json& one, std::uint32_t line) {
        const Place place = read_place(one.value("where", ""));
        return place.file == test.file && place.line == line;
    };
    for (const ExpectedError& expected : test.failures) {
        std::string found;
        bool any = false, failed = false;
        for (const Json& one : thresholds) {
            if (!at(one, expected.line)) continue;
            any = true;
            failed = failed || (!one.value("met", true) && one.value("judged", true));
            found = one.value("found", "");
        }
        if (failed) continue;
        if (source.empty() && !read_text(test.file, kLargestFile, Readable::files, source).empty()) source.clear();
        const std::string message =
            any ? fmt::format("the requirement of line {} does not fail", expected.line)
                : fmt::format("no requirement of what is measured stands at line {}", expected.line);
        if (out.summary.empty()) out.summary = any ? fmt::format("{}: {}", message, found) : message;
        auto report = shown.diagnostics.report(
            Diag::unmet_expectation, shown.diagnostics.quote(test.file, source, expected.begin, expected.end), message);
        report.label(found);
        if (!any) report.help("of paths and known values the compiler says it: `// expect: error(requirement-failed)`");
    }
    for (const Json& one : thresholds) {
        if (one.value("met", true)) continue;
        if (one.value("judged", true) &&
            std::any_of(test.failures.begin(), test.failures.end(), [&](const auto& e) { return at(one, e.line); }))
            continue;
        const std::string requires_text = one.value("requires", ""), found = one.value("found", "");
        std::string message = one.value("message", "");
        if (message.empty() || message == fmt::format("`{}` does not hold", requires_text))
            message =
                fmt::format("`{}` {}", requires_text, one.value("judged", true) ? "does not hold" : "cannot be judged");
        if (out.summary.empty()) out.summary = fmt::format("{}: {}", message, found);
        shown.diagnostics
            .report(Diag::requirement_failed, shown.quote(read_place(one.value("where", "")), requires_text), message)
            .label(found);
    }
    out.passed = out.summary.empty();
    if (!out.passed) out.text = shown.text(color);
}

TestOutcome judge_test(const TestCase& test, int status, const std::string& said, bool color)
{
    TestOutcome out;
    out.passed = status == 0 && test.failures.empty();
    if (out.passed) return out;
    if ((status == kThresholdMissed || status == 0) && test.kind == TestCase::Kind::run)
        judge_thresholds(test, color, out);
    if (out.passed) return out;
    if (out.text.empty()) out.text = end_of(said);
    if (out.summary.empty())
        out.summary = said.empty() ? fmt::format("ended with status {}", status) : first_line(said, "error");
    return out;
}

}  // namespace

TestOutcome judge(const TestCase& test, int status, const std::string& said, bool color)
{
    TestOutcome out = judge_test(test, status, said, color);
    // An example expects nothing, and a file of errors was held against what it says.
    if (test.kind == TestCase::Kind::errors || (test.kind == TestCase::Kind::check && out.passed)) return out;
    std::string text;
    if (!read_text(test.file, kLargestFile, Readable::files, text).empty()) return out;
    Shown shown;
    const std::string message = "this expectation has no meaning";
    for (const auto& [begin, end] : unread_expectations(text))
        shown.diagnostics.report(Diag::unmet_expectation, shown.diagnostics.quote(test.file, text, begin, end), message)
            .help(std::string(kUnreadExpectation));
    for (const ExpectedError& e : test.stray)
        shown.diagnostics
            .report(Diag::unmet_expectation, shown.diagnostics.quote(test.file, text, e.begin, e.end), message)
            .help("it belongs to a requirement in a model");
    if (!shown.diagnostics.has_errors()) return out;
    out.text = shown.text(color) + (out.passed ? "" : out.text);
    out.summary = message;
    out.passed = false;
    return out;
}

}  // namespace anml

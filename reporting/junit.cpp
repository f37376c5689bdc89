// The form that Jenkins, GitLab and others read: testsuites, testsuite, testcase, failure.
#include "reporting/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/markup.h"

namespace anml {

namespace {

// XML has no control characters, not even escaped; line ends would be blanks in an attribute.
std::string printable(std::string_view text)
{
    std::string out;
    for (const char c : escaped(text)) {
        if (c == '\n' || c == '\t')
            out += c == '\n' ? "&#10;" : "&#9;";
        else if (static_cast<unsigned char>(c) >= 32)
            out += c;
    }
    return out;
}

std::string attribute(std::string_view name, std::string_view value)
{
    return fmt::format(" {}=\"{}\"", name, printable(value));
}

std::string of_case(const JunitCase& one)
{
    std::string out = fmt::format("    <testcase{}{}{} time=\"{:.3f}\"", attribute("classname", one.group),
                                  attribute("name", one.name), one.file.empty() ? "" : attribute("file", one.file),
                                  one.seconds);
    if (one.outcome == JunitCase::Outcome::passed) return out + " />\n";
    if (one.outcome == JunitCase::Outcome::skipped)
        return out + fmt::format(">\n      <skipped{} />\n    </testcase>\n", attribute("message", one.message));
    return out + fmt::format(">\n      <failure{}{}>{}</failure>\n    </testcase>\n", attribute("message", one.message),
                             attribute("type", one.type), printable(one.text));
}

struct Counts {
    std::size_t tests = 0, failures = 0, skipped = 0;
    double seconds = 0;

    void add(const Counts& other)
    {
        tests += other.tests;
        failures += other.failures;
        skipped += other.skipped;
        seconds += other.seconds;
    }
    std::string text() const
    {
        return fmt::format(" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\">\n", tests,
                           failures, skipped, seconds);
    }
};

Counts counts_of(const JunitSuite& suite)
{
    Counts counts;
    using Outcome = JunitCase::Outcome;
    for (const JunitCase& one : suite.cases)
        counts.add({1, one.outcome == Outcome::failed, one.outcome == Outcome::skipped, one.seconds});
    counts.seconds = std::max(counts.seconds, suite.seconds);
    return counts;
}

}  // namespace

std::string write_junit(std::string_view name, const std::vector<JunitSuite>& suites)
{
    Counts all;
    std::string out;
    for (const JunitSuite& suite : suites) {
        const Counts counts = counts_of(suite);
        all.add(counts);
        out += fmt::format("  <testsuite{}{}", attribute("name", suite.name), counts.text());
        if (!suite.properties.empty()) out += "    <properties>\n";
        for (const auto& [key, value] : suite.properties)
            out += fmt::format("      <property{}{} />\n", attribute("name", key), attribute("value", value));
        if (!suite.properties.empty()) out += "    </properties>\n";
        for (const JunitCase& one : suite.cases) out += of_case(one);
        out += "  </testsuite>\n";
    }
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites{}{}{}</testsuites>\n",
                       attribute("name", name), all.text(), out);
}

}  // namespace anml

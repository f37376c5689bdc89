// The form that Jenkins, GitLab and others read: testsuites, testsuite, testcase, failure.
#include <fmt/format.h>

#include <pugixml.hpp>
#include <sstream>

#include "testing/testing.h"

namespace anml {

namespace {

// XML has no control characters, not even escaped.
std::string plain(std::string_view text)
{
    std::string out;
    for (const char c : text)
        if (static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\t') out += c;
    return out;
}

std::string seconds(double value) { return fmt::format("{:.3f}", value); }

}  // namespace

std::string junit(const std::vector<TestCase>& tests, const std::vector<TestOutcome>& outcomes)
{
    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    pugi::xml_node suites = document.append_child("testsuites");
    pugi::xml_node suite;
    std::size_t all = 0, failed = 0, in_suite = 0, failed_in_suite = 0;
    double time = 0, time_of_suite = 0;
    const auto close = [&] {
        if (!suite) return;
        suite.append_attribute("tests") = static_cast<unsigned>(in_suite);
        suite.append_attribute("failures") = static_cast<unsigned>(failed_in_suite);
        suite.append_attribute("errors") = 0;
        suite.append_attribute("skipped") = 0;
        suite.append_attribute("time") = seconds(time_of_suite).c_str();
        all += in_suite, failed += failed_in_suite, time += time_of_suite;
        in_suite = failed_in_suite = 0;
        time_of_suite = 0;
    };
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (i == 0 || tests[i].file != tests[i - 1].file) {
            close();
            suite = suites.append_child("testsuite");
            suite.append_attribute("name") = plain(tests[i].file).c_str();
        }
        ++in_suite;
        failed_in_suite += !outcomes[i].passed;
        time_of_suite += outcomes[i].seconds;
        pugi::xml_node one = suite.append_child("testcase");
        one.append_attribute("classname") = plain(tests[i].file).c_str();
        one.append_attribute("name") = tests[i].model.empty() ? "file" : tests[i].model.c_str();
        one.append_attribute("file") = plain(tests[i].file).c_str();
        one.append_attribute("time") = seconds(outcomes[i].seconds).c_str();
        if (outcomes[i].passed) continue;
        pugi::xml_node failure = one.append_child("failure");
        failure.append_attribute("message") = plain(outcomes[i].summary).c_str();
        failure.append_attribute("type") = outcomes[i].timed_out ? "timeout" : "failure";
        failure.append_child(pugi::node_pcdata).set_value(plain(outcomes[i].text).c_str());
    }
    close();
    suites.append_attribute("name") = "anmlc test";
    suites.append_attribute("tests") = static_cast<unsigned>(all);
    suites.append_attribute("failures") = static_cast<unsigned>(failed);
    suites.append_attribute("errors") = 0;
    suites.append_attribute("time") = seconds(time).c_str();
    std::ostringstream out;
    document.save(out, "  ", pugi::format_default, pugi::encoding_utf8);
    return out.str();
}

}  // namespace anml

// JUnit's XML, as continuous integration reads it: what was required, and whether it is so.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace anml {

struct JunitCase {
    enum class Outcome { passed, failed, skipped };
    std::string group, name;  // `classname` and `name`
    std::string file{};       // "": none
    double seconds = 0;
    Outcome outcome = Outcome::passed;
    std::string message{}, type{}, text{};  // of one that has not passed
};

struct JunitSuite {
    std::string name;
    std::vector<JunitCase> cases{};
    std::vector<std::pair<std::string, std::string>> properties{};
    double seconds = 0;  // where it is more than its cases' together
};

std::string write_junit(std::string_view name, const std::vector<JunitSuite>& suites);

}  // namespace anml

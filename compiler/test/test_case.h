// `anmlc test`: tests are files of models. A model passes if it compiles, runs and keeps what it requires; a file that
// says which errors it has passes if it has these.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "source/expected_errors.h"

namespace anml {

struct TestCase {
    enum class Kind : std::uint8_t {
        run,    // a model: compiled and simulated
        check,  // a file: it has no errors
        errors  // a file: it has those that it expects and no others, which `check` looks at
    };
    Kind kind = Kind::run;
    std::string file;
    std::string model;  // "": the file as a whole
    std::vector<std::string> command;
    std::string results;                  // of a run: the file that its results are written to
    std::vector<ExpectedError> failures;  // of a run: requirements that are expected not to be met
    std::vector<ExpectedError> stray;     // of the first run of a file: expectations that stand in no model

    std::string name() const { return model.empty() ? file : file + ": " + model; }
};

struct TestOutcome {
    bool passed = false;
    bool timed_out = false;
    double seconds = 0;
    std::string summary;  // of a failure, on one line
    std::string text;     // of a failure, as it is shown
};

// What came of it: `status` as shells say it, `said` what it printed.
TestOutcome judge(const TestCase& test, int status, const std::string& said, bool color);

struct TestOptions {
    std::string what;     // is tested: "metro 0.1.0", for the first line
    std::string folder;   // for what the tests print, there and empty
    unsigned jobs = 1;    // tests beside each other
    double timeout = 60;  // s, of a test
    bool color = false;
};

// Runs them beside each other and prints one line for each, what failed, and how many did. Outcomes are in the tests'
// order; fewer where it was interrupted.
std::vector<TestOutcome> run_tests(const std::vector<TestCase>& tests, const TestOptions& options);

// JUnit's XML, as continuous integration reads it: a `testsuite` per file, a `testcase` per model.
std::string junit(const std::vector<TestCase>& tests, const std::vector<TestOutcome>& outcomes);

}  // namespace anml

#include "reporting/junit.h"

#include "test/test_case.h"

namespace anml {

std::string junit(const std::vector<TestCase>& tests, const std::vector<TestOutcome>& outcomes)
{
    std::vector<JunitSuite> suites;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (i == 0 || tests[i].file != tests[i - 1].file) suites.push_back({tests[i].file});
        const std::string& file = tests[i].file;
        JunitCase& one = suites.back().cases.emplace_back(
            JunitCase{file, tests[i].model.empty() ? "file" : tests[i].model, file, outcomes[i].seconds});
        if (outcomes[i].passed) continue;
        one.outcome = JunitCase::Outcome::failed;
        one.message = outcomes[i].summary;
        one.type = outcomes[i].timed_out ? "timeout" : "failure";
        one.text = outcomes[i].text;
    }
    return write_junit("anmlc test", suites);
}

}  // namespace anml

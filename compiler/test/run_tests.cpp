#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <map>

#include "base/files/read_file.h"
#include "commandline/streams.h"
#include "experiment/interrupts.h"
#include "experiment/workers.h"
#include "reporting/junit.h"
#include "test/test_case.h"

namespace anml {

namespace {

constexpr std::size_t kMostRead = std::size_t{4} << 20;
constexpr double kGrace = 2;  // s from SIGTERM to SIGKILL

class TestRun {
  public:
    TestRun(const std::vector<TestCase>& tests, const TestOptions& options) : tests_(tests), options_(options) {}

    std::vector<TestOutcome> run()
    {
        const Interrupts noted;
        const auto begun = std::chrono::steady_clock::now();
        std::printf("running %zu %s of %s\n", tests_.size(), tests_.size() == 1 ? "test" : "tests",
                    options_.what.c_str());
        std::fflush(stdout);
        while ((next_ < tests_.size() || workers_.running() > 0) && !Interrupts::seen()) {
            while (next_ < tests_.size() && workers_.running() < options_.jobs) begin(next_++);
            end_late_ones();
            if (const auto ended = workers_.wait(100)) end(ended->id, ended->status, ended->seconds);
        }
        show_failures();
        std::vector<TestOutcome> outcomes;
        std::size_t failed = 0;
        for (auto& [id, outcome] : outcomes_) {
            failed += !outcome.passed;
            outcomes.push_back(std::move(outcome));
        }
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
        if (Interrupts::seen()) std::printf("\ninterrupted\n");
        std::printf("\n%zu passed, %zu failed in %.1f s\n", outcomes.size() - failed, failed, seconds);
        return outcomes;
    }

  private:
    std::string log_of(std::size_t id) const { return fmt::format("{}/{}.log", options_.folder, id); }

    void begin(std::size_t id)
    {
        const std::string wrong = workers_.start(id, tests_[id].command, log_of(id));
        if (wrong.empty()) return;
        TestOutcome outcome;
        outcome.summary = outcome.text = fmt::format("cannot begin: {}", wrong);
        done(id, std::move(outcome));
    }

    // One that takes too long is asked to end, and then ended.
    void end_late_ones()
    {
        for (const auto& [id, seconds] : workers_.under_way()) {
            if (seconds < options_.timeout) continue;
            const bool asked = !late_.emplace(id, seconds).second;
            if (!asked)
                workers_.signal(id, SIGTERM);
            else if (seconds > options_.timeout + kGrace)
                workers_.signal(id, SIGKILL);
        }
    }

    void end(std::size_t id, int status, double seconds)
    {
        std::string said;
        read_file(log_of(id), kMostRead, Readable::files, said);
        TestOutcome outcome;
        if (late_.contains(id)) {
            outcome.timed_out = true;
            outcome.summary = outcome.text =
                fmt::format("ended after {} s; --timeout gives it more time", options_.timeout);
        } else {
            outcome = judge(tests_[id], status, said, options_.color);
        }
        outcome.seconds = seconds;
        done(id, std::move(outcome));
    }

    void done(std::size_t id, TestOutcome outcome)
    {
        const char* word = outcome.passed ? "ok  " : "FAIL";
        const char* colour = !options_.color ? "" : outcome.passed ? "\033[32m" : "\033[31m";
        std::printf("%s%s%s  %s  (%.2f s)\n", colour, word, options_.color ? "\033[0m" : "", tests_[id].name().c_str(),
                    outcome.seconds);
        std::fflush(stdout);
        while (outcome.text.ends_with('\n')) outcome.text.pop_back();
        outcomes_[id] = std::move(outcome);
    }

    void show_failures() const
    {
        for (const auto& [id, outcome] : outcomes_) {
            if (outcome.passed) continue;
            std::printf("\n---- %s\n%s\n", tests_[id].name().c_str(), outcome.text.c_str());
        }
    }

    const std::vector<TestCase>& tests_;
    const TestOptions& options_;
    Workers workers_;
    std::map<std::size_t, TestOutcome> outcomes_;
    std::map<std::size_t, double> late_;
    std::size_t next_ = 0;
};

}  // namespace

std::vector<TestOutcome> run_tests(const std::vector<TestCase>& tests, const TestOptions& options)
{
    return TestRun(tests, options).run();
}

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

// anmlc test [FILE|FOLDER]...: finds the tests, and has each run as a process of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/process.h"
#include "driver/commands.h"
#include "driver/input_files.h"
#include "driver/report.h"
#include "driver/write_file.h"
#include "link/temporary_folder.h"
#include "package/manifest.h"
#include "test/test_case.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

class TestFinder {
  public:
    TestFinder(const Options& options, const std::string& folder, Diagnostics& diagnostics)
        : options_(options), folder_(folder), diagnostics_(diagnostics)
    {
    }

    // Of the words; without any, of the package.
    std::vector<TestCase> find(std::string& what)
    {
        std::vector<std::string> words = options_.files;
        if (words.empty()) {
            const auto root = find_package("");
            if (!root) {
                diagnostics_
                    .report(Diag::invalid_manifest, {}, "there is no anml.toml here or above, and no test is named")
                    .help("`anmlc new NAME` makes a package with tests; `anmlc test FILE.anml` runs those of a file");
                return {};
            }
            add_package(*root, what);
            return std::move(tests_);
        }
        what = fmt::format("{}", fmt::join(words, ", "));
        std::error_code error;
        for (const std::string& word : words) {
            std::string ignored;
            if (fs::is_regular_file(in_folder(word, kManifestFile), error))
                add_package(word, ignored);
            else
                for (const InputFile& file : input_files({word}, diagnostics_)) add_tests(file.path);
        }
        return std::move(tests_);
    }

  private:
    // Its tests, and its examples, which have to compile.
    void add_package(const std::string& root, std::string& what)
    {
        const auto manifest = read_manifest(root, diagnostics_);
        if (!manifest) return;
        what = fmt::format("{} {}", manifest->name, manifest->version);
        std::error_code error;
        const auto files = [&](std::string_view name) {
            const std::string folder = in_folder(root, name);
            return fs::is_directory(folder, error) ? input_files({folder}, diagnostics_) : std::vector<InputFile>();
        };
        for (const InputFile& file : files("tests")) add_tests(file.path);
        for (const InputFile& file : files("examples")) add({TestCase::Kind::check, file.path, "", {}, "", {}, {}});
        if (tests_.empty() && options_.filter.empty() && !diagnostics_.has_errors())
            diagnostics_.report(Diag::file_not_found, {}, fmt::format("`{}` has no tests", in_folder(root, "tests")));
    }

    void add_tests(const std::string& path)
    {
        Options reading = options_;
        reading.sources.input = path;
        reading.goal = Goal::syntax_only;
        Compilation text;
        const bool good = compile(reading, text);
        const bool read = !text.sources.files.empty();
        if (read && !expected_errors(text.sources.file(text.sources.main).text).empty())
            add({TestCase::Kind::errors, path, "", {}, "", {}, {}});
        else if (!good)
            add({TestCase::Kind::check, path, "", {}, "", {}, {}});  // which says what is wrong
        else
            add_models(path, text);
    }

    // Each with the failures that are expected in its text.
    void add_models(const std::string& path, const Compilation& text)
    {
        std::vector<ExpectedError> stray = expected_failures(text.sources.file(text.sources.main).text);
        std::vector<TestCase> models;
        for (std::size_t i = 0; i < text.models.size(); ++i) {
            TestCase& test = models.emplace_back();
            test.file = path;
            test.model = text.models[i];
            const Span within = text.model_texts[i];
            std::erase_if(stray, [&](const ExpectedError& e) {
                const bool here = e.begin >= within.begin && e.end <= within.end;
                if (here) test.failures.push_back(e);
                return here;
            });
        }
        if (!models.empty()) models.front().stray = std::move(stray);
        for (TestCase& test : models) add(std::move(test));
    }

    void add(TestCase test)
    {
        if (test.name().find(options_.filter) == std::string::npos) return;
        test.command = {executable_path(), test.kind == TestCase::Kind::run ? "run" : "check", test.file};
        std::vector<std::string>& command = test.command;
        for (const std::string& folder : options_.sources.include_dirs) command.insert(command.end(), {"-I", folder});
        command.insert(command.end(), {"--color", options_.color ? "always" : "never"});
        if (test.kind == TestCase::Kind::run) {
            test.results = fmt::format("{}/{}.json", folder_, tests_.size());
            command.insert(command.end(), {"--model", test.model, "--"});
            if (options_.server.empty())
                command.insert(command.end(), {"simulate", "--results", test.results, "--threads", "1"});
            else
                command.insert(command.end(), {"live", "--control", "none", "--results", test.results, "--sandbox",
                                               "--", "sh", "-c", options_.server});
        }
        tests_.push_back(std::move(test));
    }

    const Options& options_;
    const std::string& folder_;
    Diagnostics& diagnostics_;
    std::vector<TestCase> tests_;
};

// Said before the tests run, not after them.
void check_writable(const std::string& path, Diagnostics& diagnostics)
{
    std::error_code error;
    const bool there = fs::exists(path, error);
    const std::string parent = fs::path(path).parent_path().string();
    const std::string asked = there ? path : parent.empty() ? "." : parent;
    const int why = fs::is_directory(path, error) ? EISDIR : access(asked.c_str(), W_OK) == 0 ? 0 : errno;
    if (why == 0) return;
    diagnostics.report(Diag::cannot_write_output, {}, fmt::format("cannot write `{}`: {}", path, std::strerror(why)));
}

}  // namespace

int cmd_test(const Options& options)
{
    Compilation compilation;
    const TemporaryFolder folder(folder_of_temporaries(), "anmlc-");
    std::vector<TestCase> tests;
    TestOptions running;
    if (folder.path().empty())
        compilation.diagnostics.report(Diag::cannot_write_output, {},
                                       fmt::format("cannot make a temporary folder in {}: {}", folder_of_temporaries(),
                                                   std::strerror(folder.error())));
    else
        tests = TestFinder(options, folder.path(), compilation.diagnostics).find(running.what);
    if (tests.empty() && !compilation.diagnostics.has_errors())
        compilation.diagnostics.report(Diag::file_not_found, {},
                                       options.filter.empty()
                                           ? "there is no model among them: no test"
                                           : fmt::format("no test has `{}` in its name", options.filter));
    adopt_quotes(compilation.diagnostics, compilation.sources);
    if (!options.junit.empty() && !options.list) check_writable(options.junit, compilation.diagnostics);
    if (compilation.diagnostics.has_errors()) return print_report(options, compilation), kExitErrors;
    if (options.list) {
        for (const TestCase& test : tests) std::printf("%s\n", test.name().c_str());
        return 0;
    }
    running.folder = folder.path();
    running.jobs = options.jobs > 0 ? options.jobs : processors();
    running.timeout = options.timeout;
    running.color = options.color && isatty(STDOUT_FILENO);
    const std::vector<TestOutcome> outcomes = run_tests(tests, running);
    bool good = outcomes.size() == tests.size();
    for (const TestOutcome& outcome : outcomes) good = good && outcome.passed;
    if (!options.junit.empty() && !write_file(options.junit, junit(tests, outcomes), compilation.diagnostics))
        good = false;
    print_report(options, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace anml

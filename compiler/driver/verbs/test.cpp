// anmlc test [FILE|FOLDER]...: finds the tests, and has each run as a process of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/process.h"
#include "base/values/quantity.h"
#include "driver/input_files.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/session.h"
#include "driver/verb.h"
#include "driver/write_file.h"
#include "link/temporary_folder.h"
#include "package/manifest.h"
#include "source/expected_errors.h"
#include "syntax/syntax_views.h"
#include "test/test_case.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

// What is tested, and against what.
struct TestSelection {
    std::vector<std::string> words;  // files, folders and packages; none: the package here
    std::string filter;              // only tests with this text in their names
    std::string server;              // a shell's command; "": tests are simulated
    BuildOptions build;
};

class TestFinder {
  public:
    TestFinder(const TestSelection& wanted, const std::string& folder, Diagnostics& diagnostics)
        : wanted_(wanted), folder_(folder), diagnostics_(diagnostics)
    {
    }

    // Of the words; without any, of the package.
    std::vector<TestCase> find(std::string& what)
    {
        const std::vector<std::string>& words = wanted_.words;
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
        if (tests_.empty() && wanted_.filter.empty() && !diagnostics_.has_errors())
            diagnostics_.report(Diag::file_not_found, {}, fmt::format("`{}` has no tests", in_folder(root, "tests")));
    }

    void add_tests(const std::string& path)
    {
        BuildOptions reading = wanted_.build;
        reading.sources.input = path;
        Compilation text;
        Session session(reading, text);
        const bool good = session.end(session.program() != nullptr);
        const bool read = !text.sources.files.empty();
        if (read && !expected_errors(text.sources.file(text.sources.main).text).empty())
            add({TestCase::Kind::errors, path, "", {}, "", {}, {}});
        else if (!good)
            add({TestCase::Kind::check, path, "", {}, "", {}, {}});  // which says what is wrong
        else
            add_models(path, *session.program(), *session.expanded_tree(), text.sources);
    }

    // Each with the failures that are expected in its text.
    void add_models(const std::string& path, const CheckedProgram& program, const SyntaxTree& tree,
                    const SourceSet& sources)
    {
        std::vector<ExpectedError> stray = expected_failures(sources.file(sources.main).text);
        std::vector<Span> texts;
        for (const SyntaxId id : syntax::File(tree, tree.roots[sources.main.value]).declarations())
            if (tree.kind(id) == SyntaxKind::model_decl) texts.push_back(tree.node(id).span);
        std::vector<TestCase> models;
        for (std::size_t i = 0; i < program.models.size(); ++i) {
            TestCase& test = models.emplace_back();
            test.file = path;
            test.model = program.component(program.models[i]).name;
            const Span within = texts[i];
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
        if (test.name().find(wanted_.filter) == std::string::npos) return;
        test.command = {executable_path(), test.kind == TestCase::Kind::run ? "run" : "check", test.file};
        std::vector<std::string>& command = test.command;
        for (const std::string& folder : wanted_.build.sources.include_dirs)
            command.insert(command.end(), {"-I", folder});
        command.insert(command.end(), {"--color", wanted_.build.messages.color ? "always" : "never"});
        if (test.kind == TestCase::Kind::run) {
            test.results = fmt::format("{}/{}.json", folder_, tests_.size());
            command.insert(command.end(), {"--model", test.model, "--"});
            if (wanted_.server.empty())
                command.insert(command.end(), {"simulate", "--results", test.results, "--threads", "1"});
            else
                command.insert(command.end(), {"live", "--control", "none", "--results", test.results, "--sandbox",
                                               "--", "sh", "-c", wanted_.server});
        }
        tests_.push_back(std::move(test));
    }

    const TestSelection& wanted_;
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

class TestVerb : public Verb {
  public:
    TestVerb() : Verb("test", "Run a package's tests: models that have to keep what they require")
    {
        running_.jobs = 0;
    }

    void add_options(CLI::App& app) override
    {
        app.add_option("file", wanted_.words, "Files and folders of tests, or packages (default: this package)")
            ->option_text("FILE...");
        app.add_option("--jobs", running_.jobs, "Tests beside each other (default: as many as there are processors)")
            ->check(CLI::Range(1u, 1024u))
            ->option_text("N");
        app.add_option("--filter", wanted_.filter, "Only tests with this text in their names")->option_text("TEXT");
        app.add_option("--timeout", timeout_, "How long a test may take, with compiling (default: 60s)")
            ->option_text("TIME");
        app.add_option("--server", wanted_.server,
                       "Run the tests live: a shell's COMMAND is the server, in the sandbox of each model's\n"
                       "only endpoint")
            ->option_text("COMMAND");
        app.add_option("--junit", junit_, "Write what came of them to PATH, too, as JUnit's XML")->option_text("PATH");
        app.add_flag("--list", list_, "Name the tests and do nothing");
        add_folders(app, wanted_.build.sources);
        words_.add(app);
        app.footer("Exit status: 0 all passed, 1 one failed or there is none, 2 wrong usage.");
    }

    std::string understand() override
    {
        words_.set(wanted_.build.messages);
        if (timeout_.empty()) return {};
        const auto time = parse_quantity(timeout_);
        if (!time || time->dim != dimension::time || time->value <= 0)
            return fmt::format("--timeout takes a time such as 60s, found `{}`", timeout_);
        running_.timeout = time->value / 1e9;
        return {};
    }

    int run(const CommandLine&) override;

  private:
    TestSelection wanted_;
    TestOptions running_;
    MessageWords words_;
    std::string timeout_, junit_;  // where JUnit's XML goes, "": nowhere
    bool list_ = false;
};

int TestVerb::run(const CommandLine&)
{
    const MessageOptions& messages = wanted_.build.messages;
    Compilation compilation;
    const TemporaryFolder folder(folder_of_temporaries(), "anmlc-");
    std::vector<TestCase> tests;
    if (folder.path().empty())
        compilation.diagnostics.report(Diag::cannot_write_output, {},
                                       fmt::format("cannot make a temporary folder in {}: {}", folder_of_temporaries(),
                                                   std::strerror(folder.error())));
    else
        tests = TestFinder(wanted_, folder.path(), compilation.diagnostics).find(running_.what);
    if (tests.empty() && !compilation.diagnostics.has_errors())
        compilation.diagnostics.report(Diag::file_not_found, {},
                                       wanted_.filter.empty()
                                           ? "there is no model among them: no test"
                                           : fmt::format("no test has `{}` in its name", wanted_.filter));
    adopt_quotes(compilation.diagnostics, compilation.sources);
    if (!junit_.empty() && !list_) check_writable(junit_, compilation.diagnostics);
    if (compilation.diagnostics.has_errors()) return print_diagnostics(messages, compilation), kExitErrors;
    if (list_) {
        for (const TestCase& test : tests) std::printf("%s\n", test.name().c_str());
        return 0;
    }
    running_.folder = folder.path();
    if (running_.jobs == 0) running_.jobs = processors();
    running_.color = messages.color && isatty(STDOUT_FILENO);
    const std::vector<TestOutcome> outcomes = run_tests(tests, running_);
    bool good = outcomes.size() == tests.size();
    for (const TestOutcome& outcome : outcomes) good = good && outcome.passed;
    if (!junit_.empty() && !write_file(junit_, junit(tests, outcomes), compilation.diagnostics)) good = false;
    print_diagnostics(messages, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace

std::unique_ptr<Verb> verb_test() { return std::make_unique<TestVerb>(); }

}  // namespace anml

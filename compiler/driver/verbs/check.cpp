// anmlc check FILE...: every stage that can find an error, and nothing written. anmlc lint FILE...: the same, with more
// to say. Each file stands by itself. One that says which errors it has is right if it has these and no others.
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/files/read_file.h"
#include "driver/duplicate_diagnostics.h"
#include "driver/input_files.h"
#include "driver/options/option_groups.h"
#include "driver/print_diagnostics.h"
#include "driver/run_checks.h"
#include "driver/verb.h"
#include "source/expected_errors.h"

namespace anml {

namespace {

bool is_test_of_errors(const std::string& path)
{
    constexpr std::size_t kLongest = std::size_t{1} << 20;
    std::string text;
    return read_text(path, kLongest, Readable::files, text).empty() && text.size() <= kLongest &&
           !expected_errors(text).empty();
}

class CheckVerb : public Verb {
  public:
    CheckVerb() : Verb("check", "Report every error, up to routes and requirements; write nothing") {}

    void add_options(CLI::App& app) override
    {
        add_files(app, files_, "Models and libraries, folders (every .anml below), or - for standard input");
        app.add_option("--format", format_,
                       "Write what is found to standard output, or to PATH of -o: text, json: an object a line, "
                       "sarif: a SARIF 2.1.0 log, or github: annotations of GitHub Actions")
            ->check(CLI::IsMember({"text", "json", "sarif", "github"}))
            ->option_text("FORMAT");
        app.add_option("-o", output_, "Where --format writes")->option_text("PATH");
        if (lint_) add_tasks(app, options_.partition);
        model_.add(app, options_);
    }

    std::string understand() override
    {
        if (std::string wrong = model_.set(options_); !wrong.empty()) return wrong;
        std::error_code ignored;
        const bool one = files_.size() == 1 && !std::filesystem::is_directory(files_.front(), ignored);
        if (!one && !(options_.elaborate.defines.empty() && options_.elaborate.model.empty()))
            return "-D and --model are of a model: give one file";
        if (format_.empty()) return output_.empty() ? "" : "-o says where --format writes: give both";
        if (model_.messages.error_format != "human") return "--format and --error-format exclude each other";
        options_.messages.output = output_.empty() ? "-" : output_;
        options_.messages.format = find_error_format(format_ == "text" ? "human" : format_);
        options_.messages.color =
            options_.messages.output == "-" && want_color(model_.messages.color, STDOUT_FILENO);
        return {};
    }

    int run(const CommandLine&) override
    {
        Compilation folders;
        const std::vector<InputFile> files = input_files(files_, folders.diagnostics);
        const auto& output = options_.messages.output;
        if (output && *output != "-") {
            for (const InputFile& file : files) {
                std::error_code ignored;
                if (!std::filesystem::equivalent(file.path, *output, ignored)) continue;
                std::fprintf(stderr, "anmlc: the findings would replace `%s`, which is looked at\n",
                             file.path.c_str());
                return kExitUsage;
            }
        }
        DiagnosticsPrinter printer(options_.messages);
        printer.add(folders);
        DuplicateDiagnostics duplicates;
        bool good = !folders.diagnostics.has_errors();
        for (const InputFile& file : files) {
            Compilation compilation;
            good = check(file, compilation) && good;
            if (!compilation.sources.files.empty()) duplicates.drop(compilation);
            printer.add(compilation);
        }
        good = printer.end() && good;
        return good ? 0 : kExitErrors;
    }

  protected:
    CheckVerb(const char* its_name, const char* its_text) : Verb(its_name, its_text), lint_(true) {}

  private:
    bool check(const InputFile& file, Compilation& compilation)
    {
        BuildOptions one = options_;
        one.sources.input = file.path;
        if (!file.folder.empty()) {  // modules are named from there, or from beside it
            const std::filesystem::path folder = std::filesystem::path(file.folder) / "";
            one.sources.include_dirs.push_back(file.folder);
            one.sources.include_dirs.push_back(folder.parent_path().parent_path().string());
        }
        Session session(one, compilation);
        // The linter has nothing to say of a network with errors, and knows no experiments, which may be expected to
        // have some.
        bool right = lint_ && !is_test_of_errors(file.path) ? run_linter(session) : run_checks(session);
        if (hold_against_expectations(compilation.sources, one.elaborate.model.empty() && one.elaborate.defines.empty(),
                                      compilation.diagnostics))
        {
            right = !compilation.diagnostics.has_errors();
            compilation.diagnostics.remove_if([](const Diagnostic& d) {
                return d.severity == Severity::note && diagnostic_severity(d.diag) == Severity::error;
            });
        }
        return right;
    }

    const bool lint_ = false;
    BuildOptions options_;
    ModelWords model_;
    std::vector<std::string> files_;
    std::string format_, output_;
};

class LintVerb : public CheckVerb {
  public:
    LintVerb() : CheckVerb("lint", "Report what is no error and still rarely meant; write nothing") {}
};

}  // namespace

std::unique_ptr<Verb> verb_check() { return std::make_unique<CheckVerb>(); }
std::unique_ptr<Verb> verb_lint() { return std::make_unique<LintVerb>(); }

}  // namespace anml

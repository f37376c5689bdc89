// anmlc check FILE...: every stage that can find an error, and nothing written. anmlc lint FILE...: the same, with more
// to say. Each file stands by itself. One that says which errors it has is right if it has these and no others.
#include <cstdio>
#include <filesystem>

#include "base/files/read_file.h"
#include "driver/commands.h"
#include "driver/duplicate_diagnostics.h"
#include "driver/input_files.h"
#include "driver/report.h"
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

}  // namespace

int cmd_check(const Options& options)
{
    Compilation folders;
    const std::vector<InputFile> files = input_files(options.files, folders.diagnostics);
    Reporter reporter(options);
    if (options.findings && options.output != "-") {
        for (const InputFile& file : files) {
            std::error_code ignored;
            if (!std::filesystem::equivalent(file.path, options.output, ignored)) continue;
            std::fprintf(stderr, "anmlc: the findings would replace `%s`, which is looked at\n", file.path.c_str());
            return kExitUsage;
        }
    }
    reporter.add(folders);
    DuplicateDiagnostics duplicates;
    bool good = !folders.diagnostics.has_errors();
    for (const InputFile& file : files) {
        Options one = options;
        one.sources.input = file.path;
        // The linter has nothing to say of a network with errors, and knows no experiments, which may be expected to
        // have some.
        if (one.goal == Goal::lint && is_test_of_errors(file.path)) one.goal = Goal::check;
        if (!file.folder.empty()) {  // modules are named from there, or from beside it
            const std::filesystem::path folder = std::filesystem::path(file.folder) / "";
            one.sources.include_dirs.push_back(file.folder);
            one.sources.include_dirs.push_back(folder.parent_path().parent_path().string());
        }
        Compilation compilation;
        bool right = compile(one, compilation);
        if (hold_against_expectations(compilation.sources, one.elaborate.model.empty() && one.elaborate.defines.empty(),
                                      compilation.diagnostics))
        {
            right = !compilation.diagnostics.has_errors();
            compilation.diagnostics.remove_if([](const Diagnostic& d) {
                return d.severity == Severity::note && diagnostic_severity(d.diag) == Severity::error;
            });
        }
        good = right && good;
        if (!compilation.sources.files.empty()) duplicates.drop(compilation);
        reporter.add(compilation);
    }
    good = reporter.end() && good;
    return good ? 0 : kExitErrors;
}

}  // namespace anml

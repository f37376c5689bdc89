// anmlc check FILE...: every stage that can find an error, and nothing written. anmlc lint FILE...: the same, with more
// to say. Each file stands by itself.
#include <cstdio>
#include <filesystem>

#include "base/read_file.h"
#include "driver/commands.h"
#include "driver/input_files.h"
#include "driver/repetitions.h"
#include "driver/report.h"
#include "testing/testing.h"

namespace anml {

namespace {

// One that says which errors it has: `anmlc test` looks whether it has them.
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
    Repetitions repetitions;
    bool good = !folders.diagnostics.has_errors();
    for (const InputFile& file : files) {
        if (!file.folder.empty() && is_test_of_errors(file.path)) continue;
        Options one = options;
        one.sources.input = file.path;
        if (!file.folder.empty()) {  // modules are named from there, or from beside it
            const std::filesystem::path folder = std::filesystem::path(file.folder) / "";
            one.sources.include_dirs.push_back(file.folder);
            one.sources.include_dirs.push_back(folder.parent_path().parent_path().string());
        }
        Compilation compilation;
        good = compile(one, compilation) && good;
        if (!compilation.sources.files.empty()) repetitions.drop(compilation);
        reporter.add(compilation);
    }
    good = reporter.end() && good;
    return good ? 0 : kExitErrors;
}

}  // namespace anml

// anmlc check FILE...: every stage that can find an error, and nothing written. anmlc lint FILE...: the same, with more
// to say. Each file stands by itself.
#include <cstdio>
#include <filesystem>

#include "driver/commands.h"
#include "driver/input_files.h"
#include "driver/repetitions.h"
#include "driver/report.h"

namespace anml {

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

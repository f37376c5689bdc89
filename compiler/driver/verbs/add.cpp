// anmlc add [PATH|ADDRESS|ARCHIVE]: writes a dependency into anml.toml and fetches what that and anml.lock name.
// Nothing else of anmlc fetches anything.
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "driver/commands.h"
#include "driver/report.h"
#include "link/temporary_folder.h"
#include "package/add.h"

namespace anml {

namespace {

bool add(const Options& options, std::vector<std::string>& done, Compilation& compilation)
{
    Diagnostics& diagnostics = compilation.diagnostics;
    const auto root = find_package("");
    if (!root) {
        diagnostics.report(Diag::invalid_manifest, {}, "there is no anml.toml here or above")
            .help("`anmlc new NAME` makes a package, `anmlc new .` makes one of this folder");
        return false;
    }
    const TemporaryFolder staging(folder_of_temporaries(), "anmlc-");
    if (staging.path().empty()) {
        diagnostics.report(Diag::cannot_write_output, {},
                           fmt::format("cannot make a temporary folder in {}: {}", folder_of_temporaries(),
                                       std::strerror(staging.error())));
        return false;
    }
    std::vector<std::string> words = options.files;
    if (words.empty()) words.push_back("");
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string room = fmt::format("{}/{}", staging.path(), i);
        std::error_code ignored;
        std::filesystem::create_directory(room, ignored);
        std::vector<std::string> now;
        if (!add_packages({*root, words[i], room}, now, diagnostics)) return false;
        done.insert(done.end(), now.begin(), now.end());
    }
    return true;
}

}  // namespace

int cmd_add(const Options& options)
{
    Compilation compilation;
    std::vector<std::string> done;
    const bool good = add(options, done, compilation);
    for (const std::string& line : done) std::printf("%s\n", line.c_str());
    if (good && done.empty()) std::printf("everything is there\n");
    adopt_quotes(compilation.diagnostics, compilation.sources);
    print_report(options, compilation);
    return good ? 0 : kExitErrors;
}

}  // namespace anml

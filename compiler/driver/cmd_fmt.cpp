// anmlc fmt FILE...: files in the one style, in place; --check and --diff only say what would change.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "driver/commands.h"
#include "driver/line_diff.h"
#include "driver/report.h"
#include "driver/write_file.h"
#include "format/format.h"

namespace anml {

namespace {

namespace fs = std::filesystem;

// Files as they are, of folders every .anml in them and below, in the order of their names.
std::vector<std::string> expand(const std::vector<std::string>& inputs, Diagnostics& diagnostics)
{
    std::vector<std::string> files;
    for (const std::string& input : inputs) {
        std::error_code error;
        if (!fs::is_directory(input, error)) {
            files.push_back(input);
            continue;
        }
        std::vector<std::string> found;
        for (fs::recursive_directory_iterator at(input, error), end; !error && at != end; at.increment(error)) {
            if (at->path().extension() == ".anml" && at->is_regular_file(error)) found.push_back(at->path().string());
        }
        if (error) {
            diagnostics.report(Diag::file_not_found, {}, fmt::format("cannot read `{}`: {}", input, error.message()));
        }
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

// The file that c.sources was loaded with, formatted.
std::optional<std::string> formatted(Compilation& c)
{
    const auto tree = parse(c.sources, c.diagnostics).if_whole();
    if (!tree) return std::nullopt;
    std::string text = format_file(c.sources, *tree, c.sources.main);
    SourceSet again;
    again.add(c.sources.file(c.sources.main).path, text, "");
    Diagnostics unexpected;
    const auto other = parse(again, unexpected).if_whole();
    std::string different = other ? compare_programs(c.sources, *tree, again, *other) : "it no longer parses";
    if (!different.empty()) throw InternalError(fmt::format("formatting would change the program: {}", different));
    return text;
}

// 0 or the exit status that this file leads to.
int format_one(const Options& options, const std::string& path, Compilation& c)
{
    if (!load_file(path, c.sources, c.diagnostics)) return kExitErrors;
    std::optional<std::string> text = formatted(c);
    if (!text) return kExitErrors;
    const SourceFile& file = c.sources.file(c.sources.main);
    bool changes = *text != file.text;
    if (options.diff && changes) std::fputs(unified_diff(file.path, file.text, *text).c_str(), stdout);
    if (options.check_only) {
        if (changes && !options.diff) std::puts(file.path.c_str());
        return changes ? kExitErrors : 0;
    }
    if (options.diff) return 0;
    if (path == "-") return std::fwrite(text->data(), 1, text->size(), stdout), 0;  // main looks after it
    if (!changes) return 0;
    std::error_code error;
    fs::path target = fs::canonical(path, error);  // behind a symbolic link
    return write_file(error ? path : target.string(), *text, c.diagnostics) ? 0 : kExitErrors;
}

}  // namespace

int cmd_fmt(const Options& options)
{
    Compilation folders;
    std::vector<std::string> files = expand(options.files, folders.diagnostics);
    Reporter reporter(options);
    reporter.add(folders);
    int status = folders.diagnostics.has_errors() ? kExitErrors : 0;
    for (const std::string& path : files) {
        Compilation one;
        status = std::max(status, format_one(options, path, one));
        reporter.add(one);
    }
    reporter.end();
    return status;
}

}  // namespace anml

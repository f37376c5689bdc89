#include "driver/dependencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <vector>

#include "driver/write_file.h"

namespace anml {

namespace {

// What make takes for a name.
std::string escaped(const std::string& path)
{
    std::string result;
    for (const char c : path) {
        if (c == ' ' || c == '#' || c == '\\') result += '\\';
        if (c == '$') result += '$';
        result += c;
    }
    return result;
}

std::vector<std::string> files_read(const Compilation& compilation)
{
    std::vector<std::string> files;
    const auto add = [&](const std::string& path) {
        if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
    };
    for (const SourceFile& file : compilation.sources.files)
        if (!file.path.starts_with("<") && !file.part_of) add(file.path);
    for (const std::string& path : compilation.data_files) add(path);
    for (const std::string& path : compilation.sources.package_files) add(path);
    return files;
}

}  // namespace

std::string dependency_rule(const std::string& output, const Compilation& compilation)
{
    std::string rule = escaped(output) + ":";
    for (const std::string& path : files_read(compilation)) rule += " \\\n  " + escaped(path);
    return rule + "\n";
}

bool keeps_inputs(const std::string& output, Compilation& compilation)
{
    for (const std::string& path : files_read(compilation)) {
        std::error_code ignored;
        if (!std::filesystem::equivalent(path, output, ignored)) continue;
        compilation.diagnostics.report(
            Diag::cannot_write_output, {},
            fmt::format("cannot write `{}`: that would replace `{}`, which was read", output, path));
        return false;
    }
    return true;
}

bool write_text(const std::string& output, const std::string& text, Compilation& compilation)
{
    if (output != "-") return keeps_inputs(output, compilation) && write_file(output, text, compilation.diagnostics);
    const bool good = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (std::fflush(stdout) == 0 && good) return true;
    compilation.diagnostics.report(Diag::cannot_write_output, {}, "cannot write to standard output");
    return false;
}

}  // namespace anml

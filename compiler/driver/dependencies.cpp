#include "driver/dependencies.h"

#include <set>

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

}  // namespace

std::string dependency_rule(const std::string& output, const Compilation& compilation)
{
    std::string rule = escaped(output) + ":";
    std::set<std::string> seen;
    const auto add = [&](const std::string& path) {
        if (seen.insert(path).second) rule += " \\\n  " + escaped(path);
    };
    for (const SourceFile& file : compilation.sources.files)
        if (!file.path.starts_with("<") && !file.part_of) add(file.path);
    for (const std::string& path : compilation.data_files) add(path);
    return rule + "\n";
}

}  // namespace anml

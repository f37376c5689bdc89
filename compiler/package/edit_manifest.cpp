#include "package/edit_manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/ascii.h"

namespace anml {

namespace {

std::string value_of(const Dependency& dependency)
{
    constexpr std::string_view kKinds[] = {"path", "git", "archive"};
    std::string out =
        fmt::format("{{ {} = {}", kKinds[static_cast<std::size_t>(dependency.kind)], toml_string(dependency.where));
    if (const std::size_t blank = dependency.at.find(' '); blank != dependency.at.npos)
        out += fmt::format(", {} = {}", dependency.at.substr(0, blank), toml_string(dependency.at.substr(blank + 1)));
    return out + " }";
}

// Behind the line of `[dependencies]`; nothing where there is none.
std::optional<std::size_t> behind_header(std::string_view text)
{
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        std::string_view words = text.substr(line, end - line);
        words = trimmed(words.substr(0, words.find('#')));
        if (words == "[dependencies]") return std::min(end + 1, text.size());
        line = end + 1;
    }
    return std::nullopt;
}

std::string edited(const Manifest& manifest, const Dependency& dependency)
{
    std::string text = manifest.text;
    for (const Dependency& known : manifest.dependencies)
        if (known.name == dependency.name)
            return text.replace(known.value_begin, known.value_end - known.value_begin, value_of(dependency));
    const std::string line = dependency_line(dependency) + "\n";
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    const auto header = behind_header(text);
    if (!header) return text + (text.empty() ? "" : "\n") + "[dependencies]\n" + line;
    std::size_t at = *header;
    for (const Dependency& known : manifest.dependencies)
        if (known.value_end > at) at = std::min(text.find('\n', known.value_end), text.size() - 1) + 1;
    return text.insert(at, line);
}

bool same(const Dependency& a, const Dependency& b)
{
    return a.name == b.name && a.kind == b.kind && a.where == b.where && a.at == b.at;
}

}  // namespace

std::string dependency_line(const Dependency& dependency)
{
    return fmt::format("{} = {}", dependency.name, value_of(dependency));
}

std::optional<std::string> with_dependency(const Manifest& manifest, const Dependency& dependency)
{
    std::string text = edited(manifest, dependency);
    // What it says now must be what it said, and this.
    Diagnostics unsaid;
    const auto read = parse_manifest(manifest.folder, text, unsaid);
    if (!read || read->name != manifest.name || read->version != manifest.version) return std::nullopt;
    std::vector<Dependency> wanted = manifest.dependencies;
    const auto old =
        std::find_if(wanted.begin(), wanted.end(), [&](const Dependency& d) { return d.name == dependency.name; });
    if (old != wanted.end())
        *old = dependency;
    else
        wanted.push_back(dependency);
    const auto has = [&](const Dependency& d) {
        return std::any_of(read->dependencies.begin(), read->dependencies.end(),
                           [&](const Dependency& other) { return same(d, other); });
    };
    if (read->dependencies.size() != wanted.size() || !std::all_of(wanted.begin(), wanted.end(), has))
        return std::nullopt;
    return text;
}

}  // namespace anml

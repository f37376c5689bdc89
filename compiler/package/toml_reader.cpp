#include "package/toml_reader.h"

#include <algorithm>

namespace anml {

namespace {

// TOML's columns count code points.
std::uint32_t offset_of(std::string_view text, const toml::source_position& at)
{
    std::size_t line = 0;
    for (toml::source_index i = 1; i < at.line && line < text.size(); ++i)
        line = std::min(text.find('\n', line), text.size() - 1) + 1;
    std::size_t offset = line;
    for (toml::source_index column = 1; column < at.column && offset < text.size() && text[offset] != '\n'; ++column) {
        ++offset;
        while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80) ++offset;
    }
    return static_cast<std::uint32_t>(offset);
}

TomlBytes bytes_of(std::string_view text, const toml::source_region& region)
{
    const std::uint32_t begin = offset_of(text, region.begin);
    return {begin, std::max(offset_of(text, region.end), begin)};
}

}  // namespace

std::optional<toml::table> TomlReader::parse()
{
    toml::parse_result parsed = toml::parse(text_, std::string_view(path_));
    if (parsed) return std::move(parsed).table();
    const toml::parse_error& error = parsed.error();
    auto [begin, end] = bytes_of(text_, error.source());
    // A mistake at the end of a line is shown there, and not as the empty beginning of the next one.
    while (begin > 0 && begin >= text_.size()) --begin;
    if (begin > 0 && text_[begin] == '\n' && text_[begin - 1] != '\n') --begin;
    std::string what(error.description());
    if (!what.empty() && what[0] >= 'A' && what[0] <= 'Z') what[0] = static_cast<char>(what[0] - 'A' + 'a');
    while (what.ends_with('.')) what.pop_back();
    report({begin, std::max(begin + 1, std::min(end, begin + 1))}, fmt::format("this is no TOML: {}", what));
    return std::nullopt;
}

Diagnostics::Builder TomlReader::report(TomlBytes at, std::string message)
{
    good_ = false;
    const auto size = static_cast<std::uint32_t>(text_.size());
    return diagnostics_.report(
        diag_, diagnostics_.quote(path_, std::string(text_), std::min(at.first, size), std::min(at.second, size)),
        std::move(message));
}

TomlBytes TomlReader::place(const toml::node& node) const { return bytes_of(text_, node.source()); }

TomlBytes TomlReader::place(const toml::key& key) const { return bytes_of(text_, key.source()); }

std::string TomlReader::text(const toml::key& key, const toml::node& node)
{
    if (const auto* string = node.as_string()) {
        const auto has_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127; };
        const std::string& value = string->get();
        if (std::none_of(value.begin(), value.end(), has_control)) return value;
        report(place(node), fmt::format("`{}` is no single line of text", key.str()));
        return "";
    }
    report(place(node), fmt::format("`{}` is a text in quotes", key.str()));
    return "";
}

void TomlReader::unknown(const toml::key& key, const std::vector<std::string_view>& known, std::string_view what)
{
    auto report = this->report(place(key), fmt::format("{} has no `{}`", what, key.str()));
    if (const auto near = similar_name(key.str(), known); !near.empty())
        report.help(fmt::format("there is `{}`", near));
    else
        report.note(fmt::format("it has {}", fmt::join(known, ", ")));
}

}  // namespace anml

// Works on the text alone, which need not have the form of the language.
#include "source/remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace anml {

namespace {

using Offset = std::uint32_t;

std::string_view text_of(const SourceSet& sources, FileId file) { return sources.file(file).text; }

Offset line_begin(std::string_view text, Offset at)
{
    const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
    return before == std::string_view::npos ? 0 : static_cast<Offset>(before + 1);
}

// Behind its line end, or the end of the text.
Offset line_end(std::string_view text, Offset at)
{
    const std::size_t end = text.find('\n', at);
    return static_cast<Offset>(end == std::string_view::npos ? text.size() : end + 1);
}

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::string_view without_indent(std::string_view line)
{
    return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string_view indent_at(std::string_view text, Offset line)
{
    const std::string_view rest = text.substr(line);
    return rest.substr(0, rest.size() - without_indent(rest).size());
}

std::string_view line_break(std::string_view text)
{
    const std::size_t end = text.find('\n');
    return end != std::string_view::npos && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

// The line above holds documentation of what begins at that line.
bool documented(std::string_view text, Offset line)
{
    return line > 0 && without_indent(text.substr(line_begin(text, line - 1))).starts_with("///");
}

std::string shortened(std::string_view text)
{
    constexpr std::size_t kMost = 60;
    text = without_indent(text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size())));
    text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
    std::size_t end = std::min({text.size(), text.find('\n'), kMost});
    if (end == text.size()) return std::string(text);
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    text = text.substr(0, end);
    return fmt::format("{} ...", text.substr(0, text.find_last_not_of(" \t\r") + 1));
}

// With the line end and the documentation where nothing else stands on its lines, else with the blanks before it.
Span to_remove(const SourceSet& sources, Span span)
{
    const std::string_view text = text_of(sources, span.file);
    Offset begin = line_begin(text, span.begin);
    const Offset end = line_end(text, span.end);
    const bool alone = blank(text.substr(begin, span.begin - begin)) && blank(text.substr(span.end, end - span.end));
    if (!alone) {
        while (span.begin > begin && (text[span.begin - 1] == ' ' || text[span.begin - 1] == '\t')) --span.begin;
        return span;
    }
    while (documented(text, begin)) begin = line_begin(text, begin - 1);
    return {span.file, begin, end};
}

// Name, `=`, value and the comma that belongs to it; invalid where no attribute stands there.
Span attribute_to_remove(const SourceSet& sources, Span value)
{
    const std::string_view text = text_of(sources, value.file);
    constexpr std::string_view kBlank = " \t\r\n";
    const auto back = [&](Offset at) {
        while (at > 0 && kBlank.find(text[at - 1]) != kBlank.npos) --at;
        return at;
    };
    Offset begin = back(value.begin), end = value.end;
    if (begin == 0 || text[begin - 1] != '=') return {};
    begin = back(begin - 1);
    const Offset name_end = begin;
    const auto in_name = [](char c) { return c == '_' || c == '`' || std::isalnum(static_cast<unsigned char>(c)); };
    while (begin > 0 && in_name(text[begin - 1])) --begin;
    if (begin == name_end) return {};
    const Offset before = back(begin);
    const std::size_t next = std::min(text.find_first_not_of(kBlank, end), text.size());
    if (next < text.size() && text[next] == ',') {
        end = static_cast<Offset>(std::min(text.find_first_not_of(" \t", next + 1), text.size()));
    } else if (before > 0 && text[before - 1] == ',') {
        begin = before - 1;
    } else if (before > 0 && text[before - 1] == '{' && next < text.size() && text[next] == '}') {
        begin = before;
    }
    return {value.file, begin, end};
}

// Below the last import, else above the first declaration.
Edit import_of(const SourceSet& sources, FileId file, std::string_view module)
{
    const std::string_view text = text_of(sources, file);
    const std::string_view end_of_line = line_break(text);
    Offset at = 0, paragraph = 0;
    bool below = false;  // an import or the edition
    for (Offset line = 0; line < text.size();) {
        const Offset next = line_end(text, line);
        const std::string_view words = without_indent(text.substr(line, next - line));
        if (words.starts_with("import ") || words.starts_with("edition ")) {
            at = next;
            below = true;
        } else if (blank(words)) {
            if (!below) paragraph = next;  // what stands above is about the file
        } else if (!words.starts_with("//")) {
            break;
        }
        line = next;
    }
    if (!below) at = paragraph;
    const bool cut = at > 0 && text[at - 1] != '\n';
    return {{file, at, at}, fmt::format("{}import {}{}", cut ? end_of_line : "", module, end_of_line)};
}

Edit at_end_of_block(const SourceSet& sources, Span block, std::string_view statement)
{
    const std::string_view text = text_of(sources, block.file);
    const std::string_view end_of_line = line_break(text);
    const Offset brace = block.end - 1, line = line_begin(text, brace);
    const std::string indent(indent_at(text, line));
    if (blank(text.substr(line, brace - line)))
        return {{block.file, line, line}, fmt::format("{}  {}{}", indent, statement, end_of_line)};
    return {{block.file, brace, brace}, fmt::format("{0}{1}  {2}{0}{1}", end_of_line, indent, statement)};
}

// `metric = cost` in the braces behind, which hold plain values.
Edit setting_of(const SourceSet& sources, Span statement, std::string_view setting)
{
    const std::string_view text = text_of(sources, statement.file);
    const std::size_t open = text.find('{', statement.begin), close = text.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) return {};
    const std::string_view name = setting.substr(0, setting.find(' '));
    for (std::size_t at = text.find(name, open); at < close; at = text.find(name, at + 1)) {
        const std::size_t next = text.find_first_not_of(" \t", at + name.size());
        if ((text[at - 1] != ' ' && text[at - 1] != '{') || text[next] != '=') continue;
        const std::size_t end = text.find_last_not_of(" \t\r\n", text.find_first_of(",}\n", next) - 1) + 1;
        return {{statement.file, static_cast<Offset>(at), static_cast<Offset>(end)}, std::string(setting)};
    }
    const auto at = static_cast<Offset>(open + 1);
    return {{statement.file, at, at}, fmt::format(" {}{}", setting, blank(text.substr(at, close - at)) ? " " : ",")};
}

bool find_place(const SourceSet& sources, Edit& edit)
{
    switch (edit.at) {
        case EditAt::span:
            break;
        case EditAt::lines:
            edit.span = to_remove(sources, edit.span);
            break;
        case EditAt::attribute:
            edit.span = attribute_to_remove(sources, edit.span);
            break;
        case EditAt::block_end:
            edit = at_end_of_block(sources, edit.span, edit.replacement);
            break;
        case EditAt::setting:
            edit = setting_of(sources, edit.span, edit.replacement);
            break;
        case EditAt::import:
            edit = import_of(sources, edit.span.file, edit.replacement);
            break;
    }
    edit.at = EditAt::span;
    return edit.span.valid() && edit.span.file.value < sources.files.size();
}

}  // namespace

std::vector<Fix> as_written(const SourceSet& sources, const std::vector<Fix>& fixes)
{
    std::vector<Fix> found;
    for (Fix fix : fixes) {
        bool all = fix.span.valid() && find_place(sources, fix);
        for (Edit& edit : fix.more) all = all && find_place(sources, edit);
        if (all) found.push_back(std::move(fix));
    }
    return found;
}

std::string fix_title(const SourceSet& sources, const Fix& fix)
{
    std::string title;
    if (fix.replacement.empty()) {
        title = shortened(sources.text(fix.span));
        title = title.starts_with("///") ? "remove it" : fmt::format("remove `{}`", title);
    } else {
        title = fmt::format("{} `{}`", fix.span.begin == fix.span.end ? "insert" : "write", shortened(fix.replacement));
    }
    for (const Edit& edit : fix.more) title += fmt::format(", `{}`", shortened(edit.replacement));
    return title;
}

Edit allowance_of(const SourceSet& sources, Span span, std::string_view warning)
{
    const std::string_view text = text_of(sources, span.file);
    Offset line = line_begin(text, span.begin);
    const std::string indent(indent_at(text, line));
    while (documented(text, line)) line = line_begin(text, line - 1);
    return {{span.file, line, line}, fmt::format("{}// lint: allow({}) say why{}", indent, warning, line_break(text))};
}

}  // namespace anml

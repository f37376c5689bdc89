// The two forms of documentation: Markdown for pages, plain text for terminals.
#include <fmt/format.h>

#include "doc/module_doc.h"

namespace anml {

namespace {

std::string cell(std::string_view text)
{
    std::string out;
    for (char c : text) {
        if (c == '|') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string code_cell(std::string_view text) { return text.empty() ? "" : fmt::format("`{}`", cell(text)); }

// Usage lines go to a line of their own.
std::string paragraphs(std::string_view text, std::string_view gap)
{
    std::string out(text);
    for (std::size_t at = 0; (at = out.find("Usage: ", at)) != std::string::npos; at += 7 + gap.size()) {
        if (at == 0) continue;
        std::size_t begin = at;
        while (begin > 0 && (out[begin - 1] == ' ' || out[begin - 1] == '\n')) --begin;
        out.replace(begin, at - begin, gap);
        at = begin;
    }
    return out;
}

std::string indented(std::string_view text, std::string_view indent)
{
    std::string out;
    while (!text.empty()) {
        std::size_t end = std::min(text.find('\n'), text.size());
        out += end == 0 ? "\n" : fmt::format("{}{}\n", indent, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

// With the component that has it, where that is another one.
std::string about(const InsideDoc& one)
{
    if (one.from.empty()) return one.about;
    return fmt::format("From `{}`.{}{}", one.from, one.about.empty() ? "" : " ", one.about);
}

std::string member_list(const DeclarationDoc& d)
{
    std::string out;
    if (d.kind == "enum") {
        for (const MemberDoc& m : d.members)
            out += fmt::format("- `{}`{}{}\n", m.name, m.text.empty() ? "" : ": ", m.text);
        return out;
    }
    out = fmt::format("| {} | type | default | |\n| --- | --- | --- | --- |\n",
                      d.kind == "schema" ? "attribute" : "parameter");
    for (const MemberDoc& m : d.members)
        out += fmt::format("| `{}` | {} | {} | {} |\n", m.name, code_cell(m.type), code_cell(m.preset), cell(m.text));
    return out;
}

std::string inside_table(const DeclarationDoc& d)
{
    std::string out = "| inside | |\n| --- | --- |\n";
    for (const InsideDoc& one : d.inside)
        out += fmt::format("| {}{}{} | {} |\n", code_cell(one.text), one.where.empty() ? "" : ", ",
                           code_cell(one.where), cell(about(one)));
    return out;
}

}  // namespace

std::string markdown(const ModuleDoc& module)
{
    std::string out = fmt::format("## {}\n\n", module.name);
    if (!module.text.empty()) out += paragraphs(module.text, "\n\n") + "\n\n";
    for (const DeclarationDoc& d : module.declarations) {
        out += fmt::format("### {} {}\n\n", d.kind, d.name);
        if (!d.text.empty()) out += paragraphs(d.text, "\n\n") + "\n\n";
        out += fmt::format("```\n{}\n```\n\n", d.signature);
        if (!d.members.empty()) out += member_list(d) + "\n";
        if (!d.inside.empty()) out += inside_table(d) + "\n";
    }
    return out;
}

std::string plain_text(const ModuleDoc& module)
{
    std::string out = module.name + "\n";
    if (!module.text.empty()) out += indented(paragraphs(module.text, "\n"), "  ");
    for (const DeclarationDoc& d : module.declarations) {
        out += "\n" + indented(d.signature, "  ");
        out += indented(paragraphs(d.text, "\n"), "      ");
        for (const MemberDoc& m : d.members) {
            out += fmt::format("      - {}{}{}{}{}\n", m.name, m.type.empty() ? "" : ": ", m.type,
                               m.preset.empty() ? "" : " = ", m.preset);
            out += indented(m.text, "          ");
        }
        for (const InsideDoc& one : d.inside) {
            out += fmt::format("      - {}{}{}\n", one.text, one.where.empty() ? "" : ", ", one.where);
            out += indented(about(one), "          ");
        }
    }
    return out;
}

}  // namespace anml

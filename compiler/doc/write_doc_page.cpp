// Documentation as a page: modules with a list of what they declare, and pictures of components.
#include <fmt/format.h>

#include "base/markup.h"
#include "doc/module_doc.h"

namespace anml {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --line: light-dark(#d8d8d4, #444); --soft: light-dark(#f4f4f1, #262624); }
body { font: 15px/1.5 system-ui, sans-serif; margin: 0; display: flex; }
nav { width: 17em; flex: none; height: 100vh; position: sticky; top: 0; overflow: auto; padding: 1em; box-sizing: border-box;
  border-right: 1px solid var(--line); }
nav ul { list-style: none; padding-left: .8em; margin: .2em 0 .8em; }
nav a { text-decoration: none; }
main { max-width: 60em; padding: 1em 2em 4em; min-width: 0; }
h2 { border-bottom: 1px solid var(--line); margin-top: 2em; }
h3 { margin: 2em 0 .3em; }
h3 small { font-weight: normal; opacity: .65; }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; background: var(--soft); }
pre { padding: .6em .8em; white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: .6em 0; }
td, th { border-bottom: 1px solid var(--line); padding: .2em .8em .2em 0; text-align: left; vertical-align: top; }
figure { margin: .8em 0; }
figure img { max-width: 100%; max-height: 32em; border: 1px solid var(--line); }
figcaption { opacity: .75; }
@media (max-width: 50em) { body { display: block; } nav { width: auto; height: auto; position: static; border: 0; } main { padding: 1em; } }
)";

std::string code(std::string_view text) { return text.empty() ? "" : fmt::format("<code>{}</code>", escaped(text)); }

// What stands between backquotes is code.
std::string words(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        const std::size_t open = text.find('`');
        const std::size_t close = open == text.npos ? text.npos : text.find('`', open + 1);
        if (close == text.npos) break;
        out += escaped(text.substr(0, open)) + code(text.substr(open + 1, close - open - 1));
        text.remove_prefix(close + 1);
    }
    return out + escaped(text);
}

// An empty line, or "Usage: ", begins another paragraph.
std::string text_of(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        std::size_t end = std::min(text.find("\n\n"), text.size());
        if (const std::size_t usage = text.find("Usage: ", 1); usage < end) end = usage;
        out += fmt::format("<p>{}</p>\n", words(text.substr(0, end)));
        text.remove_prefix(end);
        text.remove_prefix(std::min(text.find_first_not_of('\n'), text.size()));
    }
    return out;
}

std::string data_url(std::string_view svg)
{
    std::string out = "data:image/svg+xml;charset=utf-8,";
    for (const char c : svg) {
        const bool plain = c > ' ' && c < 127 && std::string_view("%#\"'<>&?\\^`{|}").find(c) == std::string_view::npos;
        if (plain)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string anchor(const ModuleDoc& module, const DeclarationDoc& declaration)
{
    return escaped(fmt::format("{}.{}", module.name, declaration.name));
}

std::string contents(const std::vector<ModuleDoc>& modules)
{
    std::string out;
    for (const ModuleDoc& module : modules) {
        out += fmt::format("<a href=\"#{0}\"><b>{0}</b></a>\n<ul>\n", escaped(module.name));
        for (const DeclarationDoc& d : module.declarations)
            out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", anchor(module, d), escaped(d.name));
        out += "</ul>\n";
    }
    return out;
}

std::string members(const DeclarationDoc& d)
{
    const bool values = d.kind == "enum";
    std::string out = values ? "<table>\n"
                             : fmt::format("<table>\n<tr><th>{}</th><th>type</th><th>default</th><th></th></tr>\n",
                                           d.kind == "schema" ? "attribute" : "parameter");
    for (const MemberDoc& m : d.members) {
        const std::string types = values ? "" : fmt::format("<td>{}</td><td>{}</td>", code(m.type), code(m.preset));
        out += fmt::format("<tr><td>{}</td>{}<td>{}</td></tr>\n", code(m.name), types, words(m.text));
    }
    return out + "</table>\n";
}

std::string inside(const DeclarationDoc& d)
{
    std::string out = "<table>\n<tr><th>inside</th><th></th></tr>\n";
    for (const InsideDoc& one : d.inside)
        out += fmt::format("<tr><td>{}{}{}</td><td>{}{}</td></tr>\n", code(one.text), one.where.empty() ? "" : ", ",
                           code(one.where), one.from.empty() ? "" : fmt::format("From {}. ", code(one.from)),
                           words(one.about));
    return out + "</table>\n";
}

std::string declaration(const ModuleDoc& module, const DeclarationDoc& d)
{
    std::string out =
        fmt::format("<h3 id=\"{}\"><small>{}</small> {}</h3>\n", anchor(module, d), escaped(d.kind), escaped(d.name));
    out += text_of(d.text);
    out += fmt::format("<pre>{}</pre>\n", escaped(d.signature));
    if (!d.picture.empty())
        out += fmt::format(
            "<figure><picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\"><img src=\"{}\" "
            "alt=\"{}\"></picture><figcaption>{}</figcaption></figure>\n",
            data_url(d.dark_picture), data_url(d.picture), escaped(d.pictured), code(d.pictured));
    if (!d.members.empty()) out += members(d);
    if (!d.inside.empty()) out += inside(d);
    return out;
}

}  // namespace

std::string page(const std::vector<ModuleDoc>& modules)
{
    const std::string title = modules.size() == 1 ? escaped(modules[0].name) : "Modules";
    std::string out = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n"
        "<nav>\n{}</nav>\n<main>\n",
        title, kStyle, contents(modules));
    for (const ModuleDoc& module : modules) {
        out += fmt::format("<h2 id=\"{0}\">{0}</h2>\n{1}", escaped(module.name), text_of(module.text));
        for (const DeclarationDoc& d : module.declarations) out += declaration(module, d);
    }
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace anml

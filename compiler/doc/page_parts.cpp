#include "doc/page_parts.h"

#include <fmt/format.h>

#include "common/ascii.h"
#include "common/markup.h"

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
td p { margin: 0; }
td, th { border-bottom: 1px solid var(--line); padding: .2em .8em .2em 0; text-align: left; vertical-align: top; }
figure { margin: .8em 0; }
figure img { max-width: 100%; max-height: 32em; border: 1px solid var(--line); }
figcaption { opacity: .75; }
@media (max-width: 50em) { body { display: block; } nav { width: auto; height: auto; position: static; border: 0; } main { padding: 1em; } }
)";

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

}  // namespace

std::string PageParts::head(std::string_view title)
{
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
        "content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        title, kStyle);
}

std::string PageParts::anchor(const ModuleDoc& module, const DeclarationDoc& declaration)
{
    return escaped(fmt::format("{}.{}", module.name, declaration.name));
}

std::string PageParts::figure(const std::string& picture, const std::string& dark, std::string_view about)
{
    return fmt::format(
        "<figure><picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\"><img src=\"{}\" "
        "alt=\"{}\"></picture><figcaption><code>{}</code></figcaption></figure>\n",
        data_url(dark), data_url(picture), escaped(about), escaped(about));
}

// Names are words with dots between them; `metro.Ring`, or `Ring` in the module that declares it.
std::string PageParts::linked(std::string_view text) const
{
    if (!links_) return escaped(text);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (!begins_word(text[at])) {
            std::size_t end = at + 1;
            while (end < text.size() && !begins_word(text[end])) ++end;
            if (is_digit(text[end - 1]))  // the unit of a number
                while (end < text.size() && in_word(text[end])) ++end;
            out += escaped(text.substr(at, end - at));
            at = end;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() &&
               (in_word(text[end]) || (text[end] == '.' && end + 1 < text.size() && begins_word(text[end + 1]))))
            ++end;
        const std::string_view name = text.substr(at, end - at);
        auto found = links_->find(name);
        if (found == links_->end() && name != name_) found = links_->find(fmt::format("{}.{}", module_, name));
        out += found == links_->end() ? escaped(name)
                                      : fmt::format("<a href=\"{}\">{}</a>", escaped(found->second), escaped(name));
        at = end;
    }
    return out;
}

std::string PageParts::code(std::string_view text) const
{
    return text.empty() ? "" : fmt::format("<code>{}</code>", linked(text));
}

// What stands between backquotes is code.
std::string PageParts::words(std::string_view text) const
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
std::string PageParts::text_of(std::string_view text) const
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

std::string PageParts::members(const DeclarationDoc& d) const
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

std::string PageParts::inside(const DeclarationDoc& d) const
{
    std::string out = "<table>\n<tr><th>inside</th><th></th></tr>\n";
    for (const InsideDoc& one : d.inside)
        out += fmt::format("<tr><td>{}{}{}</td><td>{}{}</td></tr>\n", code(one.text), one.where.empty() ? "" : ", ",
                           code(one.where), one.from.empty() ? "" : fmt::format("From {}. ", code(one.from)),
                           words(one.about));
    return out + "</table>\n";
}

std::string PageParts::declaration(const ModuleDoc& module, const DeclarationDoc& d)
{
    name_ = d.name;
    std::string out =
        fmt::format("<h3 id=\"{}\"><small>{}</small> {}</h3>\n", anchor(module, d), escaped(d.kind), escaped(d.name));
    out += text_of(d.text);
    out += fmt::format("<pre>{}</pre>\n", linked(d.signature));
    if (!d.picture.empty()) out += figure(d.picture, d.dark_picture, d.pictured);
    if (!d.members.empty()) out += members(d);
    if (!d.inside.empty()) out += inside(d);
    return out;
}

std::string PageParts::module(const ModuleDoc& shown)
{
    module_ = shown.name;
    name_.clear();
    std::string out = fmt::format("<h2 id=\"{0}\">{0}</h2>\n{1}", escaped(shown.name), text_of(shown.text));
    for (const DeclarationDoc& d : shown.declarations) out += declaration(shown, d);
    return out;
}

}  // namespace anml

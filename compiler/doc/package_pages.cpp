#include "doc/package_pages.h"

#include <fmt/format.h>
#include <md4c-html.h>

#include <algorithm>

#include "common/ascii.h"
#include "common/markup.h"
#include "doc/page_parts.h"

namespace anml {

namespace {

std::string page_of(const ModuleDoc& module) { return fmt::format("{}.html", module.name); }
std::string page_of(const ExampleDoc& example) { return fmt::format("example-{}.html", example.name); }

// By md4c; HTML in it is shown as the text that it is.
std::string from_markdown(const std::string& text)
{
    std::string out;
    const auto take = [](const MD_CHAR* bytes, MD_SIZE size, void* to) {
        static_cast<std::string*>(to)->append(bytes, size);
    };
    md_html(text.data(), static_cast<MD_SIZE>(text.size()), take, &out, MD_DIALECT_GITHUB | MD_FLAG_NOHTML,
            MD_HTML_FLAG_SKIP_UTF8_BOM);
    return out;
}

std::string first_sentence(const std::string& text)
{
    std::size_t end = std::min(text.find("\n\n"), text.size());
    if (const std::size_t stop = text.find(". "); stop < end) end = stop + 1;
    return text.substr(0, end);
}

// "./src/a.anml" is "src/a.anml", "examples/" is "examples".
std::string_view plain_path(std::string_view path)
{
    while (path.starts_with("./")) path.remove_prefix(2);
    while (path.ends_with('/')) path.remove_suffix(1);
    return path;
}

// The page of what a file of the package holds, or a folder of modules; "": it has none.
std::string page_of_file(const PackageDoc& package, std::string_view file)
{
    const std::string_view path = plain_path(file);
    for (const ExampleDoc& example : package.examples)
        if (path == example.file) return page_of(example);
    if (!path.starts_with("src/")) return "";
    std::string name(path.substr(4, path.ends_with(".anml") ? path.size() - 9 : path.npos));
    std::replace(name.begin(), name.end(), '/', '.');
    for (const ModuleDoc& module : package.modules)
        if (module.name == fmt::format("{}.{}", package.name, name) ||
            (module.name == package.name && name == package.name))
            return page_of(module);
    return "";
}

// Whether a link of a README may be followed from a page: to a place beside it, or on the web.
bool harmless(std::string_view to)
{
    const std::size_t colon = to.find_first_of(":/?#");
    if (colon == to.npos || to[colon] != ':') return true;
    const std::string scheme = lower_case(to.substr(0, colon));
    return scheme == "http" || scheme == "https" || scheme == "mailto";
}

// Links of the README to modules and examples, which lead to their pages here.
std::string with_pages(const PackageDoc& package, std::string_view html)
{
    constexpr std::string_view kLink = "<a href=\"";
    std::string out;
    for (std::size_t at = 0; (at = html.find(kLink)) != html.npos;) {
        at += kLink.size();
        out += html.substr(0, at);
        html.remove_prefix(at);
        const std::string_view to = html.substr(0, html.find('"'));
        const std::string page = page_of_file(package, to.substr(0, to.find('#')));
        out += !page.empty() ? escaped(page) : harmless(to) ? std::string(to) : "#";
        html.remove_prefix(to.size());
    }
    return out + std::string(html);
}

DocLinks links_of(const PackageDoc& package)
{
    DocLinks links;
    for (const ModuleDoc& module : package.modules) {
        const std::string called = module.name.substr(module.name.rfind('.') + 1);
        for (const DeclarationDoc& d : module.declarations) {
            const std::string to = fmt::format("{}#{}.{}", page_of(module), module.name, d.name);
            links.emplace(fmt::format("{}.{}", module.name, d.name), to);
            links.emplace(fmt::format("{}.{}", called, d.name), to);
            links.emplace(fmt::format("{}.{}", package.name, d.name), to);  // `import metro` of the whole folder
        }
    }
    return links;
}

std::string navigation(const PackageDoc& package)
{
    std::string out = fmt::format("<nav>\n<p><a href=\"index.html\"><b>{}</b></a> {}</p>\n", escaped(package.name),
                                  escaped(package.version));
    for (const ModuleDoc& module : package.modules) {
        out += fmt::format("<a href=\"{}\"><b>{}</b></a>\n<ul>\n", escaped(page_of(module)), escaped(module.name));
        for (const DeclarationDoc& d : module.declarations)
            out += fmt::format("<li><a href=\"{}#{}\">{}</a></li>\n", escaped(page_of(module)),
                               PageParts::anchor(module, d), escaped(d.name));
        out += "</ul>\n";
    }
    if (!package.examples.empty()) {
        out += "<b>Examples</b>\n<ul>\n";
        for (const ExampleDoc& example : package.examples)
            out += fmt::format("<li><a href=\"{}\">{}</a></li>\n", escaped(page_of(example)), escaped(example.name));
        out += "</ul>\n";
    }
    return out + "</nav>\n<main>\n";
}

std::string index_of(const PackageDoc& package, const PageParts& parts)
{
    std::string out = package.readme.empty()
                          ? fmt::format("<h1>{}</h1>\n<p>{}</p>\n", escaped(package.name), escaped(package.description))
                          : with_pages(package, from_markdown(package.readme));
    out += "<h2>Modules</h2>\n<table>\n";
    for (const ModuleDoc& module : package.modules)
        out += fmt::format("<tr><td><a href=\"{}\"><code>{}</code></a></td><td>{}</td></tr>\n",
                           escaped(page_of(module)), escaped(module.name), parts.text_of(first_sentence(module.text)));
    out += "</table>\n";
    if (!package.examples.empty()) out += "<h2>Examples</h2>\n";
    for (const ExampleDoc& example : package.examples) {
        out += fmt::format("<h3><a href=\"{}\">{}</a></h3>\n{}", escaped(page_of(example)), escaped(example.name),
                           parts.text_of(first_sentence(example.about)));
        if (!example.picture.empty()) out += PageParts::figure(example.picture, example.dark_picture, example.model);
    }
    out += "<h2>Package</h2>\n<table>\n";
    out += fmt::format("<tr><td>version</td><td>{}</td></tr>\n", escaped(package.version));
    if (!package.license.empty())
        out += fmt::format("<tr><td>licence</td><td>{}</td></tr>\n", escaped(package.license));
    for (const auto& [name, from] : package.dependencies)
        out += fmt::format("<tr><td>needs</td><td><code>{}</code>, {}</td></tr>\n", escaped(name), escaped(from));
    return out + "</table>\n";
}

std::string example_page(const ExampleDoc& example, const PageParts& parts)
{
    std::string out = fmt::format("<h2>{}</h2>\n{}", escaped(example.name), parts.text_of(example.about));
    if (!example.picture.empty()) out += PageParts::figure(example.picture, example.dark_picture, example.model);
    return out + fmt::format("<p><code>{}</code></p>\n<pre style=\"white-space: pre; overflow-x: auto\">{}</pre>\n",
                             escaped(example.file), parts.linked(example.text));
}

}  // namespace

std::vector<DocPage> package_pages(const PackageDoc& package)
{
    const DocLinks links = links_of(package);
    const PageParts parts(&links);  // no module's names are known without it
    PageParts of_modules(&links);
    std::vector<DocPage> pages;
    const std::string nav = navigation(package);
    const auto add = [&](std::string file, std::string_view title, const std::string& body) {
        pages.push_back(
            {std::move(file), PageParts::head(escaped(title)) + nav + body + "</main>\n</body>\n</html>\n"});
    };
    add("index.html", package.name, index_of(package, parts));
    for (const ModuleDoc& module : package.modules) add(page_of(module), module.name, of_modules.module(module));
    for (const ExampleDoc& example : package.examples)
        add(page_of(example), example.name, example_page(example, parts));
    return pages;
}

}  // namespace anml

// Documentation as a page: modules with a list of what they declare, and pictures of components.
#include <fmt/format.h>

#include "common/markup.h"
#include "doc/module_doc.h"
#include "doc/page_parts.h"

namespace anml {

namespace {

std::string contents(const std::vector<ModuleDoc>& modules)
{
    std::string out;
    for (const ModuleDoc& module : modules) {
        out += fmt::format("<a href=\"#{0}\"><b>{0}</b></a>\n<ul>\n", escaped(module.name));
        for (const DeclarationDoc& d : module.declarations)
            out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", PageParts::anchor(module, d), escaped(d.name));
        out += "</ul>\n";
    }
    return out;
}

}  // namespace

std::string page(const std::vector<ModuleDoc>& modules)
{
    const std::string title = modules.size() == 1 ? escaped(modules[0].name) : "Modules";
    std::string out = PageParts::head(title) + fmt::format("<nav>\n{}</nav>\n<main>\n", contents(modules));
    PageParts parts;
    for (const ModuleDoc& module : modules) out += parts.module(module);
    return out + "</main>\n</body>\n</html>\n";
}

}  // namespace anml

// The documentation of a package, as pages that link to each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "doc/module_doc.h"

namespace anml {

struct ExampleDoc {
    std::string name, file;             // "head_office", as its page is called; the file's path in the package
    std::string about;                  // what `///` says at the top of it
    std::string text;                   // of the file
    std::string model;                  // that is pictured
    std::string picture, dark_picture;  // SVG, "": none
};

struct PackageDoc {
    std::string name, version, license, description;
    std::string readme;                                             // Markdown, "": there is none
    std::vector<std::pair<std::string, std::string>> dependencies;  // their names, and where they are from
    std::vector<ModuleDoc> modules;                                 // by the names that users import: "metro.rings"
    std::vector<ExampleDoc> examples;
};

struct DocPage {
    std::string file;  // "index.html"
    std::string text;
};

// index.html, a page for each module and one for each example. Each opens offline and loads nothing.
std::vector<DocPage> package_pages(const PackageDoc& package);

}  // namespace anml

// What pages of documentation are made of.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "doc/module_doc.h"

namespace anml {

// Where declarations are shown, by "module.Name" and by the last word of the module, as users write it.
using DocLinks = std::map<std::string, std::string, std::less<>>;

class PageParts {
  public:
    explicit PageParts(const DocLinks* links = nullptr) : links_(links) {}

    static std::string head(std::string_view title);  // up to <body>
    static std::string anchor(const ModuleDoc& module, const DeclarationDoc& declaration);
    static std::string figure(const std::string& picture, const std::string& dark, std::string_view about);

    std::string module(const ModuleDoc& module);       // all that it declares
    std::string text_of(std::string_view text) const;  // of a comment, as paragraphs
    std::string linked(std::string_view code) const;   // escaped, with links from names

  private:
    std::string code(std::string_view text) const;
    std::string words(std::string_view text) const;
    std::string members(const DeclarationDoc& d) const;
    std::string inside(const DeclarationDoc& d) const;
    std::string declaration(const ModuleDoc& module, const DeclarationDoc& d);

    const DocLinks* links_;  // nullptr: names lead nowhere
    std::string module_;     // that is shown: its names need no module before them
    std::string name_;       // that is declared: it does not lead to itself
};

}  // namespace anml

// Copies of the standard library's modules as files, so that an editor can show them: in the user's cache folder, named
// after what they hold, made when the first one is asked for.
#pragma once

#include <string>
#include <string_view>

namespace anml::lsp {

class LibraryCopy {
  public:
    LibraryCopy();
    // Of a module as messages show it, "<std>/ether.anml"; "": it cannot be written, or is none.
    std::string path(std::string_view shown);
    bool holds(const std::string& path) const { return !folder_.empty() && path.starts_with(folder_ + "/"); }

  private:
    bool make() const;

    std::string folder_;  // "": there is no place for it
};

}  // namespace anml::lsp

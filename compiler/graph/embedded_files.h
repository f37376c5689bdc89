// Files that pictures are made from, embedded in the compiler by cmake/embed_files.cmake.
#pragma once

#include <span>
#include <string_view>

namespace anml {

struct EmbeddedFile {
    std::string_view name;
    std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();
std::string_view embedded_file(std::string_view name);  // "" if there is none

}  // namespace anml

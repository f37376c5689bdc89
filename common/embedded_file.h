// Files that are part of a program, put in by cmake/embed_files.cmake, and pages made of them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace anml {

struct EmbeddedFile {
    std::string_view name;
    std::string_view text;
};

std::string_view find_file(std::span<const EmbeddedFile> files, std::string_view name);  // "" if there is none

// The template with `part(name)` in the place of each {{name}}.
std::string fill_page(std::string_view page, const std::function<std::string(std::string_view name)>& part);
std::string for_script(std::string json);     // JSON inside a script element
std::string for_text(std::string_view text);  // between tags

}  // namespace anml

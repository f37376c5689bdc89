// The standard library, embedded in the compiler by cmake/embed_modules.cmake.
#pragma once

#include <span>
#include <string_view>

namespace anml {

struct EmbeddedModule {
    std::string_view module;  // "std.ether"
    std::string_view path;    // "std/ether.anml"
    std::string_view text;
};

std::span<const EmbeddedModule> embedded_modules();

}  // namespace anml

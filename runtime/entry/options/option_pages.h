// The emulator's manual page and shell completions, from its table of options and its model.
#pragma once

#include <string>

#include "abi/image.h"

namespace CLI {
class App;
}

namespace anml::rt::entry {

std::string manual_page(const CLI::App& app, const abi::Image& image);
// "" if `shell` is none of bash, zsh and fish.
std::string completion(const CLI::App& app, const abi::Image& image, const std::string& shell);

}  // namespace anml::rt::entry

// The manual page of anmlc, and the scripts with which shells complete its options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace anml {

std::string manual_page(const CLI::App& app);
std::string shell_completion(const CLI::App& app, const std::string& shell);  // "bash", "zsh" or "fish"

}  // namespace anml

// The manual page of anmlc, and the scripts with which shells complete its options.
#pragma once

#include "driver/options/option_table.h"

namespace anml {

std::string option_page(const CLI::App& app, const Words& words);  // what --print-man or --print-completion asks for

}  // namespace anml

// What the output is made of: a rule for make and ninja (-MD), and files that it must not replace.
#pragma once

#include <string>

#include "driver/session.h"

namespace anml {

// `output: file file ...`, every file that was read; not what is built into anmlc, and not standard input.
std::string dependency_rule(const std::string& output, const Compilation& compilation);

// False, and a diagnostic: a file of that name was read, and would be gone.
bool keeps_inputs(const std::string& output, Compilation& compilation);

// A text to a file that was not read, or "-", standard output. False, and a diagnostic, where it cannot be written.
bool write_text(const std::string& output, const std::string& text, Compilation& compilation);

}  // namespace anml

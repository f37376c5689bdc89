// From a model to its emulator: a file, or what runs next in this process.
#pragma once

#include <string>
#include <vector>

#include "driver/session.h"
#include "driver/verb.h"

namespace anml {

// An executable or an object file, written; or a text. False after an error; nothing is written where -Werror makes
// one of a warning.
bool write_emulator(Session& session, const EmulatorOptions& options, std::string& text);

// The emulator of the model as a file that has no name any more: nothing is left behind, whatever ends it. -1: it says
// why.
int compile_emulator(const BuildOptions& options, OptLevel level);
// Returns, with an exit status, only where that fails.
int become_emulator(const CommandLine& line, int program, std::vector<std::string> arguments);

}  // namespace anml

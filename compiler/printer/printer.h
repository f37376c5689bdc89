// `--emit=anml`: an elaborated network as the text of a program, without components, loops, conditions and parameters.
//
// Compiling the text gives the same network: names, ids, streams of random numbers, addresses, values. What is gone:
// parameters that are no tunables, the names of profiles and schemas, and which instance a requirement stood in.
#pragma once

#include <optional>
#include <string>

#include "elaborate/network.h"

namespace anml {

// In the formatter's style. `folder`: where the text will stand, for the names of files that it reads. Nothing after an
// error: the network cannot be said in the language.
std::optional<std::string> print_program(const CheckedProgram& program, const Network& network,
                                         const std::string& folder, Diagnostics& diagnostics);

// Whether packets that such a link holds back wait as long as they do by default.
bool has_usual_reorder_delay(const Network& network, const LinkArray& link, int direction);

}  // namespace anml

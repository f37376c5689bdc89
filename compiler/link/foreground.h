// A program in this one's place: on its terminal, with its signals, and its exit status as the result.
#pragma once

#include <string>
#include <vector>

namespace anml {

// command[0] is what the program takes for its name. Interrupts and requests to end go to the program; this one waits
// for it, so that it can tidy up behind it. What ended by a signal has 128 and its number, as in shells; -1: it could
// not be started, and `problem` says why.
int run_foreground(const std::string& path, const std::vector<std::string>& command, std::string& problem);

}  // namespace anml

// A program in this one's place: on its terminal, with its signals, and its exit status as the result.
#pragma once

#include <string>
#include <vector>

namespace anml {

// command[0] is a path. Interrupts and requests to end go to the program; this one waits for it, so that it can tidy up
// behind it. What ended by a signal has 128 and its number, as in shells; -1: it could not be started, and `problem`
// says why.
int run_foreground(const std::vector<std::string>& command, std::string& problem);

}  // namespace anml

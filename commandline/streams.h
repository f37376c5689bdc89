// Standard streams, whatever they are: closed, full, or a pipe that nobody reads any more.
#pragma once

#include <string_view>

namespace anml::commandline {

// Before anything is opened. A standard stream that is closed becomes one that takes nothing: otherwise the next file
// would get its number, and what is printed. And a file that may not grow further is an error, as on a full disk.
void prepare_streams();

// On standard error; where that cannot be written to, there is nobody to tell.
void say(std::string_view text);

// Whether all that was printed on standard output has arrived; errno says why not.
bool flush_standard_output();

}  // namespace anml::commandline

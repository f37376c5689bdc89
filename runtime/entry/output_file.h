// Files that a run writes: refused before it starts if they cannot be written, and never left half-written.
#pragma once

#include <string>

namespace anml::rt::entry {

// "" if `path` can be written, else why not. Creates nothing.
std::string why_not_writable(const std::string& path);

// Replaces `path` in one step (devices and pipes are written to directly). False: `error`.
bool write_file(const std::string& path, const std::string& text, std::string& error);

// Has descriptors 0 to 2 open, to nothing where the caller closed them: a file or a device must not get their numbers,
// and our messages. And a reader that goes away is an error of the writing, not the end of the process.
void open_standard_files();

// Writes to standard error, as far as that takes it.
void write_standard_error(const std::string& text);

// Writes to standard output. False, and a message on standard error, if that cannot be written.
bool write_standard_output(const std::string& text);

}  // namespace anml::rt::entry

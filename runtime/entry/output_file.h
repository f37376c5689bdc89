// Files that a run writes: refused before it starts if they cannot be written, and never left half-written.
#pragma once

#include <string>

namespace anml::rt::entry {

// "" if `path` can be written, else why not. Creates nothing.
std::string why_not_writable(const std::string& path);

// Replaces `path` in one step (devices and pipes are written to directly). False: `error`.
bool write_file(const std::string& path, const std::string& text, std::string& error);

// Writes to standard output. False, and a message on standard error, if that cannot be written.
bool write_standard_output(const std::string& text);

}  // namespace anml::rt::entry

// Files that a run writes: refused before it starts if they cannot be written, and never left half-written.
#pragma once

#include <string>

namespace anml::rt::entry {

// "" if `path` can be written, else why not. Creates nothing.
std::string why_not_writable(const std::string& path);

// Whether both names are, or would be, those of one file.
bool same_file(const std::string& one, const std::string& other);

// Whole or not at all, see commandline::WholeFile. False: `error`.
bool write_file(const std::string& path, const std::string& text, std::string& error);

// Writes to standard output. False, and a message on standard error, if that cannot be written.
bool write_standard_output(const std::string& text);

}  // namespace anml::rt::entry

// Archives that somebody else made: tar, plain or compressed by gzip, bzip2, xz or zstd, and ZIP.
#pragma once

#include <string>

namespace anml {

// Unpacks into the folder, which is made. "", or what is wrong: what cannot be read, what would lie outside of the
// folder (absolute names, `..`, links that lead out), what is no file, folder or symbolic link, more than 256 MiB or
// 20 000 entries. The folder is then as far as it came.
std::string unpack(const std::string& archive, const std::string& folder);

}  // namespace anml

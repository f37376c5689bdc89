// Files that somebody else wrote, of any size and kind, read within bounds.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace anml {

enum class Readable {
    files,    // what a model names: one that waits for a pipe, or reads a device that never ends, would be a surprise
    anything  // what the command line names: pipes and devices too, and "-" for standard input
};

// Reads the file into `bytes`, at most `most` + 1 of them: one more says that it is larger. "", or why it cannot be
// read: "No such file or directory", "it is a folder".
std::string read_file(const std::string& path, std::size_t most, Readable readable, std::string& bytes);

// The same of a text. What holds a NUL is none, and ends with the block that has it: /dev/zero is no long text.
std::string read_text(const std::string& path, std::size_t most, Readable readable, std::string& text);

// The name of a file in the same folder that is called nearly so, or has another suffix; "": there is none.
std::string similar_file(const std::string& path);

// What decompresses a file that begins with these bytes, "gunzip"; "": it is not compressed.
std::string_view decompressor(std::string_view bytes);

// Gives the file block by block, so that no more than one is in memory, until `take` returns false.
std::string read_blocks(const std::string& path, std::size_t most, Readable readable,
                        const std::function<bool(std::string_view block)>& take);

}  // namespace anml

// Stage 1: the text of the main file and of everything that it imports.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "base/files/table_file.h"

namespace anml {

// From `begin` on the text was made by a line of another file: `// line "gen.py" 12`. Line 0: by nobody else.
struct GeneratorLine {
    std::uint32_t begin = 0;
    std::string file;
    std::uint32_t line = 0;
};
// What a text's comments say about its generator, in order.
std::vector<GeneratorLine> scan_generator_lines(std::string_view text);

// What a file means by a name that it imports: a file, or a folder of which every file is a module.
struct Import {
    std::string name;  // as it is written: "lab.parts"
    FileId file;       // invalid: a folder
    std::size_t folder = 0;
};

struct SourceFile {
    std::string path;  // as shown in messages; "<std>/ether.anml" for the standard library
    std::string text;
    std::string module;  // "std.ether" for an import, "" for the main file; what tells files apart is FileId
    std::vector<Import> imports;
    std::vector<std::string> missing;  // modules that it imports and that are not there, which was reported
    std::vector<std::uint32_t> lines;  // byte offset of each line's start; lines[0] == 0
    std::vector<GeneratorLine> generator_lines;
    bool foreign = false;  // another tool's graph, which holds no ANML
    // Of a parameter of the model, by name: the text is not declarations but an expression, its value on the command
    // line.
    std::string value_of;
    FileId part_of;     // the file whose declarations it adds to: text that was made of a foreign graph; else invalid
    bool ascii = true;  // every byte is a code point
    std::uint32_t text_begin = 0;  // byte of the file where the text begins: behind a byte order mark
};

struct Position {
    std::uint32_t line = 1;    // 1-based
    std::uint32_t column = 1;  // 1-based, in code points
};

struct SourceFolder {
    std::string module;
    std::vector<FileId> files;
};

struct SourceSet {
    std::vector<SourceFile> files;  // files[0] is the main file
    FileId main{0};
    std::vector<SourceFolder> folders;       // imported modules that are folders
    std::vector<TableFile> tables;           // that `table` declarations name
    std::vector<std::string> package_files;  // anml.toml and anml.lock that were read
    std::vector<std::string> include_dirs;   // where files that the text names are looked for, behind its own folder

    const SourceFile& file(FileId id) const { return files[id.value]; }
    std::string_view text(Span span) const
    {
        return std::string_view(file(span.file).text).substr(span.begin, span.end - span.begin);
    }
    // There is a main file, and what was read is text; modules may be missing.
    bool readable(const Diagnostics& diagnostics) const;
    Position position(FileId id, std::uint32_t offset) const;
    // Of an offset in the text, the byte of the file.
    std::uint32_t byte_of_file(FileId id, std::uint32_t offset) const { return file(id).text_begin + offset; }
    // The line of a generator that made the text there; nullptr where none is said.
    const GeneratorLine* generator_line(Span span) const;
    FileId add(std::string path, std::string text, std::string module);
    // What the name of a module means in that file; nullopt where nothing was found.
    std::optional<Import> imported(FileId from, std::string_view module) const;
    // The value of a parameter of the model, whose names mean what they mean in the main file.
    void define(const std::string& parameter, std::string value);
};

// Texts that diagnostics quote are files from now on.
void adopt_quotes(Diagnostics& diagnostics, SourceSet& sources);

struct SourceOptions {
    std::string input;                      // path, or "-" for standard input
    std::vector<std::string> include_dirs;  // -I
};

// Reads the main file and, transitively, its imports (import std.x -> embedded standard library; import a.b ->
// a/b.anml, or every .anml file in a/b, beside the importing file, beside the main file, in the package of the
// importing file, in those that it depends on, then in the include folders in their order; for a file of another
// package than the main file's neither beside the main file nor in the include folders). A file is read once, whatever
// names lead to it. The embedded module "std.prelude" is always part of the set.
std::optional<SourceSet> load_sources(const SourceOptions& options, Diagnostics& diagnostics);
// The same, but what could be read stays in `sources` when it fails, so that the messages can show the text.
bool load_sources(const SourceOptions& options, SourceSet& sources, Diagnostics& diagnostics);
// The same of a text that would stand in that file.
bool load_text(const std::string& path, std::string text, SourceSet& sources, Diagnostics& diagnostics);
// One file, or standard input ("-"), without what it imports.
bool load_file(const std::string& input, SourceSet& sources, Diagnostics& diagnostics);

}  // namespace anml

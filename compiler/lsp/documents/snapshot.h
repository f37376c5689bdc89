// What the stages up to `check` understood of one file and of what it imports, as its text is now: kept until that
// changes. Of a text with errors as much as there is.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "check/check.h"
#include "lsp/documents/positions.h"
#include "source/unsaved_texts.h"

namespace anml::lsp {

struct ReadOptions {
    std::vector<std::string> include_dirs;  // as of -I
    Encoding encoding = Encoding::utf16;
};

// What the later stages found out of one place in the text.
struct Fact {
    std::string hover;  // Markdown
    std::string hint;   // behind the name, short; "": none
};
using Facts = std::map<std::pair<std::uint32_t, std::uint32_t>, Fact>;  // by file and byte

enum class Depth : std::uint8_t { text, checked };  // text: the tree of the one file, without what it imports

class Snapshot {
  public:
    Snapshot(const std::string& path, const ReadOptions& options, const UnsavedTexts& unsaved,
             Depth depth = Depth::checked);
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;

    SourceSet sources;
    SyntaxTree tree;  // may have no roots
    CheckedProgram program;
    Declarations declarations;
    Diagnostics diagnostics;           // what `anmlc check` says as far as `check`, where it stops at errors
    bool good = false;                 // nothing was an error: the stages behind go on
    std::set<std::string> files_read;  // path_key of each

    bool parsed() const { return tree.roots.size() > sources.main.value; }
    const PositionMap& positions(FileId file) const;
    std::string_view text(Span span) const { return sources.text(span); }

    // The word that is there or ends there; a name before anything else. Invalid: none.
    TokenId token_at(FileId file, std::uint32_t offset) const;
    // The last word that begins before the place, comments left out. Invalid: none does.
    TokenId token_before(FileId file, std::uint32_t offset) const;
    // The node around a node; invalid for a file.
    SyntaxId parent(SyntaxId id) const;
    // The innermost node of the file whose text holds the bytes.
    SyntaxId innermost(FileId file, std::uint32_t begin, std::uint32_t end) const;
    // The node that declares this name; invalid: none does, as of a module.
    SyntaxId declared_by(Span name) const;
    // Statement or declaration around it, itself included.
    SyntaxId item_around(SyntaxId id) const;

  private:
    // The first token of the file, or of a later one, that does not begin before the place.
    std::size_t first_from(FileId file, std::uint32_t offset) const;
    void find_parents() const;

    Encoding encoding_;
    mutable std::unordered_map<std::uint32_t, std::unique_ptr<PositionMap>> positions_;  // by file
    mutable std::vector<SyntaxId> parents_;
    mutable std::unordered_map<std::uint64_t, SyntaxId> declared_;  // by file and byte of the name
};

}  // namespace anml::lsp

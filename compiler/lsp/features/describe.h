// What is said of a declaration: as it is written, what documents it, and where it comes from.
#pragma once

#include <optional>
#include <string>

#include "lsp/documents/snapshot.h"

namespace anml::lsp {

// On one line, without a body; "" for what has no such line.
std::string header_of(const Snapshot& snapshot, SyntaxId declaration);
// Of `///`, or the remark behind it.
std::string documentation_of(const Snapshot& snapshot, SyntaxId declaration);
// The first paragraph of what `///` says of a module's file; "": nothing.
std::string about_file(const Snapshot& snapshot, FileId file);
// What a keyword means: the schema that explains it, or what the pages say; "": nothing.
std::string about_word(const Snapshot& snapshot, std::string_view keyword);
// "std.web", "the file parts.anml", "": the main file.
std::string origin_of(const Snapshot& snapshot, FileId file);
// "component", "host", "attribute", ...: what a name of that declaration means.
std::string kind_of(const Snapshot& snapshot, SyntaxId declaration);

// The smallest expression that the program has there; invalid: none.
ExprId expression_at(const Snapshot& snapshot, Span span);
// Of an expression of a component that no loop decides, with parameters at their defaults; nothing: it has none.
std::optional<double> value_of(const Snapshot& snapshot, ExprId expression);
// Of a `let` or a parameter that is declared there.
ExprId defined_as(const Snapshot& snapshot, SyntaxId declaration);
std::string shown_value(const Snapshot& snapshot, ExprId expression);  // "" where there is none

}  // namespace anml::lsp

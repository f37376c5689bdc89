// A declaration and its names, whichever snapshot shows them.
#pragma once

#include <functional>
#include <string>

#include "lsp/documents/workspace.h"

namespace anml::lsp {

struct Declared {
    std::string key;  // path_key of its file, or its path where it has none
    std::uint32_t begin = 0;
};

std::string key_of(const SourceFile& file);
Declared declared_at(const Snapshot& snapshot, TokenId declaration);
TokenId find_in(const Snapshot& snapshot, const Declared& declared);  // invalid: it is not there

// Every name of it, in the snapshot and in others of the workspace that see it: each place once, in no order.
void each_name(Workspace& workspace, const Snapshot& first, TokenId declaration,
               const std::function<void(const Snapshot& snapshot, Span place, bool declares)>& each);

}  // namespace anml::lsp

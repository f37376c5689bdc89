// Which warnings are shown: -W, -Wno-, -Werror, and `// lint: allow(name) reason` in the text.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/diagnostics.h"
#include "syntax/syntax_tree.h"

namespace anml {

struct WarningOptions {
    std::set<Diag> off;
    bool errors = false;  // -Werror: a warning that is shown is an error

    bool enabled(Diag diag) const { return !off.contains(diag); }
    // `name`, `no-name` or `error`; later ones win. "" or what is wrong.
    std::string set(std::string_view word);
};

struct Allowance {  // `// lint: allow(name) reason`
    Span comment, name;
    std::optional<Diag> diag;
    bool reasoned = false;
    bool used = false;
};
// By the file and line that each applies to.
using Allowances = std::multimap<std::pair<std::uint32_t, std::uint32_t>, Allowance>;
Allowances find_allowances(const SourceSet& sources, const SyntaxTree& tree);

// Takes out warnings that are off or that a comment on their line, or in lines of their own right above it, allows, and
// applies -Werror. With `complete`, when every rule has run, also reports comments that allow nothing.
void filter_warnings(const SourceSet& sources, Allowances allowances, const WarningOptions& options, bool complete,
                     Diagnostics& diagnostics);

}  // namespace anml

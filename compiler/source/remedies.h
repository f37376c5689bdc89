// Changes of the text that diagnostics propose: where they are in it, and what they are called.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "source/source_set.h"

namespace anml {

// The fixes of a diagnostic with all their edits at spans (EditAt::span). One whose place is not found is left out.
std::vector<Fix> as_written(const SourceSet& sources, const std::vector<Fix>& fixes);

// "write `x`", "insert `x`", "remove `x`": of a long text its begin.
std::string fix_title(const SourceSet& sources, const Fix& fix);

// The change that allows a warning on the line where it is, by a comment above.
Edit allowance_of(const SourceSet& sources, Span span, std::string_view warning);

}  // namespace anml

// Diagnostics as the protocol has them.
#pragma once

#include <map>
#include <string>

#include "lsp/documents/workspace.h"

namespace anml::lsp {

// Those of one check, by the URI of the file that each is about. Of what lies in the library the place is the one in
// the main file that leads there, or its begin. `data` has the fixes, for code actions.
using DiagnosticsByUri = std::map<std::string, json>;
DiagnosticsByUri diagnostics_json(const Diagnostics& diagnostics, const SourceSet& sources, const Workspace& workspace);

}  // namespace anml::lsp

// Where the text uses what a network's page shows: in links, workloads, routes, requirements.
#pragma once

#include "lsp/documents/workspace.h"

namespace anml::lsp {

// [{ name, uri, range }]: `name` is of a row of nodes in `places` (rows, then instances, as locations_json has them).
// Of "net[1].gateway" it is that row, of "net[i].gateway" the first that it may be; of an instance its first row. Names
// in the library are left out, and those of rows where they are declared.
json uses_json(const json& places, const Snapshot& snapshot, const Workspace& workspace);

}  // namespace anml::lsp

// The requests that are served, a file each. All take the request's parameters and return its result, and throw
// RequestError, or json::exception for parameters that are none.
#pragma once

#include "lsp/documents/workspace.h"

namespace anml::lsp {

json definition(Workspace& workspace, const json& params);
json references(Workspace& workspace, const json& params);
json document_highlight(Workspace& workspace, const json& params);
json prepare_rename(Workspace& workspace, const json& params);
json rename(Workspace& workspace, const json& params);
json hover(Workspace& workspace, const json& params);
json document_symbols(Workspace& workspace, const json& params);
json workspace_symbols(Workspace& workspace, const json& params);
json completion(Workspace& workspace, const json& params);
json signature_help(Workspace& workspace, const json& params);
json formatting(Workspace& workspace, const json& params);
json range_formatting(Workspace& workspace, const json& params);
json on_type_formatting(Workspace& workspace, const json& params);
json semantic_tokens(Workspace& workspace, const json& params);
json semantic_tokens_of_range(Workspace& workspace, const json& params);
json semantic_tokens_legend();
json folding_ranges(Workspace& workspace, const json& params);
json selection_ranges(Workspace& workspace, const json& params);
json inlay_hints(Workspace& workspace, const json& params);
json code_lenses(Workspace& workspace, const json& params);
json prepare_call_hierarchy(Workspace& workspace, const json& params);
json incoming_calls(Workspace& workspace, const json& params);
json outgoing_calls(Workspace& workspace, const json& params);

}  // namespace anml::lsp

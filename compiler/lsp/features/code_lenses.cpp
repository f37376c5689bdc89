// Lenses above models and experiments. What they name are commands of the client: `anml.simulate`, `anml.graph` and
// `anml.experiment`, with the document's URI, its path, and the name.
#include "lsp/capabilities.h"
#include "syntax/syntax_views.h"

namespace anml::lsp {

json code_lenses(Workspace& workspace, const json& params)
{
    const Document& document = workspace.document(params);
    const Snapshot& snapshot = workspace.snapshot(workspace.document(params));
    json all = json::array();
    if (!snapshot.parsed()) return all;
    const PositionMap& map = snapshot.positions(snapshot.sources.main);
    for (const SyntaxId id : snapshot.tree.children_of(snapshot.tree.roots[snapshot.sources.main.value])) {
        const SyntaxKind kind = snapshot.tree.kind(id);
        if (kind != SyntaxKind::model_decl && kind != SyntaxKind::experiment_decl) continue;
        const SyntaxId name = syntax::name_of(snapshot.tree, id);
        if (snapshot.tree.kind(name) != SyntaxKind::identifier) continue;
        const Span span = snapshot.tree.node(name).span;
        const auto lens = [&](const char* title, const char* command) {
            all.push_back(
                {{"range", map.range_json(span.begin, span.end)},
                 {"command",
                  {{"title", title},
                   {"command", command},
                   {"arguments", {document.uri, document.path, std::string(unquoted(snapshot.text(span)))}}}}});
        };
        if (kind == SyntaxKind::experiment_decl) {
            lens("experiment", "anml.experiment");
        } else {
            lens("simulate", "anml.simulate");
            lens("graph", "anml.graph");
        }
    }
    return all;
}

}  // namespace anml::lsp

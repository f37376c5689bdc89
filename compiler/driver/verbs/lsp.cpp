// anmlc lsp: the language server, and what it needs of the list of stages.
#include "driver/commands.h"
#include "driver/compile.h"
#include "driver/duplicate_diagnostics.h"
#include "lsp/tools.h"

namespace anml {

namespace {

Options options_of(const lsp::CheckRequest& request, Goal goal)
{
    Options options;
    options.goal = goal;
    options.sources = {request.path, request.include_dirs};
    options.unsaved = request.unsaved;
    return options;
}

void show(const lsp::CheckRequest& request, Compilation& c)
{
    if (request.network)
        c.seen = [&](const Network& network, const RouteTables&, const std::vector<double>& answers) {
            request.network(network, answers);
        };
}

void check_file(const lsp::CheckRequest& request, SourceSet& sources, Diagnostics& diagnostics)
{
    Compilation c;
    show(request, c);
    std::optional<FrontEnd> front_end;
    if (const lsp::Snapshot* of = request.lint ? nullptr : request.snapshot)
        c.front_end = &front_end.emplace(FrontEnd{of->sources, of->tree, of->program, of->diagnostics});
    compile(options_of(request, request.lint ? Goal::lint : Goal::check), c);
    if (!c.sources.files.empty()) DuplicateDiagnostics().drop(c);
    sources = std::move(c.sources);
    diagnostics = std::move(c.diagnostics);
}

std::optional<std::string> graph_page(const lsp::CheckRequest& request, const std::string& model, SourceSet& sources,
                                      Diagnostics& diagnostics)
{
    Options options = options_of(request, Goal::graph);
    options.elaborate.model = model;
    options.graph.format = PictureFormat::html;
    Compilation c;
    show(request, c);
    const bool good = compile(options, c);
    sources = std::move(c.sources);
    diagnostics = std::move(c.diagnostics);
    if (!good) return std::nullopt;
    return std::move(c.text);
}

}  // namespace

int cmd_lsp(const Options& options)
{
    return lsp::serve({ANML_VERSION, check_file, graph_page}, options.sources.include_dirs);
}

}  // namespace anml

// anmlc lsp: the language server, and what it needs of the stages.
#include "driver/duplicate_diagnostics.h"
#include "driver/options/option_groups.h"
#include "driver/run_checks.h"
#include "driver/show_network.h"
#include "driver/verb.h"
#include "lsp/tools.h"

namespace anml {

namespace {

BuildOptions options_of(const lsp::CheckRequest& request)
{
    BuildOptions options;
    options.sources = {request.path, request.include_dirs};
    options.unsaved = request.unsaved;
    return options;
}

void check_file(const lsp::CheckRequest& request, SourceSet& sources, Diagnostics& diagnostics)
{
    const BuildOptions options = options_of(request);
    Compilation c;
    if (const lsp::Snapshot* of = request.lint ? nullptr : request.snapshot) {
        Session session(options, FrontEnd{of->sources, of->tree, of->program, of->diagnostics}, c);
        run_checks(session, request.network);
    } else {
        Session session(options, c);
        if (request.lint)
            run_linter(session, request.network);
        else
            run_checks(session, request.network);
    }
    if (!c.sources.files.empty()) DuplicateDiagnostics().drop(c);
    sources = std::move(c.sources);
    diagnostics = std::move(c.diagnostics);
}

std::optional<std::string> graph_page(const lsp::CheckRequest& request, const std::string& model, SourceSet& sources,
                                      Diagnostics& diagnostics)
{
    BuildOptions options = options_of(request);
    options.elaborate.model = model;
    PictureOptions picture;
    picture.format = PictureFormat::html;
    Compilation c;
    Session session(options, c);
    if (const Network* network = session.network(); network && request.network) request.network(*network, {});
    auto page = draw_model(session, picture, {}, "-");
    if (!session.end(page.has_value())) page.reset();
    sources = std::move(c.sources);
    diagnostics = std::move(c.diagnostics);
    return page;
}

class LspVerb : public Verb {
  public:
    LspVerb() : Verb("lsp", "Serve an editor on standard input and output (Language Server Protocol 3.17)") {}

    void add_options(CLI::App& app) override
    {
        app.add_flag("--stdio", stdio_, "Does nothing: standard input and output are what there is");
        add_folders(app, sources_);
    }
    int run(const CommandLine&) override
    {
        return lsp::serve({ANML_VERSION, check_file, graph_page}, sources_.include_dirs);
    }

  private:
    SourceOptions sources_;
    bool stdio_ = false;
};

}  // namespace

std::unique_ptr<Verb> verb_lsp() { return std::make_unique<LspVerb>(); }

}  // namespace anml

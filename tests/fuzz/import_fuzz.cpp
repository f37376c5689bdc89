// Any bytes as a foreign graph: a reader ends with a graph, which can be written as a model that parses, or with an
// error that can be shown. One program for each format.
#include <cstdio>
#include <cstdlib>

#include "import/import.h"
#include "source/render.h"

using namespace anml;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    bool assumed = false;
    SourceSet sources;
    const FileId file =
        sources.add("fuzz", decode_text(std::string(reinterpret_cast<const char*>(data), size), assumed), "");
    Diagnostics diagnostics;
    const auto graph = read_graph(sources, file, find_graph_format(ANML_FUZZ_FORMAT), diagnostics);
    const char* broken = nullptr;
    if (graph) {
        if (diagnostics.has_errors()) broken = "a graph in spite of errors";
        ImportOptions options;
        options.model = "Fuzz";
        if (!graph_model(*graph, options, "fuzz", diagnostics) && !diagnostics.has_errors())
            broken = "neither a model nor an error";
    } else if (!diagnostics.has_errors()) {
        broken = "neither a graph nor an error";
    }
    for (ErrorFormat format : {ErrorFormat::human, ErrorFormat::json})
        render_diagnostics(diagnostics, sources, format, true);
    if (broken) {
        std::fprintf(stderr, "%s\n", broken);
        std::abort();
    }
    return 0;
}

// Any bytes as a source file: the front end ends with a tree that keeps its promises or with errors that can be shown.
#include <cstdio>
#include <cstdlib>

#include "source/imports.h"
#include "source/render.h"
#include "syntax/syntax_tree.h"

using namespace anml;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    std::string text(reinterpret_cast<const char*>(data), size);
    scan_imports(text);
    SourceSet sources;
    sources.add("fuzz.anml", std::move(text), "");
    Diagnostics diagnostics;
    std::optional<SyntaxTree> tree = parse(sources, diagnostics);
    std::string broken;
    if (tree) {
        broken = verify_syntax(sources, *tree);
        dump_syntax(sources, *tree);
        if (diagnostics.has_errors()) broken = "a tree in spite of errors";
    } else if (!diagnostics.has_errors()) {
        broken = "neither a tree nor an error";
    }
    for (ErrorFormat format : {ErrorFormat::human, ErrorFormat::brief, ErrorFormat::json}) {
        render_diagnostics(diagnostics, sources, format, true);
    }
    if (!broken.empty()) {
        std::fprintf(stderr, "%s\n", broken.c_str());
        std::abort();
    }
    return 0;
}

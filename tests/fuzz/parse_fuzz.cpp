// Any bytes as a source file: parsing and checking end with a tree and a program that keep their promises, whole or
// with holes, and with errors that can be shown. What the text imports is not there, but for the prelude.
#include <cstdio>
#include <cstdlib>

#include "check/check.h"
#include "source/embedded_modules.h"
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
    for (const EmbeddedModule& m : embedded_modules())
        if (m.module == "std.prelude") sources.add(std::string(m.path), std::string(m.text), std::string(m.module));
    Diagnostics diagnostics;
    const Partial<SyntaxTree> parsed = parse(sources, diagnostics);
    std::string broken = verify_syntax(sources, parsed.output, parsed.whole ? Holes::none : Holes::allowed);
    dump_syntax(sources, parsed.output);
    if (parsed.whole == diagnostics.has_errors()) broken = "a whole tree in spite of errors, or neither";

    const std::size_t before = diagnostics.errors();
    Declarations declarations;
    const auto checked = check(sources, parsed.output, diagnostics, "", &declarations);
    if (broken.empty()) broken = verify_checked(checked.output, checked.whole ? Holes::none : Holes::allowed);
    const bool understood = diagnostics.errors() == before && !parsed.output.has_holes();
    if (checked.whole != understood) broken = "a whole program in spite of errors or holes, or neither";
    for (ErrorFormat format : {ErrorFormat::human, ErrorFormat::brief, ErrorFormat::json}) {
        render_diagnostics(diagnostics, sources, format, true);
    }
    if (!broken.empty()) {
        std::fprintf(stderr, "%s\n", broken.c_str());
        std::abort();
    }
    return 0;
}

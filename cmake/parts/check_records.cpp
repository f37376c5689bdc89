// Run by the build: fails where the library's schemas and what the runtime reads of them differ.
#include <fmt/format.h>

#include "check/check.h"
#include "check/schemas/record_agreement.h"
#include "source/source_set.h"
#include "syntax/syntax_tree.h"

int main()
{
    std::string text = "edition 1\n";
    for (const std::string& module : anml::modules_with_records()) text += fmt::format("import {}\n", module);
    anml::SourceSet sources;
    anml::Diagnostics diagnostics;
    if (!anml::load_text("records.anml", text, sources, diagnostics)) return 1;
    const auto tree = anml::parse(sources, diagnostics);
    const auto program = anml::check(sources, tree.output, diagnostics);
    if (!tree.whole || !program.whole) {
        fmt::print(stderr, "the library has errors: anmlc check says which\n");
        return 1;
    }
    const auto found = anml::record_disagreements(program.output);
    for (const std::string& line : found) fmt::print(stderr, "{}\n", line);
    return found.empty() ? 0 : 1;
}
